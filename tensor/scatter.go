package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// Merge says what a scatter makes of the element that is there and the one
// that comes.
type Merge = device.Merge

// The merges. On bools MergeAdd is or and MergeMul is and; NaN wins MergeMin
// and MergeMax, and integers wrap. Elements that meet in one place are merged
// in the order of the index, so the result is the same on every run; of
// several that replace, the last stays.
const (
	MergeReplace = device.MergeReplace
	MergeAdd     = device.MergeAdd
	MergeMul     = device.MergeMul
	MergeMin     = device.MergeMin
	MergeMax     = device.MergeMax
)

// ScatterElements returns a copy of t with updates merged in, the inverse of
// GatherElements: r[index[i][j]][j] = updates[i][j] for axis 0. The index has
// the rank of t and no other axis longer than t's; updates broadcast to its
// shape and are converted to the dtype of t, which must not be of a lesser
// kind. Without a merge they replace. Indices follow the rule of Gather; on a
// device that reports an index late its update is left out. It is PyTorch's
// scatter and scatter_reduce.
func (t *Tensor) ScatterElements(axis int, index, updates *Tensor, merge ...Merge) *Tensor {
	return t.scatterElements("scatterelements", axis, index, updates, merge)
}

// ScatterAdd is ScatterElements with MergeAdd: the adjoint of GatherElements.
// Elements of several indices in one place add up in the order of the index;
// halves in float32, rounded once.
func (t *Tensor) ScatterAdd(axis int, index, updates *Tensor) *Tensor {
	return t.scatterElements("scatteradd", axis, index, updates, []Merge{MergeAdd})
}

func (t *Tensor) scatterElements(op string, axis int, index, updates *Tensor, merge []Merge) *Tensor {
	return performOne(op, func(w *work) error {
		table, index, how, err := w.scatterOperands(merge)
		if err != nil {
			return err
		}
		a, err := table.layout.Axis(axis)
		if err != nil {
			return err
		}
		if err := checkBeside(table.layout, index.layout, a); err != nil {
			return err
		}
		return w.scatter(table, index, index.layout.Shape(), how, func(x *device.Indexed, l *broadcast.Layout) {
			x.Table.Strides, x.Index.Strides = strides(l, 0, l.Rank()), strides(index.layout, 0, l.Rank())
			x.Table.Strides[a] = 0
			x.IndexRank = l.Rank()
			along(x, l, a)
		})
	}, t, index, updates)
}

// IndexAdd returns a copy of t to whose slices along an axis those of updates
// are added: slice index[i] takes in slice i, in that order. index has one
// axis; updates broadcast to the shape of t with that axis as long as index.
// It is the adjoint of IndexSelect, PyTorch's index_add.
func (t *Tensor) IndexAdd(axis int, index, updates *Tensor) *Tensor {
	return performOne("indexadd", func(w *work) error {
		table, index, how, err := w.scatterOperands([]Merge{MergeAdd})
		if err != nil {
			return err
		}
		a, err := table.layout.Axis(axis)
		if err != nil {
			return err
		}
		if index.layout.Rank() != 1 {
			return &broadcast.ShapeError{Shapes: []Shape{index.layout.Shape()},
				Msg:  "the index " + index.layout.Shape().String() + " has " + itoa(index.layout.Rank()) + " axes, not one",
				Hint: "ScatterND adds at indices of any shape"}
		}
		shape := table.layout.Shape()
		shape[a] = index.layout.Dim(0)
		return w.scatter(table, index, shape, how, func(x *device.Indexed, l *broadcast.Layout) {
			x.Table.Strides, x.Index.Strides = strides(l, 0, l.Rank()), make([]int, l.Rank())
			x.Table.Strides[a], x.Index.Strides[a] = 0, index.layout.Stride(0)
			x.IndexAxis, x.IndexRank = a, 1
			along(x, l, a)
		})
	}, t, index, updates)
}

