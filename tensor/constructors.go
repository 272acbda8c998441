package tensor

import (
	"math"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Place makes tensors on one device; On returns it.
type Place struct{ dev device.Device }

// On returns the constructors for a device:
//
//	w := tensor.On(gpu).Zeros(dtype.Float32, 128, 64)
//
// The functions of this package with the same names are those of On(cpu).
func On(dev device.Device) Place { return Place{dev} }

// here makes tensors on the CPU.
func here() Place { return Place{host()} }

// Zeros returns a tensor of zeros (false for bool).
func (p Place) Zeros(d dtype.DType, sizes ...int) *Tensor {
	return p.full("zeros", d, dtype.BoolNumber(false), sizes)
}

// Ones returns a tensor of ones (true for bool).
func (p Place) Ones(d dtype.DType, sizes ...int) *Tensor {
	return p.full("ones", d, dtype.BoolNumber(true), sizes)
}

// Full returns a tensor whose elements are all v, a Go bool, integer or float
// that d can hold.
func (p Place) Full(d dtype.DType, v any, sizes ...int) *Tensor {
	n, err := numberOf(v)
	if err != nil {
		return fail("full", err)
	}
	return p.full("full", d, n, sizes)
}

// Arange returns start, start+step, ... up to but without stop, in steps
// computed in d as start + i*step; start, stop and step are Go integers or
// floats. d must hold start, step and every value.
func (p Place) Arange(d dtype.DType, start, stop, step any) *Tensor {
	var n [3]dtype.Number
	for i, v := range []any{start, stop, step} {
		var err error
		if n[i], err = numberOf(v); err != nil {
			return fail("arange", err)
		}
	}
	count, err := steps(d, n)
	if err != nil {
		return fail("arange", err)
	}
	t := p.empty("arange", d, Shape{count})
	return t.fill("arange", Call{Op: kernels.Arange, Attr: kernels.Attr{DType: d}}, indexAlong(0), &Tensor{weak: n[0]}, &Tensor{weak: n[2]})
}

// steps returns how many values start, start+step, ... lie before stop, all of
// which an integer d must hold.
func steps(d dtype.DType, n [3]dtype.Number) (int, error) {
	start, stop, step := n[0].Float64(), n[1].Float64(), n[2].Float64()
	count := math.Ceil((stop - start) / step)
	if step == 0 || math.IsNaN(count) {
		return 0, errorf("no steps of %v lead from %v to %v", n[2], n[0], n[1])
	}
	if a, b, c, ok := whole(n); ok {
		steps := wholeSteps(a, b, c)
		if last := a + int64(steps-1)*c; steps > 0 && d.IsInteger() {
			if err := checkFits(dtype.IntNumber(last), d); err != nil {
				return 0, err
			}
		}
		if steps < math.MaxInt {
			return int(steps), nil
		}
		count = math.MaxInt
	}
	if count >= math.MaxInt {
		return 0, &broadcast.ShapeError{Msg: "too many elements", Hint: "use a greater step"}
	}
	for _, v := range n {
		if err := checkFits(v, d); err != nil && count > 0 && d.IsInteger() {
			return 0, err
		}
	}
	return max(int(count), 0), nil
}

// whole returns start, stop and step as integers, if they are: beyond 2^53 a
// float64 would miscount. A stop in between counts as the next integer.
func whole(n [3]dtype.Number) (start, stop, step int64, ok bool) {
	start, first := n[0].Int64()
	step, second := n[2].Int64()
	if stop, ok = n[1].Int64(); !ok && n[1].Kind() == dtype.FloatKind {
		f := math.Ceil(n[1].Float64())
		if step < 0 {
			f = math.Floor(n[1].Float64())
		}
		stop, ok = int64(f), math.Abs(f) < 1<<63
	}
	return start, stop, step, ok && first && second
}

// wholeSteps is steps for integers. The differences are unsigned, which hold
// that of any two int64.
func wholeSteps(start, stop, step int64) uint64 {
	switch {
	case step > 0 && start < stop:
		return (uint64(stop)-uint64(start)-1)/uint64(step) + 1
	case step < 0 && start > stop:
		return (uint64(start)-uint64(stop)-1)/-uint64(step) + 1
	}
	return 0
}

// Eye returns the identity matrix of n rows.
func (p Place) Eye(d dtype.DType, n int) *Tensor {
	return p.empty("eye", d, Shape{n, n}).fill("eye", Call{Op: kernels.Eq}, indexAlong(0), indexAlong(1))
}

// Zeros returns a tensor of zeros on the CPU; see Place.Zeros.
func Zeros(d dtype.DType, sizes ...int) *Tensor { return here().Zeros(d, sizes...) }

// Ones returns a tensor of ones on the CPU; see Place.Ones.
func Ones(d dtype.DType, sizes ...int) *Tensor { return here().Ones(d, sizes...) }

// Full returns a tensor whose elements are all v on the CPU; see Place.Full.
func Full(d dtype.DType, v any, sizes ...int) *Tensor { return here().Full(d, v, sizes...) }

// Arange returns start, start+step, ... before stop on the CPU; see Place.Arange.
func Arange(d dtype.DType, start, stop, step any) *Tensor {
	return here().Arange(d, start, stop, step)
}

// Eye returns the identity matrix of n rows on the CPU.
func Eye(d dtype.DType, n int) *Tensor { return here().Eye(d, n) }

// ZerosLike returns zeros with the shape, dtype and device of t.
func ZerosLike(t *Tensor) *Tensor { return t.like("zeros", dtype.BoolNumber(false)) }

// OnesLike returns ones with the shape, dtype and device of t.
func OnesLike(t *Tensor) *Tensor { return t.like("ones", dtype.BoolNumber(true)) }

// FullLike returns a tensor of v with the shape, dtype and device of t.
func FullLike(t *Tensor, v any) *Tensor {
	n, err := numberOf(v)
	if err != nil && t.live() {
		return fail("full", err, t)
	}
	return t.like("full", n)
}

func (t *Tensor) like(op string, n dtype.Number) *Tensor {
	if !t.live() {
		return refuse(op, t)
	}
	r := On(t.Device()).full(op, t.DType(), n, t.layout.Shape())
	if r.err == nil {
		joinScope(r, t)
	}
	return r
}

// empty returns a tensor of any contents.
func (p Place) empty(op string, d dtype.DType, shape Shape) *Tensor {
	if p.dev == nil {
		return fail(op, errorf("nil device; open one with device.Open"))
	}
	if err := checkNew(d, shape); err != nil {
		return fail(op, err)
	}
	t, err := allocate(p.dev, d, shape)
	if err != nil {
		return fail(op, err)
	}
	return t
}

// checkNew makes sure that a tensor of these sizes can exist.
func checkNew(d dtype.DType, shape Shape) error {
	if err := checkDType(d); err != nil {
		return err
	}
	return hintMinusOne(shape.Check(d.Size()), shape, "give every size; only Reshape(-1, ...) works one out")
}

// hintMinusOne replaces the hint of an error about a size of -1.
func hintMinusOne(err error, sizes Shape, hint string) error {
	if e, ok := err.(*broadcast.ShapeError); ok && e.Axis < 0 && -e.Axis <= len(sizes) && sizes[len(sizes)+e.Axis] == -1 {
		e.Hint = hint
	}
	return err
}

func checkDType(d dtype.DType) error {
	if d.Valid() {
		return nil
	}
	return &dtype.Error{DTypes: []dtype.DType{d}, Msg: d.String() + " is no dtype", Hint: "use one of dtype.All()"}
}

// fill runs the operation behind a constructor into t, which is fresh.
func (t *Tensor) fill(constructor string, c Call, in ...*Tensor) *Tensor {
	if t.err != nil {
		return t
	}
	c.Dst = t
	if r := apply(c, in...); r != t {
		_ = t.Free()
		return fail(constructor, reason(r.err))
	}
	return t
}

// full returns a tensor of n's.
func (p Place) full(op string, d dtype.DType, n dtype.Number, shape Shape) *Tensor {
	if n.Kind() == dtype.BoolKind && d != dtype.Bool { // Zeros and Ones of numbers
		v, _ := n.Int64()
		n = dtype.IntNumber(v)
	}
	if err := checkFits(n, d); err != nil && d.Valid() {
		return fail(op, err)
	}
	return p.empty(op, d, shape).fill(op, Call{Op: kernels.Copy}, &Tensor{weak: n})
}

// checkFits makes sure that d can hold a number of a constructor.
func checkFits(n dtype.Number, d dtype.DType) error {
	_, err := n.Bits(d)
	if e, ok := err.(*dtype.Error); ok {
		e.Hint = "ask for another dtype, such as float64"
	}
	return err
}

// indexAlong is an operand that stands for the index along an axis of the result.
func indexAlong(axis int8) *Tensor { return &Tensor{index: axis + 1} }
