package opencl

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// The tests of this file need a real OpenCL device; PoCL, which computes on
// the CPU, is one.

// LimitPieces implements devicetest.PieceLimiter.
func (d *Device) LimitPieces(limit int) (restore func()) {
	old := d.limits.Index
	d.limits.Index = limit
	return func() { d.limits.Index = old }
}

// Compiles implements devicetest.Compiler.
func (d *Device) Compiles() {}

// needDevice returns a real device, which all tests share with its kernels.
func needDevice(t testing.TB) *Device {
	t.Helper()
	return devicetest.Open(t, "opencl:0").(*Device)
}

// TestConformance compiles some 300 kernels, which takes PoCL minutes (later
// runs find them in its cache), so that it needs to be asked for. What the race
// detector could see in it, TestGoroutines and others show it faster.
func TestConformance(t *testing.T) {
	if raceEnabled {
		t.Skip("takes too long under the race detector; tests of concurrency run")
	}
	if !devicetest.Required("opencl") && os.Getenv("STRIDE0_FULL") != "1" {
		t.Skip("takes minutes; set STRIDE0_REQUIRE=opencl or STRIDE0_FULL=1 to run it")
	}
	devicetest.Run(t, needDevice(t))
}

// random returns the bytes of n elements: floats of all magnitudes, integers
// of all bits.
func random(d dtype.DType, n int) []byte {
	rng := rand.New(rand.NewPCG(uint64(d), uint64(n)))
	var out []byte
	for range n {
		switch d {
		case dtype.Float32:
			x := float32(math.Ldexp(rng.Float64()-0.5, rng.IntN(40)-20))
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		case dtype.Float64:
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(math.Ldexp(rng.Float64()-0.5, rng.IntN(40)-20)))
		default:
			out = append(out, binary.LittleEndian.AppendUint64(nil, rng.Uint64())[:d.Size()]...)
		}
	}
	return out
}

// TestReductionForms: work-items that do a block each, groups that share one,
// and work-items that go lane by lane all walk the same tree, that of the CPU.
func TestReductionForms(t *testing.T) {
	d := needDevice(t)
	defer func() { d.form = bestForm }()
	tasks := []task{
		{kernels.Sum, dtype.Float32, broadcast.Shape{0}, 1},
		{kernels.Sum, dtype.Float32, broadcast.Shape{1}, 1},
		{kernels.Sum, dtype.Float32, broadcast.Shape{31}, 1},
		{kernels.Sum, dtype.Float32, broadcast.Shape{33}, 1},
		{kernels.Sum, dtype.Float32, broadcast.Shape{1023}, 1},
		{kernels.Sum, dtype.Float32, broadcast.Shape{1025}, 1},
		{kernels.Sum, dtype.Float32, broadcast.Shape{3, 5000}, 0b10},
		{kernels.Sum, dtype.Float32, broadcast.Shape{5000, 70}, 0b01},
		{kernels.Sum, dtype.Float32, broadcast.Shape{1<<20 + 1500}, 1},
		{kernels.Sum, dtype.Float32, broadcast.Shape{7, 6, 5, 9}, 0b1010},
		{kernels.ArgMax, dtype.Int32, broadcast.Shape{3000, 3}, 0b01},
		{kernels.Max, dtype.Float64, broadcast.Shape{9, 1500}, 0b10},
	}
	for _, k := range tasks {
		content := random(k.elem, k.space.Size())
		want := k.run(t, cpu.Default(), content)
		for f, name := range map[form]string{rowsForm: "rows", blockForm: "block", leadForm: "lead"} {
			d.form = f
			assert.Equal(t, want, k.run(t, d, content), "%v of %v %v over %b in form %s", k.op, k.elem, k.space, k.reduced, name)
		}
	}
}

// TestGPUForms runs what ChooseForm takes for a GPU.
func TestGPUForms(t *testing.T) {
	d := needDevice(t)
	defer func(p properties) { d.props = p }(d.props)
	d.props.cpu = false
	for _, k := range []task{
		{kernels.Sum, dtype.Float32, broadcast.Shape{70, 2100}, 0b10}, // block
		{kernels.Sum, dtype.Float32, broadcast.Shape{2100, 70}, 0b01}, // lead
	} {
		content := random(k.elem, k.space.Size())
		assert.Equal(t, k.run(t, cpu.Default(), content), k.run(t, d, content), "%v over %b", k.space, k.reduced)
	}
}

