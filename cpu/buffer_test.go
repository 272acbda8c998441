package cpu

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

func TestAllocIsAligned(t *testing.T) {
	for _, n := range []int64{0, 1, 63, 64, 4096, 1 << 20, 3<<20 + 5} {
		b, err := Default().Alloc(n)
		require.NoError(t, err)
		require.Equal(t, n, b.Size())
		require.Zero(t, uintptr(b.(*Buffer).base())%alignment, n)
		b.Free()
	}
}

func TestUseAfterFreeIsAnError(t *testing.T) {
	d := Default()
	pooled, err := d.Alloc(64)
	require.NoError(t, err)
	embedded := new(struct {
		n   int
		buf Buffer
	})
	embedded.buf.Init(make([]byte, 64))
	for name, b := range map[string]device.Buffer{"pooled": pooled, "go_memory": NewBuffer(make([]byte, 64)), "embedded": &embedded.buf} {
		other := NewBuffer(make([]byte, 64))
		b.Free()
		b.Free()
		_, mapped := d.Map(b)
		p := binary(t, kernels.Add, dtype.Float32)
		v := view{b.(*Buffer), broadcast.RowMajor(broadcast.Shape{16})}
		for call, err := range map[string]error{
			"Write": d.Write(b, 0, []byte{1}), "Read": d.Read(make([]byte, 1), b, 0), "Map": mapped,
			"Copy from": d.Copy(other, 0, b, 0, 1), "Copy to": d.Copy(b, 0, other, 0, 1),
			"Run": d.Run(launch(p, broadcast.Shape{16}, 0, []view{v, v}, []view{{other, v.layout}})),
		} {
			require.ErrorIs(t, err, device.ErrFreed, "%s of %s", call, name)
		}
	}
}

