package cuda

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// turned runs the task with the axes of its inputs in memory the other way
// round, so that no axes fuse.
func (k task) turned(t *testing.T, dev device.Device, content []byte) []byte {
	t.Helper()
	l, bufs, err := k.launch(t, dev, content, content)
	defer free(bufs)
	require.NoError(t, err)
	k.turn(t, l)
	require.NoError(t, dev.Run(l))
	got := make([]byte, l.Outputs[0].Buffer.Size())
	require.NoError(t, dev.Read(got, l.Outputs[0].Buffer, 0))
	return got
}

// turn gives a launch of the task the plan that turned runs.
func (k task) turn(t *testing.T, l *device.Launch) {
	t.Helper()
	space, axes, kept := k.space.Clone(), make([]int, len(k.space)), k.space.Clone()
	slices.Reverse(space)
	for i := range axes {
		axes[i] = len(axes) - 1 - i
		if k.reduced.Has(i) {
			kept[i] = 1
		}
	}
	in, out := broadcast.RowMajor(space), broadcast.RowMajor(kept)
	in, err := in.Permute(axes...)
	require.NoError(t, err)
	layouts := []*broadcast.Layout{&in, &in, &out}
	l.Plan = new(broadcast.Plan)
	l.Plan.Build(k.space, k.reduced, 0, 1, layouts[2-len(l.Inputs):]...)
}

// TestFewGroups runs with two groups along y and z at most, so that launches
// are shared by many steps, as is needed beyond 65,535 groups.
func TestFewGroups(t *testing.T) {
	d := needDevice(t)
	defer func(l kernels.Limits) { d.limits, d.form = l, bestForm }(d.limits)
	d.limits.Groups = 2
	for _, k := range []task{
		{kernels.Add, dtype.Float32, broadcast.Shape{70, 3}, 0},
		{kernels.Add, dtype.Float32, broadcast.Shape{37, 5, 3}, 0},
		{kernels.Add, dtype.Float32, broadcast.Shape{3, 37, 2, 130}, 0},
		{kernels.Sum, dtype.Float32, broadcast.Shape{19, 3300}, 0b10},
		{kernels.Sum, dtype.Float32, broadcast.Shape{3300, 70}, 0b01},
	} {
		content := random(k.elem, k.space.Size())
		want := k.turned(t, cpu.Default(), content)
		for f := range []form{bestForm, rowsForm, blockForm, leadForm} {
			if d.form = form(f); k.reduced == 0 && d.form != bestForm {
				continue
			}
			assert.Equal(t, want, k.turned(t, d, content), "%v of %v over %b in form %d", k.op, k.space, k.reduced, f)
		}
	}
}

// On a device with a limit no launch has more groups than it along y and z,
// and together they are as many work-items as without.
func TestLaunchesShareTheGrid(t *testing.T) {
	f := newFake()
	d := f.open(t)
	for _, k := range []task{
		{kernels.Add, dtype.Float32, broadcast.Shape{1 << 16}, 0},
		{kernels.Add, dtype.Float32, broadcast.Shape{700, 3}, 0},
		{kernels.Sum, dtype.Float32, broadcast.Shape{50, 3300}, 0b10},
	} {
		items := map[int]int{}
		for _, groups := range []int{kernels.DeviceLimits.Groups, 3} {
			d.limits.Groups = groups
			f.launches = nil
			l, bufs, err := k.launch(t, d)
			require.NoError(t, err)
			k.turn(t, l)
			require.NoError(t, d.Run(l))
			free(bufs)
			for _, at := range f.launches {
				assert.LessOrEqual(t, at.grid[1], groups)
				assert.LessOrEqual(t, at.grid[2], groups)
				items[groups] += at.grid[0] * at.grid[1] * at.grid[2] * at.block[0] * at.block[1] * at.block[2]
			}
		}
		assert.Equal(t, items[kernels.DeviceLimits.Groups], items[3], "%v of %v", k.op, k.space)
	}
	require.NoError(t, d.Close())
}
