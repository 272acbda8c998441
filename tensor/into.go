package tensor

import (
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Into writes the result of an operation into dst, an existing tensor or view;
// operands may overlap it in any way: the result is as if all of them had been
// read before the first write.
//
//	err := tensor.Into(x, kernels.Add, x, y) // x += y
//
// Operands of an element-wise operation broadcast to the shape of dst, which
// is never enlarged; other results must have exactly that shape. dst keeps its
// dtype: a result of a greater kind (a float for an int dst) is an error. On
// error nothing has been written, except when the device was lost.
//
// kernels.Copy is assignment. A reduction over some axes is
// kernels.Mean.With(kernels.Attr{Axes: kernels.Axes(0)}); an attribute that an
// operation has no use for is an error. For products of matrices there is
// MatMulInto.
//
// Errors: *Error, around ErrShared when elements of dst share memory.
func Into(dst *Tensor, op kernels.Applied, in ...*Tensor) error {
	if code, bare := op.(kernels.Op); bare && dst != nil && len(in) == 2 && quick(code, dst, in[0], in[1]) != nil {
		return nil
	}
	c, err := callInto("into", dst, op, in)
	if err != nil {
		return err
	}
	if r := apply(c, in...); r != dst {
		return r.Err()
	}
	return dst.Err()
}

// callInto returns the call that writes the result of op into dst, on behalf
// of the function of that name.
func callInto(function string, dst *Tensor, op kernels.Applied, in []*Tensor) (call, error) {
	c, err := callOf(function, op, in)
	if err == nil {
		err = checkDst(c.Op, dst)
	}
	if err != nil {
		return call{}, err
	}
	c.Dst = dst
	return c, nil
}

// checkDst makes sure that dst is there and can hold elements.
func checkDst(op kernels.Op, dst *Tensor) error {
	switch {
	case dst == nil:
		return refuse(opName(op), dst).failure()
	case dst.store == nil && dst.live():
		return newError(opName(op), errorf("cannot write into a Scalar: it has no elements"), dst)
	}
	return nil
}

// callOf returns the call of op, which must be a row of the table: opMatMul is
// none.
func callOf(function string, op kernels.Applied, in []*Tensor) (call, error) {
	if op == nil {
		return call{}, newError(function, errorf("nil operation"), in...)
	}
	code, attr := op.Applied()
	row := code.Row()
	if row == nil {
		return call{}, newError(code.String(), errorf("no such operation"), in...)
	}
	if attr != (kernels.Attr{}) {
		if err := checkAttr(row, attr); err != nil {
			return call{}, newError(code.String(), err, in...)
		}
	}
	return call{Op: code, Attr: attr}, nil
}

// checkAttr refuses attributes that the row would not look at: who gives a sum
// a dtype expects it to be computed in that.
func checkAttr(row *kernels.Row, attr kernels.Attr) error {
	along := row.Reduce != nil || row.Expand != nil
	if !along && (attr.Keep || attr.Axes != (kernels.AxisSet{})) {
		return errorf("works element by element and takes no Attr.Axes or Keep; leave them out")
	}
	switch row.Rule {
	case kernels.RuleCast, kernels.RuleBits, kernels.RuleArange, kernels.RuleRandom:
		return nil
	}
	if attr.DType != dtype.Invalid {
		return errorf("takes no Attr.DType; Cast(%#v) the operands first, or the result", attr.DType)
	}
	return nil
}
