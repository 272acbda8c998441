package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// Operations that read elements at indices. All follow one rule: an index
// counts from the end when negative; one out of range is an error
// (device.ErrIndex) that names it, its place and the valid range. On the CPU
// the operation itself fails of it; a device that works asynchronously yields
// 0 there and reports it once, with the next read or Sync.
//
//	here            NumPy             PyTorch        ONNX
//	IndexSelect     take              index_select   Gather
//	Gather          take              (indexing)     Gather
//	GatherElements                    gather         GatherElements
//	TakeAlongAxis   take_along_axis   take_along_dim
//	GatherND        (indexing)        (indexing)     GatherND

// IndexSelect returns the slices of t along an axis that index lists, a
// tensor of integers with one axis: of (4, 5, 6) along axis 1 at n indices,
// (4, n, 6).
func (t *Tensor) IndexSelect(axis int, index *Tensor) *Tensor {
	return performOne("indexselect", func(w *work) error {
		if n := w.in[1].layout.Rank(); n != 1 {
			return &broadcast.ShapeError{Shapes: []Shape{w.in[1].layout.Shape()},
				Msg:  "the index " + w.in[1].layout.Shape().String() + " has " + itoa(n) + " axes, not one",
				Hint: "Gather takes indices of any shape, Index a single one"}
		}
		return w.gather(axis)
	}, t, index)
}

// Gather returns the slices of t along an axis at indices of any shape, whose
// axes stand in place of that axis: of (4, 5, 6) along axis 1 at (2, 3)
// indices, (4, 2, 3, 6). It is NumPy's take and ONNX's Gather; PyTorch's
// gather is GatherElements.
func (t *Tensor) Gather(axis int, index *Tensor) *Tensor {
	return performOne("gather", func(w *work) error { return w.gather(axis) }, t, index)
}

func (w *work) gather(axis int) error {
	t, index, err := w.tableAndIndex()
	if err != nil {
		return err
	}
	if axis, err = t.layout.Axis(axis); err != nil {
		return err
	}
	l, il := t.layout, index.layout
	rank, more := l.Rank(), il.Rank()
	shape := l.Shape()
	shape = append(append(shape[:axis:axis], il.Shape()...), shape[axis+1:]...)
	if err := shape.Check(t.dtype.Size()); err != nil {
		return err
	}
	x := w.indexed(t, index, shape)
	x.Table.Strides = append(append(strides(l, 0, axis), make([]int, more)...), strides(l, axis+1, rank)...)
	x.Index.Strides = append(append(make([]int, axis), strides(il, 0, more)...), make([]int, rank-axis-1)...)
	x.IndexAxis, x.IndexRank = axis, more
	along(x, l, axis)
	return w.runGather(t, x)
}

// GatherElements returns, for each index, the element of t that has its place
// but for that axis, where the index says which: out[i][j] = t[index[i][j]][j]
// for axis 0. The index has the rank of t and no other axis longer than t's;
// the result has the shape of the index. It is PyTorch's gather.
func (t *Tensor) GatherElements(axis int, index *Tensor) *Tensor {
	return performOne("gatherelements", func(w *work) error {
		t, index, err := w.tableAndIndex()
		if err != nil {
			return err
		}
		a, err := t.layout.Axis(axis)
		if err != nil {
			return err
		}
		if err := checkBeside(t.layout, index.layout, a); err != nil {
			return err
		}
		return w.gatherElements(t, index, a, index.layout.Shape(), *t.layout, *index.layout)
	}, t, index)
}

