package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// checkArity makes sure that the operation has its operands.
func checkArity(op kernels.Op, operands int) error {
	want := 2 // of matmul
	if op != opMatMul {
		want = op.Row().Arity
	}
	if operands != want {
		return errorf("takes %d operands, got %d", want, operands)
	}
	return nil
}

// resolve decides the dtypes and finds the Program.
func (k *task) resolve() error {
	if k.Op == kernels.Copy && k.Dst != nil && k.in[0].isWeak() { // Dst decides: a number has no width
		k.sig = kernels.Signature{Result: k.Dst.dtype}
		k.sig.Args[0], k.sig.Weak[0] = k.Dst.dtype, k.in[0].weak()
		return k.program(k.Dst.dtype)
	}
	for i, t := range k.in[:k.arity] {
		switch {
		case t.index > 0:
			k.args[i] = kernels.Arg{DType: dtype.Int64}
			k.indexed |= 1 << (t.index - 1)
		case t.isWeak():
			k.args[i] = kernels.Arg{Weak: t.weak()}
		default:
			k.args[i] = kernels.Arg{DType: t.dtype}
		}
	}
	sig, err := kernels.Resolve(k.Op, k.Attr, k.args[:k.arity])
	if err != nil {
		return err
	}
	result := sig.Result
	if k.Dst != nil {
		if sig.Result.Kind() > k.Dst.dtype.Kind() {
			return tooGreatAKind(sig.Result, k.Dst.dtype)
		}
		result = k.Dst.dtype
	}
	if err := checkDType(result); err != nil {
		return err
	}
	k.sig = sig
	return k.program(result)
}

// tooGreatAKind refuses a result that the dtype of its destination cannot hold.
func tooGreatAKind(result, dst dtype.DType) error {
	return &dtype.Error{DTypes: []dtype.DType{result, dst},
		Msg:  "cannot write " + result.String() + " into " + dst.String(),
		Hint: "cast the operands, or write into a tensor of " + result.String()}
}

// program finds the Program for the signature and fills in its scalars.
func (k *task) program(result dtype.DType) error {
	n := 0
	for i, t := range k.in[:k.arity] {
		switch {
		case t.index > 0:
			k.leaves[i] = kernels.Leaf{Kind: kernels.OpIndex, Axis: t.index - 1}
		case t.isWeak():
			k.leaves[i] = kernels.Leaf{Kind: kernels.OpScalar, DType: k.sig.Args[i]}
			pattern, err := k.sig.Weak[i].Bits(k.sig.Args[i])
			if err != nil {
				return err
			}
			k.scalars[n] = pattern
			n++
		default:
			k.leaves[i] = kernels.Leaf{Kind: kernels.OpInput, DType: t.dtype}
		}
	}
	var err error
	k.launch.Program, err = kernels.Single(k.Op, k.sig, result, k.leaves[:k.arity]...)
	if err == nil {
		k.steps.pieces, err = k.launch.Program.Pieces(k.splitMode())
	}
	return err
}

// shape finds the iteration space and the shape of the result.
func (k *task) shape() error {
	if k.launch.Program.Reduce >= 0 {
		return k.reducedShape()
	}
	n := 0
	for _, t := range k.in[:k.arity] {
		if t.store != nil {
			k.shapes[n] = t.layout.AppendShape(k.shapes[n][:0])
			n++
		}
	}
	var err error
	if k.Dst == nil {
		k.space, err = broadcast.ShapesInto(k.space[:0], k.shapes[:n]...)
		if err == nil {
			err = k.space.Check(k.sig.Result.Size())
		}
		k.result = k.space
		return err
	}
	k.kept, err = broadcast.ShapesInto(k.kept[:0], k.shapes[:n]...)
	if err != nil {
		return err
	}
	k.space = k.Dst.layout.AppendShape(k.space[:0])
	if !stretchesTo(k.kept, k.space) {
		return enlarged(k.kept, k.space, k.shapes[:n])
	}
	return nil
}

// enlarged is the error of operands that would make a destination larger. The
// operand to mend is the first that does not stretch to the destination itself.
func enlarged(result, dst Shape, operands []Shape) error {
	hint := "write into a tensor of shape " + result.String()
	for _, s := range operands {
		if mend := broadcast.Mend(s, dst); mend != "" {
			hint = mend + ", or " + hint
			break
		}
	}
	return &broadcast.ShapeError{Shapes: []Shape{result.Clone(), dst.Clone()},
		Msg:  "cannot write " + result.String() + " into " + dst.String() + ": a destination is never enlarged",
		Hint: hint}
}

// stretchesTo reports whether a shape broadcasts to exactly to.
func stretchesTo(from, to Shape) bool {
	if len(from) > len(to) {
		return false
	}
	for i, n := range from {
		if m := to[len(to)-len(from)+i]; n != m && n != 1 {
			return false
		}
	}
	return true
}
