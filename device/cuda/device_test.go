package cuda

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Zero bytes and zero elements never reach the driver.
func TestNothingReachesTheDriver(t *testing.T) {
	f := newFake()
	d := f.open(t)
	before := len(f.calls)
	b, err := d.Alloc(0)
	require.NoError(t, err)
	require.NoError(t, d.Write(b, 0, nil))
	require.NoError(t, d.Copy(b, 0, b, 0, 0))
	l, bufs, err := task{kernels.Add, dtype.Float32, broadcast.Shape{3, 0}, 0}.launch(t, d)
	require.NoError(t, err)
	require.NoError(t, d.Run(l))
	assert.Equal(t, before, len(f.calls), "%v", f.calls[before:])
	free(append(bufs, b))
	require.NoError(t, d.Close())
	require.NoError(t, d.Close(), "twice")
	assert.Empty(t, f.leaked())
	_, err = d.Alloc(1)
	assert.ErrorIs(t, err, device.ErrClosed)
	assert.ErrorIs(t, d.Sync(), device.ErrClosed)
}

// Trim gives the driver back what waits for reuse, and only that.
func TestTrim(t *testing.T) {
	f := newFake()
	d := f.open(t)
	kept, err := d.Alloc(1000)
	require.NoError(t, err)
	b, err := d.Alloc(5000)
	require.NoError(t, err)
	b.Free()
	pooled := d.PoolStats().Pooled
	require.GreaterOrEqual(t, pooled, int64(5000))
	assert.Equal(t, pooled, device.Trim(d))
	assert.Zero(t, d.PoolStats().Pooled)
	assert.Len(t, f.bytes, 1, "the driver has the memory back")
	assert.Zero(t, device.Trim(d), "nothing waits")
	require.NoError(t, d.Write(kept, 0, make([]byte, 1000)), "what is lent out stays")
	kept.Free()
	require.NoError(t, d.Close())
	assert.Zero(t, device.Trim(d), "closed")
	assert.Empty(t, f.leaked())
}

func TestPrintsAsItsName(t *testing.T) {
	d := newFake().open(t)
	for _, format := range []string{"%v", "%+v", "%s"} {
		assert.Equal(t, d.Info().Name, fmt.Sprintf(format, d))
	}
	require.NoError(t, d.Close())
}

// A kernel that its registers allow fewer threads is launched in smaller blocks.
func TestKernelsLimits(t *testing.T) {
	about := goodDevice()
	about[attrMaxThreads] = 64
	f := newFake(about)
	d := f.open(t)
	l, bufs, err := task{kernels.Add, dtype.Float32, broadcast.Shape{100}, 0}.launch(t, d)
	require.NoError(t, err)
	require.NoError(t, d.Run(l))
	free(bufs)
	require.Len(t, f.launches, 1)
	assert.Equal(t, fakeLaunch{[3]int{2, 1, 1}, [3]int{64, 1, 1}}, f.launches[0])
}

func TestFit(t *testing.T) {
	flat := kernels.Step{Group: [3]int{256, 1, 1}}
	grid := kernels.Step{Group: [3]int{4, 8, 8}}
	block := kernels.Step{Group: [3]int{32, 4, 1}, Form: kernels.Form{Kind: kernels.BlockForm}}
	roomy := [3]int{256, 256, 256}
	tests := []struct {
		name  string
		step  kernels.Step
		most  int
		sides [3]int
		want  [3]int
	}{
		{"fits", flat, 256, roomy, [3]int{256, 1, 1}},
		{"flat halves", flat, 100, roomy, [3]int{64, 1, 1}},
		{"grid gives up x first", grid, 128, roomy, [3]int{2, 8, 8}},
		{"grid gives up all of x", grid, 32, roomy, [3]int{1, 4, 8}},
		{"grid to one", grid, 1, roomy, [3]int{1, 1, 1}},
		{"lanes stay together", block, 64, roomy, [3]int{32, 2, 1}},
		{"a side along x", flat, 256, [3]int{64, 64, 64}, [3]int{64, 1, 1}},
		{"a short side along z", grid, 256, [3]int{256, 256, 4}, [3]int{4, 8, 4}},
		{"sides along x only", grid, 256, [3]int{256, 1, 1}, [3]int{4, 1, 1}},
		{"no sides", grid, 256, [3]int{}, [3]int{1, 1, 1}},
		{"a side and the sum", grid, 16, [3]int{256, 4, 256}, [3]int{1, 2, 8}},
		{"blocks along x only", block, 256, [3]int{32, 1, 1}, [3]int{32, 1, 1}},
	}
	for _, test := range tests {
		got, err := fit(test.step, test.most, test.sides)
		require.NoError(t, err, test.name)
		assert.Equal(t, test.want, got, test.name)
	}
	_, err := fit(block, 16, roomy)
	assert.ErrorIs(t, err, device.ErrUnsupported)
	_, err = fit(block, 256, [3]int{16, 256, 256})
	assert.ErrorIs(t, err, device.ErrUnsupported)
	assert.Contains(t, err.Error(), "sides of [16 256 256]")
}