// TakeAlongAxis is GatherElements in which t and index broadcast against each
// other on the other axes, as NumPy's take_along_axis: with what ArgSort
// returns it sorts, also other tensors in that order.
func (t *Tensor) TakeAlongAxis(axis int, index *Tensor) *Tensor {
	return performOne("takealongaxis", func(w *work) error {
		t, index, err := w.tableAndIndex()
		if err != nil {
			return err
		}
		a, err := t.layout.Axis(axis)
		if err != nil {
			return err
		}
		if err := checkRanks(t.layout, index.layout); err != nil {
			return err
		}
		from, to := t.layout.Shape(), index.layout.Shape()
		n, m := from[a], to[a]
		from[a], to[a] = 1, 1
		shape, err := broadcast.Shapes(from, to)
		if err != nil {
			return err
		}
		shape[a] = n
		l, err := t.layout.BroadcastTo(shape)
		if err != nil {
			return err
		}
		shape[a] = m
		il, err := index.layout.BroadcastTo(shape)
		if err != nil {
			return err
		}
		return w.gatherElements(t, index, a, shape, l, il)
	}, t, index)
}

// gatherElements gathers from t under the layout l at indices under il.
func (w *work) gatherElements(t, index *Tensor, axis int, shape Shape, l, il broadcast.Layout) error {
	if err := shape.Check(t.dtype.Size()); err != nil {
		return err
	}
	x := w.indexed(t, index, shape)
	x.Table.Strides, x.Index.Strides = strides(&l, 0, l.Rank()), strides(&il, 0, il.Rank())
	x.Table.Strides[axis] = 0
	x.IndexRank = len(shape)
	along(x, &l, axis)
	return w.runGather(t, x)
}

// GatherOpts are the options of GatherND.
type GatherOpts struct {
	Batch int // how many leading axes of t and of the index are walked together
}

// GatherND returns the slices of t at tuples of indices, which stand along the
// last axis of index: tuples of k name the first k axes of t, and the result
// has the other axes of index, then those of t after the k-th. Of (4, 5, 6)
// at (3, 2), which is 3 tuples of 2, (3, 6).
func (t *Tensor) GatherND(index *Tensor, opts ...GatherOpts) *Tensor {
	return performOne("gathernd", func(w *work) error {
		o, err := atMostOne(opts)
		if err != nil {
			return err
		}
		t, index, err := w.tableAndIndex()
		if err != nil {
			return err
		}
		return w.gatherND(t, index, o.Batch)
	}, t, index)
}

func (w *work) gatherND(t, index *Tensor, batch int) error {
	k, shape, err := tuples(t.layout, index.layout, batch)
	if err != nil {
		return err
	}
	if err := shape.Check(t.dtype.Size()); err != nil {
		return err
	}
	return w.runGather(t, w.atTuples(t, index, shape, k, batch))
}

// tuples checks an index of tuples and returns their length and the shape of
// the slices they name.
func tuples(l, il *broadcast.Layout, batch int) (k int, shape Shape, err error) {
	fail := func(msg, hint string) (int, Shape, error) {
		return 0, nil, &broadcast.ShapeError{Shapes: []Shape{l.Shape(), il.Shape()}, Msg: msg, Hint: hint}
	}
	last := il.Rank() - 1
	switch {
	case last < 0:
		return fail("an index of shape () has no axis for tuples", "its last axis holds the indices of one place")
	case batch < 0 || batch > last || batch > l.Rank():
		return fail(itoa(batch)+" batch axes of "+l.Shape().String()+" at indices "+il.Shape().String(),
			"both need as many, and the index the axis of tuples after them")
	}
	for a := range batch {
		if l.Dim(a) != il.Dim(a) {
			return fail("batch axis "+itoa(a)+" is "+itoa(l.Dim(a))+" and "+itoa(il.Dim(a)), "batch axes do not broadcast")
		}
	}
	if k = il.Dim(last); batch+k > l.Rank() {
		return fail("tuples of "+itoa(k)+" indices for "+itoa(l.Rank()-batch)+" axes of "+l.Shape().String(),
			"the last axis of the index has one entry for each axis it names")
	}
	shape = append(il.Shape()[:last:last], l.Shape()[batch+k:]...)
	return k, shape, nil
}

