package tensor

import (
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

// Eye returns the identity matrix of n rows.
func (p Place) Eye(d dtype.DType, n int) *Tensor {
	return p.empty("eye", d, Shape{n, n}).fill("eye", call{Op: kernels.Eq}, indexAlong(0), indexAlong(1))
}

// Zeros returns a tensor of zeros on the CPU; see Place.Zeros.
func Zeros(d dtype.DType, sizes ...int) *Tensor { return here().Zeros(d, sizes...) }

// Ones returns a tensor of ones on the CPU; see Place.Ones.
func Ones(d dtype.DType, sizes ...int) *Tensor { return here().Ones(d, sizes...) }

// Full returns a tensor whose elements are all v on the CPU; see Place.Full.
func Full(d dtype.DType, v any, sizes ...int) *Tensor { return here().Full(d, v, sizes...) }

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
	r := On(t.Device()).full(op, t.elementType(), n, t.layout.Shape())
	if r.failure() == nil {
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
	if bytes := shape.Size() * d.Size(); isSmall(p.dev, bytes) {
		return newKept(bytes, d, shape)
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
func (t *Tensor) fill(constructor string, c call, in ...*Tensor) *Tensor {
	if t.failure() != nil {
		return t
	}
	c.Dst = t
	if r := apply(c, in...); r != t {
		_ = t.Free()
		return fail(constructor, reason(r.failure()))
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
	return p.empty(op, d, shape).fill(op, call{Op: kernels.Copy}, weakScalar(n))
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
func indexAlong(axis int8) *Tensor { return &Tensor{layout: &rank0, index: axis + 1} }