// No group that is enqueued has a longer side than the device allows.
func TestGroupsRespectTheSidesOfADevice(t *testing.T) {
	about := goodDevice()
	about[attrMaxBlockX], about[attrMaxBlockX+1], about[attrMaxBlockX+2] = 32, 2, 1
	f := newFake(about)
	d := f.open(t)
	assert.Equal(t, [3]int{32, 2, 1}, d.props.maxSides)
	for _, k := range []task{
		{kernels.Add, dtype.Float32, broadcast.Shape{3000}, 0},
		{kernels.Add, dtype.Float32, broadcast.Shape{5, 20, 3}, 0},
		{kernels.Sum, dtype.Float32, broadcast.Shape{3, 3000}, 0b10},
		{kernels.Sum, dtype.Float32, broadcast.Shape{1500, 100}, 0b01},
	} {
		l, bufs, err := k.launch(t, d)
		require.NoError(t, err)
		require.NoError(t, d.Run(l))
		free(bufs)
	}
	require.NotEmpty(t, f.launches)
	for _, at := range f.launches {
		assert.True(t, at.block[0] <= 32 && at.block[1] <= 2 && at.block[2] <= 1, "%v", at.block)
	}
	require.NoError(t, d.Close())
}

func TestEvictedKernelsAreReleased(t *testing.T) {
	f := newFake()
	d := f.open(t)
	d.programs = newPrograms(d)
	d.programs.builds = newBuilds(2)
	for _, op := range []kernels.Op{kernels.Add, kernels.Sub, kernels.Mul, kernels.Add} {
		l, bufs, err := task{op, dtype.Float32, broadcast.Shape{4}, 0}.launch(t, d)
		require.NoError(t, err)
		require.NoError(t, d.Run(l))
		free(bufs)
	}
	assert.Equal(t, 4, f.count("cuModuleLoadDataEx"), "add was dropped and built again")
	assert.Equal(t, 2, f.count("cuModuleUnload"))
	require.NoError(t, d.Close())
	assert.Empty(t, f.leaked())
}

// What a long reduction needs is compiled at once, and only then.
func TestLongReductionIsOneBuild(t *testing.T) {
	f := newFake()
	d := f.open(t)
	for _, want := range []struct{ elements, builds, kernels, launches int }{{1024, 1, 1, 1}, {3000, 2, 4, 3}, {4000, 2, 4, 5}} {
		l, bufs, err := task{kernels.Sum, dtype.Float32, broadcast.Shape{want.elements}, 1}.launch(t, d)
		require.NoError(t, err)
		require.NoError(t, d.Run(l))
		free(bufs)
		assert.Equal(t, want.builds, f.count("cuModuleLoadDataEx"), "builds after %d elements", want.elements)
		assert.Equal(t, want.kernels, f.count("cuModuleGetFunction"), "kernels after %d elements", want.elements)
		assert.Equal(t, want.launches, f.count("cuLaunchKernel"), "launches after %d elements", want.elements)
	}
	require.NoError(t, d.Close())
	assert.Empty(t, f.leaked())
}

// Nothing outside a buffer is ever asked of the driver.
func TestOutsideABuffer(t *testing.T) {
	f := newFake()
	d := f.open(t)
	b, err := d.Alloc(100)
	require.NoError(t, err)
	l, bufs, err := task{kernels.Neg, dtype.Float32, broadcast.Shape{25}, 0}.launch(t, d)
	require.NoError(t, err)
	defer free(append(bufs, b))
	before := len(f.calls)
	raw := make([]byte, 8)
	for _, off := range []int64{-1, 93, 1 << 62} {
		assert.ErrorContains(t, d.Write(b, off, raw), "outside the buffer of 100 bytes")
		assert.ErrorContains(t, d.Read(raw, b, off), "outside the buffer of 100 bytes")
		assert.ErrorContains(t, d.Copy(b, off, b, 0, 8), "outside the buffer of 100 bytes")
		assert.ErrorContains(t, d.Copy(b, 0, b, off, 8), "outside the buffer of 100 bytes")
	}
	l.Inputs[0].Offset = 4
	assert.ErrorContains(t, d.Run(l), "neg: operand 0 covers bytes 4 to 104 of a buffer of 100")
	l.Inputs[0].Offset = 2
	assert.ErrorContains(t, d.Run(l), "operand 0 starts at byte 2, which is no multiple of 4")
	l.Inputs[0].Offset, l.Scalars = 0, []uint64{1}
	assert.ErrorContains(t, d.Run(l), "1 scalars, the program has 0")
	assert.Equal(t, before, len(f.calls))
}