// TestFreeDuringRun frees buffers that launches work on: memory must stay
// until they are done, and later ones must fail cleanly.
func TestFreeDuringRun(t *testing.T) {
	d, p := Default(), binary(t, kernels.Add, dtype.Float32)
	const n = 100_000
	for range 30 {
		b, err := d.Alloc(4 * n)
		require.NoError(t, err)
		v := view{b.(*Buffer), broadcast.RowMajor(broadcast.Shape{n})}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				out := view{NewBuffer(make([]byte, 4*n)), v.layout}
				for {
					if err := d.Run(launch(p, broadcast.Shape{n}, 0, []view{v, v}, []view{out})); err != nil {
						if !strings.Contains(err.Error(), device.ErrFreed.Error()) {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		runtime.Gosched()
		b.Free()
		d.pool.Trim() // unmaps what is not in use
		wg.Wait()
	}
}

func TestCloseRefusesWhileBuffersLive(t *testing.T) {
	d := Default()
	b, err := d.Alloc(100)
	require.NoError(t, err)
	require.ErrorIs(t, d.Close(), device.ErrBusy)
	b.Free()
	require.NoError(t, d.Close())
	b, err = d.Alloc(100)
	require.NoError(t, err, "the host is always there")
	b.Free()
}

func TestTrimGivesBackWhatIsFree(t *testing.T) {
	const n = 5 << 20
	d := Default()
	b, err := d.Alloc(n)
	require.NoError(t, err)
	live, err := d.Alloc(n)
	require.NoError(t, err)
	defer live.Free()
	require.NoError(t, d.Write(live, n-1, []byte{7}))
	b.Free()
	trimmed := device.Trim(d)
	if device.PoolMode() != device.ModeExact { // which keeps nothing
		require.GreaterOrEqual(t, trimmed, int64(n))
	}
	require.Zero(t, d.PoolStats().Pooled)
	last := make([]byte, 1)
	require.NoError(t, d.Read(last, live, n-1))
	require.Equal(t, byte(7), last[0])
}

func TestRunErrorsWriteNothing(t *testing.T) {
	add := binary(t, kernels.Add, dtype.Float32)
	long := over(t, make([]float32, 20), broadcast.Shape{20}, []int{1}, 0)
	for _, c := range []struct {
		name, text string
		is         error
		edit       func(l *device.Launch)
	}{
		{"unsupported_row", "add of [float32 float32] to int32", device.ErrUnsupported, func(l *device.Launch) {
			p := *l.Program
			p.Instrs = append([]kernels.Instr(nil), p.Instrs...)
			p.Instrs[2].Type = dtype.Int32
			l.Program = &p
		}},
		{"another_devices_buffer", "another device", nil, func(l *device.Launch) { l.Inputs[0].Buffer = otherBuffer{} }},
		{"input_beyond_its_buffer", "reaches beyond", nil, func(l *device.Launch) { l.Inputs[1].Offset = 4 }},
		{"output_beyond_its_buffer", "reaches beyond", nil, func(l *device.Launch) { l.Outputs[0].Offset = 4 }},
		{"before_the_buffer", "reaches beyond", nil, func(l *device.Launch) { l.Plan.Offsets[0] = -1 }},
		{"missing_operand", "1 inputs", nil, func(l *device.Launch) { l.Inputs = l.Inputs[:1] }},
		{"output_in_an_inputs_place", "1 inputs, 2 outputs", nil, func(l *device.Launch) {
			l.Outputs = append(l.Inputs[1:], l.Outputs...)
			l.Inputs = l.Inputs[:1]
		}},
		{"scalar_nobody_asked_for", "1 scalars", nil, func(l *device.Launch) { l.Scalars = []uint64{1} }},
		{"plan_of_other_operands", "a plan of 2", nil, func(l *device.Launch) { l.Plan.Strides = l.Plan.Strides[:2] }},
	} {
		out := make([]float32, 20)
		l := launch(add, broadcast.Shape{20}, 0, []view{long, rowMajor(ramp(20), 20)}, []view{rowMajor(out, 20)})
		c.edit(l)
		err := Default().Run(l)
		var e *device.Error
		require.ErrorAs(t, err, &e, c.name)
		require.ErrorContains(t, err, c.text, c.name)
		if c.is != nil {
			require.ErrorIs(t, err, c.is, c.name)
		}
		require.Equal(t, make([]float32, 20), out, "%s wrote", c.name)
	}
}

type otherBuffer struct{ device.Buffer }

func TestRunAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops at random under the race detector")
	}
	p := binary(t, kernels.Add, dtype.Float32)
	sum := reduction(t, kernels.Sum, dtype.Float32)
	x := rowMajor(ramp(600), 20, 30)
	for name, l := range map[string]*device.Launch{
		"add": launch(p, broadcast.Shape{20, 30}, 0, []view{x, rowMajor(ramp(30), 30)}, []view{rowMajor(make([]float32, 600), 20, 30)}),
		"sum": launch(sum, broadcast.Shape{20, 30}, 2, []view{x}, []view{rowMajor(make([]float32, 20), 20, 1)}),
	} {
		require.NoError(t, Default().Run(l))
		require.Less(t, testing.AllocsPerRun(200, func() { _ = Default().Run(l) }), 1.0, name)
	}
}

func TestMoveBetweenAllStrides(t *testing.T) {
	for _, elem := range []int{1, 4, 8} {
		for _, sizes := range [][3]int{{1, 1, 1}, {2, 3, 5}, {4, 40, 3}, {3, 1, 70}, {1, 100, 2}} {
			for _, src := range [][3]int{{0, 0, 0}, {300, 3, 1}, {0, 0, 1}, {1, 0, 2}, {7, 500, 3}} {
				t.Run(fmt.Sprint(elem, sizes, src), func(t *testing.T) { checkMove(t, elem, sizes, src) })
			}
		}
	}
}

// checkMove gathers from a place with the given strides and scatters back.
func checkMove(t *testing.T, elem int, sizes, src [3]int) {
	const room = 60_000
	from, back := alignedBytes(room*elem), alignedBytes(room*elem)
	for i := range from {
		from[i] = byte(i*7 + i>>8)
	}
	n := sizes[0] * sizes[1] * sizes[2]
	dense := [3]int{sizes[1] * sizes[2], sizes[2], 1}
	to := newVector(dtype.Uint8, n*elem)
	var gather, scatter move
	for k := range sizes {
		gather.add(sizes[k], dense[k], src[k])
		scatter.add(sizes[k], src[k], dense[k])
	}
	gather.run(elem, to.p(), NewBuffer(from).base())
	scatter.run(elem, NewBuffer(back).base(), to.p())
	require.True(t, to.intact())
	for i := range n {
		at := (i/dense[0]*src[0] + i/dense[1]%sizes[1]*src[1] + i%sizes[2]*src[2]) * elem
		for b := range elem {
			require.Equal(t, uint64(from[at+b]), to.get(i*elem+b), "element %d", i)
		}
		require.Equal(t, from[at:at+elem], back[at:at+elem], "element %d back", i)
	}
}
