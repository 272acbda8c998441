package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Price returns the bytes of the elements of a tensor of dtype d and the given
// sizes, without making it. The pool of a device takes up to 1/8 more, 64
// bytes at the least.
//
// Errors: *Error around a *broadcast.ShapeError when the sizes are negative or
// too large for this machine to count; around a *dtype.Error when no tensor
// holds d.
func Price(d dtype.DType, sizes ...int) (int64, error) {
	if err := checkNew(d, sizes); err != nil {
		return 0, newError("price", err)
	}
	return int64(Shape(sizes).Size()) * int64(d.Size()), nil
}

// Cost is the memory an operation takes, in bytes of elements: the first three
// on the device of its operands.
type Cost struct {
	Result  int64 // the fresh result; 0 when it goes into an existing tensor
	Copies  int64 // copies of operands, given back when the operation is done
	Scratch int64 // working memory of reductions and of composite operations, given back likewise

	// Host is what an operation takes on the CPU that its device cannot do and
	// that goes through the CPU (device.AllowHost): copies of the operands, the
	// result, and what the CPU needs to compute it. It is given back when the
	// operation is done.
	Host int64
}

// Total returns the bytes that the operation takes while it runs, wherever.
func (c Cost) Total() int64 { return c.Result + c.Copies + c.Scratch + c.Host }

// PriceOf returns what op would take on these operands, without running it or
// allocating anything. It fails as op would, but for an operation that only
// the attempt shows to be unsupported: what is foreseen to go through the host
// (device.AllowHost) are matrix products, and float64 on a device without it.
//
//	c, err := tensor.PriceOf(kernels.Add, column, row) // c.Result: how large the outer sum is
func PriceOf(op kernels.Applied, in ...*Tensor) (Cost, error) {
	c, err := callOf("priceof", op, in)
	if err != nil {
		return Cost{}, err
	}
	return price(c, in)
}

// PriceInto returns what Into would take: no result, but copies of operands
// that overlap dst.
func PriceInto(dst *Tensor, op kernels.Applied, in ...*Tensor) (Cost, error) {
	c, err := callInto("priceinto", dst, op, in)
	if err != nil {
		return Cost{}, err
	}
	return price(c, in)
}

// PriceMatMul returns what t.MatMul(u) would take: its copies are of operands
// that have another dtype than the product, or neither rows nor columns that
// are contiguous.
func PriceMatMul(t, u *Tensor) (Cost, error) {
	return price(call{Op: opMatMul}, []*Tensor{t, u})
}

// price is apply up to where memory is taken.
func price(c call, in []*Tensor) (Cost, error) {
	op := opName(c.Op)
	if c.Dst != nil && !c.Dst.live() {
		return Cost{}, refuseAs("the destination", op, c.Dst).failure()
	}
	weak := len(in) > 0 && c.Op != opMatMul
	for i, t := range in {
		if !t.live() {
			return Cost{}, refuseOperand(op, i, len(in), t).failure()
		}
		weak = weak && t.isWeak()
	}
	if weak && c.Op != kernels.Copy { // a number, which may then be copied to Dst
		r := apply(call{Op: c.Op, Attr: c.Attr}, in...)
		if c.Dst == nil || r.failure() != nil {
			return Cost{}, r.Err()
		}
		n, err := r.number() // a Cast of a number is a tensor of rank 0
		if err != nil {
			return Cost{}, newError(op, err, in...)
		}
		c, in = call{Op: kernels.Copy, Dst: c.Dst}, []*Tensor{weakScalar(n)}
	} else if weak && c.Dst == nil {
		return Cost{}, nil
	}
	k := tasks.Get().(*task)
	defer k.recycle()
	k.call = c
	cost, err := k.price(in)
	if err != nil {
		return Cost{}, newError(op, err, in...)
	}
	return cost, nil
}

// price fills the task as do does and adds up.
func (k *task) price(in []*Tensor) (Cost, error) {
	if err := k.take(in); err != nil {
		return Cost{}, err
	}
	if k.Op == opMatMul {
		return k.priceMatMul()
	}
	if err := k.check(); err != nil {
		return Cost{}, err
	}
	if k.goesToHost() {
		return k.priceOnHost()
	}
	var c Cost
	var out broadcast.Layout
	if k.Dst == nil {
		out = broadcast.RowMajor(k.result)
		c.Result = int64(out.Size()) * int64(k.sig.Result.Size())
	} else {
		var err error
		if c.Copies, err = k.priceOverlaps(); err != nil {
			return Cost{}, err
		}
		out = *k.Dst.layout
	}
	switch {
	case out.Size() == 0:
	case len(k.steps.pieces) > 1:
		c.Scratch = k.layTemporaries(&out)
	default:
		k.layOut(&out)
		c.Scratch = kernels.Scratch(k.launch.Program, &k.plan)
	}
	return c, nil
}

// priceOverlaps returns the bytes that copyOverlaps would copy.
func (k *task) priceOverlaps() (bytes int64, err error) {
	if err := checkWritable(k.Dst); err != nil {
		return 0, err
	}
	for _, t := range k.in[:k.arity] {
		if !mayOverlap(t, k.Dst) {
			continue
		}
		if err := t.layout.Shape().Check(t.dtype.Size()); err != nil { // t may be stretched
			return 0, err
		}
		bytes += int64(t.byteSize())
	}
	return bytes, nil
}

func (k *task) priceMatMul() (Cost, error) {
	p, err := k.checkMatMul()
	if err != nil {
		return Cost{}, err
	}
	c := Cost{Result: int64(k.result.Size()) * int64(p.dtype.Size())}
	if c.Result == 0 {
		return c, nil
	}
	if k.goesToHost() {
		return k.priceOnHost()
	}
	for i, t := range k.in[:k.arity] {
		if _, _, ok := leading(&p.in[i]); t.dtype != p.dtype || !ok {
			l, err := unstretched(&p.in[i])
			if err != nil {
				return Cost{}, err
			}
			c.Copies += int64(l.Size()) * int64(p.dtype.Size())
		}
	}
	return c, nil
}