// TestSoftDivide computes division and square root with integers on a device
// that does not need to.
func TestSoftDivide(t *testing.T) {
	d := needDevice(t)
	defer func(old *kernels.Dialect, p *programs) { d.dialect, d.programs = old, p }(d.dialect, d.programs)
	d.dialect, d.programs = kernels.OpenCLSoft, newPrograms(d)
	defer func() { d.programs.release() }()
	x, y := patterns()
	for _, op := range []kernels.Op{kernels.Div, kernels.Sqrt} {
		k := task{op, dtype.Float32, broadcast.Shape{len(x) / 4}, 0}
		contents := [][]byte{x, y}[:op.Row().Arity]
		want, got := k.run(t, cpu.Default(), contents...), k.run(t, d, contents...)
		for i := 0; i < len(want); i += 4 {
			w, g := binary.LittleEndian.Uint32(want[i:]), binary.LittleEndian.Uint32(got[i:])
			nan := func(u uint32) bool { return u&0x7fffffff > 0x7f800000 }
			if w != g && !(nan(w) && nan(g)) {
				t.Fatalf("%v of %#x, %#x is %#x, want %#x", op, x[i:i+4], y[i:i+4], g, w)
			}
		}
	}
}

// TestCompilersOwnWords: the error of a build that fails holds what the real
// compiler says, and the device goes on.
func TestCompilersOwnWords(t *testing.T) {
	d := needDevice(t)
	defer func(old *kernels.Dialect, p *programs) { d.dialect, d.programs = old, p }(d.dialect, d.programs)
	broken := *kernels.OpenCL
	broken.Begin = "no_such_function_of_opencl();"
	d.dialect, d.programs = &broken, newPrograms(d)
	l, bufs, err := task{kernels.Add, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	defer free(bufs)
	err = d.Run(l)
	var e *device.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "clBuildProgram of add_float32_flat", e.Call)
	assert.Contains(t, err.Error(), "the compiler says: ")
	assert.Contains(t, err.Error(), "no_such_function_of_opencl")
	assert.NoError(t, d.Sync())
}

// patterns returns pairs of float32: every special with every other, then
// random bits, half of them subnormal or close to a power of two.
func patterns() (x, y []byte) {
	specials := []uint32{0, 1, 2, 3, 0x7fffff, 0x800000, 0x800001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x40000000, 0x40400000,
		0x4b800001, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000}
	for _, s := range specials[:] {
		specials = append(specials, s|0x80000000)
	}
	add := func(a, b uint32) {
		x, y = binary.LittleEndian.AppendUint32(x, a), binary.LittleEndian.AppendUint32(y, b)
	}
	for _, a := range specials {
		for _, b := range specials {
			add(a, b)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		a, b := rng.Uint32(), rng.Uint32()
		switch rng.IntN(4) {
		case 0:
			a &= 0x807fffff
		case 1:
			a, b = a&0xff80000f, b&0xff80000f
		}
		add(a, b)
	}
	return x, y
}

// TestGoroutines launches the same few kernels on one device from many
// goroutines at once; each checks its own results.
func TestGoroutines(t *testing.T) {
	d := needDevice(t)
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			k := task{[]kernels.Op{kernels.Add, kernels.Sub, kernels.Mul, kernels.Sum}[g%4], dtype.Float32, broadcast.Shape{300 + 17*g}, 0}
			if k.op == kernels.Sum {
				k.reduced = 1
			}
			x, y := random(k.elem, k.space.Size()), random(k.elem, k.space.Size()+1)[4:]
			want := k.run(t, cpu.Default(), x, y)
			for range 20 {
				if got := k.run(t, d, x, y); !assert.Equal(t, want, got, "goroutine %d", g) {
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestNoFreeFlatMemory launches without ever freeing: the garbage collector
// gives results back, so that memory stays within the pool's bounds.
func TestNoFreeFlatMemory(t *testing.T) {
	d := needDevice(t)
	launches := 50_000
	if testing.Short() {
		launches = 5_000
	}
	k := task{kernels.Neg, dtype.Float32, broadcast.Shape{1024}, 0}
	l, bufs, err := k.launch(t, d)
	require.NoError(t, err)
	defer free(bufs)
	var most int64
	for i := range launches {
		out, err := d.Alloc(4096)
		require.NoError(t, err)
		l.Outputs = []device.Operand{{Buffer: out}}
		require.NoError(t, d.Run(l))
		if i%1000 == 0 {
			s := d.PoolStats()
			most = max(most, s.Live+s.Pooled)
		}
	}
	require.NoError(t, d.Sync())
	assert.Less(t, most, int64(160<<20), "200 MB were allocated in all")
	l.Outputs = nil
	runtime.GC()
}
