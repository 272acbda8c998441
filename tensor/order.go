package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// CumOpts are the options of CumSum and its like.
type CumOpts struct {
	Exclusive bool // an element does not count itself: the first is the identity
	Reverse   bool // from the end of the axis to its start
}

// CumSum returns the sums of the elements of t along an axis up to and with
// each; integers and bools sum to 64 bits, as in Sum. Floats meet an error
// bound instead of promising bits across devices: n roundings of 2^-53 times
// the sum of magnitudes on the CPU, and one to the dtype of t. There the bits
// depend on the elements only.
func (t *Tensor) CumSum(axis int, opts ...CumOpts) *Tensor {
	return t.scan("cumsum", device.ScanSum, axis, opts)
}

// CumProd is CumSum for products.
func (t *Tensor) CumProd(axis int, opts ...CumOpts) *Tensor {
	return t.scan("cumprod", device.ScanProd, axis, opts)
}

// CumMax returns the greatest element of t along an axis up to and with each.
// As in Max NaN wins, so it stays from the first on, and -0 is less than +0.
// Exclusive begins with the least value of the dtype, -Inf for floats.
func (t *Tensor) CumMax(axis int, opts ...CumOpts) *Tensor {
	return t.scan("cummax", device.ScanMax, axis, opts)
}

// CumMin is CumMax for the least element.
func (t *Tensor) CumMin(axis int, opts ...CumOpts) *Tensor {
	return t.scan("cummin", device.ScanMin, axis, opts)
}

func (t *Tensor) scan(op string, what device.ScanOp, axis int, opts []CumOpts) *Tensor {
	return performOne(op, func(w *work) error {
		o, err := atMostOne(opts)
		if err != nil {
			return err
		}
		return w.scan(what, axis, o)
	}, t)
}

// scan makes the running what of operand 0.
func (w *work) scan(what device.ScanOp, axis int, o CumOpts) error {
	t, err := w.operand(0)
	if err != nil {
		return err
	}
	if axis, err = t.layout.Axis(axis); err != nil {
		return err
	}
	result, in, err := scanTypes(what, t.dtype)
	if err != nil {
		return err
	}
	if err := t.layout.Shape().Check(in.Size()); err != nil {
		return err
	}
	from := t
	var r *Tensor
	if t.dtype != in {
		r, err = w.temp(converted(t, in))
		from = r
	} else if r, err = w.room(in, t.layout.Shape()); err == nil {
		w.temps = append(w.temps, r)
	}
	if err != nil {
		return err
	}
	if r.layout.Size() > 0 {
		if err := w.runScan(what, axis, o, from, r); err != nil {
			return err
		}
	}
	return w.deliver(r, result)
}

// scanTypes returns the dtype of a scan's result and the one it computes in.
func scanTypes(what device.ScanOp, d dtype.DType) (result, in dtype.DType, err error) {
	result = d
	if what == device.ScanSum || what == device.ScanProd {
		sig, err := kernels.Resolve(kernels.Sum, kernels.Attr{}, []kernels.Arg{{DType: d}})
		if err != nil {
			return result, in, err
		}
		result = sig.Result
	}
	if in = result; in.IsHalf() {
		in = dtype.Float32
	}
	return result, in, nil
}

// runScan fills r, which is from itself or apart from it.
func (w *work) runScan(what device.ScanOp, axis int, o CumOpts, from, r *Tensor) error {
	dev, ok := w.dev.(device.Scanner)
	if !ok {
		return w.lacks("running sums", "Scan")
	}
	s := &device.Scan{Op: what, DType: r.dtype, Exclusive: o.Exclusive, Label: w.op}
	s.Lines, s.N = lines(r.layout, axis)
	s.In, s.Out = from.alongLines(axis), r.alongLines(axis)
	if last := len(s.Lines); o.Reverse {
		for _, x := range []*device.Strided{&s.In, &s.Out} {
			x.Offset += int64(s.N-1) * int64(x.Strides[last]) * int64(r.dtype.Size())
			x.Strides[last] = -x.Strides[last]
		}
	}
	return dev.Scan(s)
}