// atTuples describes the walk over the slices of table that tuples of k name.
func (w *work) atTuples(table, index *Tensor, shape Shape, k, batch int) *device.Indexed {
	l, il := table.layout, index.layout
	last := il.Rank() - 1
	x := w.indexed(table, index, shape)
	x.Table.Strides = append(append(strides(l, 0, batch), make([]int, last-batch)...), strides(l, batch+k, l.Rank())...)
	x.Index.Strides = append(strides(il, 0, last), make([]int, l.Rank()-batch-k)...)
	x.IndexRank, x.Step, x.Tuples = last, il.Stride(last), true
	for a := batch; a < batch+k; a++ {
		along(x, l, a)
	}
	return x
}

// tableAndIndex returns the first two operands, the second as indices.
func (w *work) tableAndIndex() (t, index *Tensor, err error) {
	if t, err = w.operand(0); err != nil {
		return nil, nil, err
	}
	index, err = w.indices(1)
	return t, index, err
}

// indices returns operand i as int32 or int64.
func (w *work) indices(i int) (*Tensor, error) {
	t := w.in[i]
	d := t.dtype
	if t.isWeak() {
		d = weakDType(t.weak())
	}
	hint := "convert them with Cast(dtype.Int64)"
	switch {
	case d == dtype.Bool:
		hint = "MaskedSelect selects by a mask, NonZero makes indices of one"
	case d.IsFloat() || d == dtype.Uint64:
	case t.isWeak():
		return w.temp(t.as(dtype.Int64, w.dev))
	case d == dtype.Int32 || d == dtype.Int64:
		return t, nil
	default:
		return w.temp(converted(t, dtype.Int64))
	}
	return nil, &dtype.Error{DTypes: []dtype.DType{d}, Msg: "indices are signed integers, not " + d.String(), Hint: hint}
}

// checkRanks refuses an index that has not one axis for each of t.
func checkRanks(l, il *broadcast.Layout) error {
	if l.Rank() == il.Rank() {
		return nil
	}
	return &broadcast.ShapeError{Shapes: []Shape{l.Shape(), il.Shape()},
		Msg:  "the index " + il.Shape().String() + " has " + itoa(il.Rank()) + " axes, the tensor " + l.Shape().String() + " has " + itoa(l.Rank()),
		Hint: "both need as many; Gather and IndexSelect take whole slices"}
}

// checkBeside refuses an index that names places t does not have on other axes
// than the indexed one.
func checkBeside(l, il *broadcast.Layout, axis int) error {
	if err := checkRanks(l, il); err != nil {
		return err
	}
	for a := range l.Rank() {
		if a != axis && il.Dim(a) > l.Dim(a) {
			return &broadcast.ShapeError{Axis: a - l.Rank(), Shapes: []Shape{l.Shape(), il.Shape()},
				Msg: "the index " + il.Shape().String() + " is longer than " + l.Shape().String() + " on axis " + itoa(a) + ": " +
					itoa(il.Dim(a)) + " and " + itoa(l.Dim(a)),
				Hint: "only axis " + itoa(axis) + ", which it indexes, may be longer"}
		}
	}
	return nil
}

// indexed begins the description of a walk over shape.
func (w *work) indexed(table, index *Tensor, shape Shape) *device.Indexed {
	return &device.Indexed{DType: table.dtype, IndexDType: index.dtype, Sizes: shape,
		Table: table.strided(nil), Index: index.strided(nil), Label: w.op, At: w.where()}
}

// along adds the axis of a table that the next index of each point moves along.
func along(x *device.Indexed, l *broadcast.Layout, axis int) {
	x.Limits, x.Jumps, x.Axes = append(x.Limits, l.Dim(axis)), append(x.Jumps, l.Stride(axis)), append(x.Axes, axis)
}

// runGather makes the result of a walk, whose shape passed Check.
func (w *work) runGather(t *Tensor, x *device.Indexed) error {
	out, err := w.fresh(t.dtype, x.Sizes)
	if err != nil || out.layout.Size() == 0 {
		return err
	}
	dev, ok := w.dev.(device.Gatherer)
	if !ok {
		return w.lacks("gather", "Gather")
	}
	x.Values = out.strided(strides(out.layout, 0, out.layout.Rank()))
	return dev.Gather(x)
}