// ScatterND returns a copy of t with updates merged in at tuples of indices,
// as GatherND reads them; updates broadcast to the shape that GatherND would
// return and are converted to the dtype of t. Without a merge they replace.
func (t *Tensor) ScatterND(index, updates *Tensor, merge ...Merge) *Tensor {
	return performOne("scatternd", func(w *work) error {
		table, index, how, err := w.scatterOperands(merge)
		if err != nil {
			return err
		}
		k, shape, err := tuples(table.layout, index.layout, 0)
		if err != nil {
			return err
		}
		return w.scatter(table, index, shape, how, func(x *device.Indexed, l *broadcast.Layout) {
			y := w.atTuples(viewOf(table.store, table.dtype, *l), index, shape, k, 0)
			x.Table.Strides, x.Index.Strides = y.Table.Strides, y.Index.Strides
			x.Limits, x.Jumps, x.Axes = y.Limits, y.Jumps, y.Axes
			x.IndexRank, x.Step, x.Tuples = y.IndexRank, y.Step, y.Tuples
		})
	}, t, index, updates)
}

// scatterOperands returns the tensor to be copied, the index and the merge.
func (w *work) scatterOperands(merge []Merge) (table, index *Tensor, how Merge, err error) {
	if how, err = atMostOne(merge); err != nil {
		return nil, nil, 0, err
	}
	if how > MergeMax {
		return nil, nil, 0, errorf("no such merge; use MergeReplace, MergeAdd, MergeMul, MergeMin or MergeMax")
	}
	table, index, err = w.tableAndIndex()
	return table, index, how, err
}

// scatter makes the result: a copy of table into which the updates, operand 2
// in the given shape, are merged by the walk that describe completes for the
// layout of the copy. Halves are merged in float32 and rounded once.
func (w *work) scatter(table, index *Tensor, shape Shape, how Merge, describe func(x *device.Indexed, l *broadcast.Layout)) error {
	d := table.dtype
	if d.IsHalf() && how != MergeReplace {
		d = dtype.Float32
	}
	updates, l, err := w.updates(table.dtype, d, shape)
	if err != nil {
		return err
	}
	if err := table.layout.Shape().Check(d.Size()); err != nil {
		return err
	}
	r, err := w.temp(converted(table, d))
	if err != nil {
		return err
	}
	if shape.Size() > 0 {
		x := w.indexed(r, index, shape)
		describe(x, r.layout)
		x.Values = updates.strided(strides(&l, 0, l.Rank()))
		dev, ok := w.dev.(device.Gatherer)
		if !ok {
			return w.lacks("scatter", "Scatter")
		}
		if err := dev.Scatter(x, how); err != nil {
			return err
		}
	}
	return w.deliver(r, table.dtype)
}

// deliver makes r, the last of the temporaries, the next result, in dtype d.
func (w *work) deliver(r *Tensor, d dtype.DType) error {
	if r.dtype == d {
		w.temps = w.temps[:len(w.temps)-1]
		w.out = append(w.out, r)
		return nil
	}
	c := converted(r, d)
	if c.failure() != nil {
		return reason(c.failure())
	}
	w.out = append(w.out, c)
	return nil
}

// updates returns operand 2, converted to the dtype of the tensor it goes into
// and then to d, in which it is merged, and its layout over shape.
func (w *work) updates(to, d dtype.DType, shape Shape) (*Tensor, broadcast.Layout, error) {
	u := w.in[2]
	var err error
	switch {
	case u.isWeak():
		if err = checkFits(u.weak(), to); err == nil {
			u, err = w.temp(u.as(to, w.dev))
		}
	case u.dtype.Kind() > to.Kind():
		err = &dtype.Error{DTypes: []dtype.DType{u.dtype, to}, Msg: "cannot write " + u.dtype.String() + " into " + to.String(),
			Hint: "cast the updates, or scatter into a tensor of " + u.dtype.String()}
	case u.dtype != to:
		u, err = w.temp(converted(u, to))
	}
	if err == nil && u.dtype != d {
		u, err = w.temp(converted(u, d))
	}
	if err != nil {
		return nil, broadcast.Layout{}, err
	}
	l, err := u.layout.BroadcastTo(shape)
	return u, l, err
}