// lines returns the sizes of the axes but one, and of that one.
func lines(l *broadcast.Layout, axis int) (outer []int, n int) {
	outer = l.Shape()
	n = outer[axis]
	return append(outer[:axis:axis], outer[axis+1:]...), n
}

// alongLines returns t with the strides over its lines along an axis, then
// along them.
func (t *Tensor) alongLines(axis int) device.Strided {
	l := t.layout
	return t.strided(append(append(strides(l, 0, axis), strides(l, axis+1, l.Rank())...), l.Stride(axis)))
}

// SortOpts are the options of Sort and ArgSort.
type SortOpts struct {
	Descending bool
}

// Sort returns the elements of t in ascending order along an axis. Elements
// that are equal, as -0 and +0 are, keep their order, also in a descending
// sort; NaN comes last in both.
func (t *Tensor) Sort(axis int, opts ...SortOpts) *Tensor {
	return perform("sort", 1, func(w *work) error { return w.sort(axis, opts, true, false) }, t)[0]
}

// ArgSort returns where along the axis the elements that Sort would return
// stand, as int64: t.TakeAlongAxis(axis, t.ArgSort(axis)) is t.Sort(axis).
func (t *Tensor) ArgSort(axis int, opts ...SortOpts) *Tensor {
	return perform("argsort", 1, func(w *work) error { return w.sort(axis, opts, false, true) }, t)[0]
}

// TopK returns the k greatest elements of t along an axis, or the k least, in
// order, and where they stand, as int64. Of equal ones the first come first;
// NaN comes after all numbers either way, so it is among k only where there
// are fewer numbers.
func (t *Tensor) TopK(k, axis int, largest bool) (values, positions *Tensor) {
	out := perform("topk", 2, func(w *work) error {
		t, err := w.operand(0)
		if err != nil {
			return err
		}
		a, err := t.layout.Axis(axis)
		if err != nil {
			return err
		}
		if n := t.layout.Dim(a); k < 0 || k > n {
			return &broadcast.ShapeError{Axis: a - t.layout.Rank(), Shapes: []Shape{t.layout.Shape()},
				Msg:  "no " + itoa(k) + " elements along axis " + itoa(a) + " of " + t.layout.Shape().String() + ", which has size " + itoa(n),
				Hint: "k is 0 to " + itoa(n)}
		}
		return w.runSort(t, a, k, largest, true, true)
	}, t)
	return out[0], out[1]
}

// sort orders whole lines of operand 0.
func (w *work) sort(axis int, opts []SortOpts, values, positions bool) error {
	o, err := atMostOne(opts)
	if err != nil {
		return err
	}
	t, err := w.operand(0)
	if err != nil {
		return err
	}
	if axis, err = t.layout.Axis(axis); err != nil {
		return err
	}
	return w.runSort(t, axis, t.layout.Dim(axis), o.Descending, values, positions)
}

// runSort makes the results of a sort: the values, the positions, or both.
func (w *work) runSort(t *Tensor, axis, k int, descending, values, positions bool) error {
	s := &device.Sort{DType: t.dtype, Descending: descending, K: k, In: t.alongLines(axis), Label: w.op}
	s.Lines, s.N = lines(t.layout, axis)
	shape := t.layout.Shape()
	shape[axis] = k
	if values {
		r, err := w.fresh(t.dtype, shape)
		if err != nil {
			return err
		}
		s.Values = r.alongLines(axis)
	}
	if positions {
		r, err := w.fresh(dtype.Int64, shape)
		if err != nil {
			return err
		}
		s.Positions = r.alongLines(axis)
	}
	if w.out[0].layout.Size() == 0 {
		return nil
	}
	dev, ok := w.dev.(device.Sorter)
	if !ok {
		return w.lacks("sort", "Sort")
	}
	return dev.Sort(s)
}
