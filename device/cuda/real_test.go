package cuda

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/cuda/cudasim"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/internal/dl"
	"github.com/stride0/stride0/kernels"
)

// The tests of this file need a device: a GPU or, where there is no NVIDIA
// driver, the simulator.

// LimitPieces implements devicetest.PieceLimiter.
func (d *Device) LimitPieces(limit int) (restore func()) {
	old := d.limits.Index
	d.limits.Index = limit
	return func() { d.limits.Index = old }
}

// Compiles implements devicetest.Compiler.
func (d *Device) Compiles() {}

// simulator is loaded in place of a driver that is not there, else nil.
var simulator *cudasim.Sim

// findDriver decides, before the first device is opened, where the driver is.
var findDriver sync.Once

// needDevice returns cuda:0, which all tests share with its kernels. Without
// one the test is skipped, unless STRIDE0_REQUIRE says that there must be one.
func needDevice(t testing.TB) *Device {
	t.Helper()
	findDriver.Do(func() {
		if _, err := dl.Open(libraries...); err == nil || os.Getenv(libraryVariable) != "" || devicetest.Required("cuda") {
			return
		}
		simulator = cudasim.Open(t)
		if err := simulator.Set("devices", "2"); err != nil { // the second one is for faults
			t.Fatal(err)
		}
		os.Setenv(libraryVariable, simulator.Path())
	})
	dev, err := device.Open("cuda:0")
	switch {
	case err == nil:
		return dev.(*Device)
	case devicetest.Required("cuda") || devicetest.Required("cudasim"):
		t.Fatalf("STRIDE0_REQUIRE lists cuda or cudasim: %v", err)
	}
	t.Skipf("needs a CUDA device: %v", err)
	return nil
}

// TestConformance has hundreds of kernels compiled, which takes minutes on the
// simulator, so that there it needs to be asked for.
func TestConformance(t *testing.T) {
	d := needDevice(t)
	if raceEnabled {
		t.Skip("takes too long under the race detector; tests of concurrency run")
	}
	if simulator != nil && !devicetest.Required("cudasim") && os.Getenv("STRIDE0_FULL") != "1" {
		t.Skip("takes minutes; set STRIDE0_REQUIRE=cudasim or STRIDE0_FULL=1 to run it")
	}
	devicetest.Run(t, d)
	if simulator != nil {
		assert.Empty(t, simulator.Reports(), "what kernels did wrong")
	}
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

var someTasks = []task{
	{kernels.Add, dtype.Float32, broadcast.Shape{3, 700}, 0},
	{kernels.Exp, dtype.Float32, broadcast.Shape{999}, 0},
	{kernels.Div, dtype.Float64, broadcast.Shape{77, 5}, 0},
	{kernels.Mul, dtype.Int64, broadcast.Shape{300}, 0},
	{kernels.Sum, dtype.Float32, broadcast.Shape{0}, 1},
	{kernels.Sum, dtype.Float32, broadcast.Shape{33}, 1},
	{kernels.Sum, dtype.Float32, broadcast.Shape{1023}, 1},
	{kernels.Sum, dtype.Float32, broadcast.Shape{1025}, 1},
	{kernels.Sum, dtype.Float32, broadcast.Shape{3, 5000}, 0b10},
	{kernels.Sum, dtype.Float32, broadcast.Shape{5000, 70}, 0b01},
	{kernels.Sum, dtype.Float32, broadcast.Shape{7, 6, 5, 9}, 0b1010},
	{kernels.Max, dtype.Float64, broadcast.Shape{9, 1500}, 0b10},
	{kernels.ArgMax, dtype.Float32, broadcast.Shape{3000, 3}, 0b01},
}

// TestReductionForms: groups that share a block, and threads that go lane by
// lane, all walk the same tree, that of the CPU.
func TestReductionForms(t *testing.T) {
	d := needDevice(t)
	defer func() { d.form = bestForm }()
	for _, k := range someTasks {
		content := random(k.elem, k.space.Size())
		contents := [][]byte{content, content}[:k.op.Row().Arity]
		want := k.run(t, cpu.Default(), contents...)
		for f, name := range map[form]string{bestForm: "best", rowsForm: "rows", blockForm: "block", leadForm: "lead"} {
			if d.form = f; k.reduced == 0 && f != bestForm {
				continue
			}
			assert.Equal(t, want, k.run(t, d, contents...), "%v of %v %v over %b in form %s", k.op, k.elem, k.space, k.reduced, name)
		}
	}
}

// TestWithoutCompiler runs single operations of the PTX that is part of the
// package, in the few forms there are, and is told what else it would need.
func TestWithoutCompiler(t *testing.T) {
	d := needDevice(t)
	defer func(p *programs, l *Device) { d.programs.release(); d.programs, d.compiler = p, l.compiler }(d.programs, &Device{compiler: d.compiler})
	d.programs, d.compiler = newPrograms(d), nil
	assert.Equal(t, kernels.SplitSingle, device.SplitMode(d))
	for _, k := range someTasks {
		content := random(k.elem, k.space.Size())
		contents := [][]byte{content, content}[:k.op.Row().Arity]
		assert.Equal(t, k.run(t, cpu.Default(), contents...), k.run(t, d, contents...), "%v of %v %v over %b", k.op, k.elem, k.space, k.reduced)
		if k.reduced == 0 && len(k.space) == 2 {
			assert.Equal(t, k.turned(t, cpu.Default(), content), k.turned(t, d, content), "%v of %v %v turned", k.op, k.elem, k.space)
		}
	}
	l, bufs, err := task{kernels.Mean, dtype.Float32, broadcast.Shape{8}, 1}.launch(t, d)
	require.NoError(t, err)
	defer free(bufs)
	l.Scalars = []uint64{uint64(math.Float32bits(8))}
	err = d.Run(l)
	assert.ErrorIs(t, err, device.ErrUnsupported)
	assert.ErrorContains(t, err, "install NVRTC")
}

// TestGoroutines launches the same few kernels on one device from many
// goroutines at once; each checks its own results.
func TestGoroutines(t *testing.T) {
	d := needDevice(t)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			k := task{[]kernels.Op{kernels.Add, kernels.Sub, kernels.Mul, kernels.Sum}[g%4], dtype.Float32, broadcast.Shape{300 + 17*g}, 0}
			if k.op == kernels.Sum {
				k.reduced = 1
			}
			x, y := random(k.elem, k.space.Size()), random(k.elem, k.space.Size()+1)[4:]
			contents := [][]byte{x, y}[:k.op.Row().Arity]
			want := k.run(t, cpu.Default(), contents...)
			for range 10 {
				if got := k.run(t, d, contents...); !assert.Equal(t, want, got, "goroutine %d", g) {
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestCompilersOwnWords: the error of a build that fails holds what the real
// compiler says, and the device goes on.
func TestCompilersOwnWords(t *testing.T) {
	d := needDevice(t)
	if d.compiler == nil {
		t.Skip("needs NVRTC")
	}
	defer func(old *kernels.Dialect, p *programs) { d.dialect, d.programs = old, p }(d.dialect, d.programs)
	broken := *kernels.CUDA
	broken.Begin = "no_such_function_of_cuda();"
	d.dialect, d.programs = &broken, newPrograms(d)
	l, bufs, err := task{kernels.Add, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	defer free(bufs)
	err = d.Run(l)
	var e *device.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "nvrtcCompileProgram of add_float32_flat", e.Call)
	assert.Contains(t, err.Error(), "no_such_function_of_cuda")
	assert.NoError(t, d.Sync())
}
