package cpu

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// walk is an Indexed made ready. All distances are in bytes.
type walk struct {
	x                    *device.Indexed
	values, table, index spot

	outer []walkAxis // axes whose points may be done in any order
	tied  []walkAxis // axes to be walked in row-major order within
	lane  walkAxis   // the innermost axis, chunk points at a time
	chunk int        // points of the lane in one unit
	lanes walkLane

	limits, jumps []int // of the indices of a point
	step          int   // between the indices of a point
	bad           atomic.Bool
}

// walkAxis is an axis of the space and how far a step along it is.
type walkAxis struct{ size, values, table, index int }

// walkLane works on n points along the lane, from these offsets on.
type walkLane func(w *walk, n, values, table, index int)

// laneChunk is how many points of a lane make a unit of work.
const laneChunk = 4096

// newWalk acquires the operands of x and checks that it stays inside them.
func newWalk(call string, x *device.Indexed) (*walk, error) {
	w := &walk{x: x, limits: x.Limits}
	elem, wide := x.DType.Size(), x.IndexDType.Size()
	if x.IndexDType != dtype.Int32 && x.IndexDType != dtype.Int64 || elem == 0 {
		return nil, refusal(call, fmt.Errorf("%w: %v at indices of %v", device.ErrUnsupported, x.DType, x.IndexDType))
	}
	if len(x.Jumps) != len(x.Limits) || len(x.Axes) != len(x.Limits) {
		return nil, refusal(call, fmt.Errorf("%d limits, %d jumps and %d axes", len(x.Limits), len(x.Jumps), len(x.Axes)))
	}
	var err error
	if w.values, err = takeSpot(call, x.Values.Operand, elem, x.Sizes, x.Values.Strides); err != nil {
		return nil, err
	}
	if w.table, err = takeSpot(call, x.Table.Operand, elem, slices.Concat(x.Sizes, x.Limits), slices.Concat(x.Table.Strides, x.Jumps)); err == nil {
		w.index, err = takeSpot(call, x.Index.Operand, wide, append(slices.Clone(x.Sizes), len(x.Limits)), append(slices.Clone(x.Index.Strides), x.Step))
	}
	if err != nil {
		w.done()
		return nil, err
	}
	for _, jump := range x.Jumps {
		w.jumps = append(w.jumps, jump*elem)
	}
	w.step = x.Step * wide
	return w, nil
}

// done releases the operands.
func (w *walk) done() {
	release(w.values, w.table, w.index)
	runtime.KeepAlive(w.x)
}

// run visits every point. With ordered set, points that may have the same
// place are visited in row-major order: those that differ only along axes
// along which the table does not move.
func (w *walk) run(lanes walkLane, ordered bool) error {
	if slices.Contains(w.x.Sizes, 0) {
		return nil
	}
	w.lanes = lanes
	inner := w.arrange(ordered)
	units := 1
	for _, a := range w.outer {
		units *= a.size
	}
	cost := 2 * addition * int64(inner) * int64(w.chunk) * int64(len(w.jumps)+1)
	share(workersFor(units, cost), units, cost, func(_, lo, hi int) { w.units(lo, hi) })
	if w.bad.Load() {
		return w.firstBad()
	}
	return nil
}

// arrange parts the axes into outer, tied and the lane, and returns how many
// points there are along the tied ones.
func (w *walk) arrange(ordered bool) (tied int) {
	axes := w.fused()
	w.lane = axes[len(axes)-1]
	tied = 1
	for _, a := range axes[:len(axes)-1] {
		if ordered && a.table == 0 {
			w.tied = append(w.tied, a)
			tied *= a.size
		} else {
			w.outer = append(w.outer, a)
		}
	}
	w.chunk = w.lane.size
	if l := w.lane; !(ordered && l.table == 0) && l.size > laneChunk {
		w.chunk = laneChunk
		w.outer = append(w.outer, walkAxis{(l.size + laneChunk - 1) / laneChunk, l.values * laneChunk, l.table * laneChunk, l.index * laneChunk})
	}
	return tied
}

// fused returns the axes of the space without those of size 1, neighbours
// that continue each other in every operand as one; at least one axis.
func (w *walk) fused() []walkAxis {
	x := w.x
	elem, wide := x.DType.Size(), x.IndexDType.Size()
	var axes []walkAxis
	for k, n := range x.Sizes {
		if n == 1 {
			continue
		}
		a := walkAxis{n, x.Values.Strides[k] * elem, x.Table.Strides[k] * elem, x.Index.Strides[k] * wide}
		if len(axes) > 0 {
			if out := &axes[len(axes)-1]; out.values == a.values*n && out.table == a.table*n && out.index == a.index*n {
				*out = walkAxis{out.size * n, a.values, a.table, a.index}
				continue
			}
		}
		axes = append(axes, a)
	}
	if len(axes) == 0 {
		axes = append(axes, walkAxis{size: 1})
	}
	return axes
}

// units does the units lo..hi-1 of the outer axes.
func (w *walk) units(lo, hi int) {
	chunked := w.chunk < w.lane.size
	var c walkCounter
	c.seek(w.outer, lo)
	for u := lo; u < hi; u++ {
		n := w.chunk
		if chunked {
			n = min(n, w.lane.size-c.at[len(w.outer)-1]*laneChunk)
		}
		w.unit(n, c)
		c.next(w.outer)
	}
}

// unit walks the tied axes at one point of the outer ones.
func (w *walk) unit(n int, from walkCounter) {
	if len(w.tied) == 0 {
		w.lanes(w, n, from.values, from.table, from.index)
		return
	}
	c := walkCounter{values: from.values, table: from.table, index: from.index}
	for {
		w.lanes(w, n, c.values, c.table, c.index)
		if !c.next(w.tied) {
			return
		}
	}
}

// walkCounter counts through axes, the last one fastest, and keeps the
// offsets of the point it is at.
type walkCounter struct {
	at                   [maxAxes]int
	values, table, index int
}

// seek moves to point number i, from the start.
func (c *walkCounter) seek(axes []walkAxis, i int) {
	for k := len(axes) - 1; k >= 0; k-- {
		a := &axes[k]
		c.at[k] = i % a.size
		i /= a.size
		c.values, c.table, c.index = c.values+c.at[k]*a.values, c.table+c.at[k]*a.table, c.index+c.at[k]*a.index
	}
}

// next moves to the next point; after the last one to the first, and false.
func (c *walkCounter) next(axes []walkAxis) bool {
	for k := len(axes) - 1; k >= 0; k-- {
		a, n := &axes[k], 1
		c.at[k]++
		more := c.at[k] < a.size
		if !more {
			c.at[k], n = 0, 1-a.size
		}
		c.values, c.table, c.index = c.values+n*a.values, c.table+n*a.table, c.index+n*a.index
		if more {
			return true
		}
	}
	return false
}
