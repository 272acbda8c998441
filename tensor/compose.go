package tensor

import "github.com/stride0/stride0/dtype"

// Compose makes one operation of several, for packages above this one: nn's
// losses and layers are made with it. f computes n results; what it computes
// from tensors that are in s, such as x.In(s), is freed when it returns, but
// for the results, which belong to the scope of the operands in.
//
// An operand that failed is the result. An error of f, or of one of its
// results, becomes that of the operation op, at the line of the program that
// called for it; nothing of it is left then.
func Compose(op string, n int, in []*Tensor, f func(s *Scope) ([]*Tensor, error)) []*Tensor {
	for i, t := range in {
		if !t.live() {
			return repeat(refuseOperand(op, i, len(in), t), n)
		}
	}
	s := NewScope()
	defer s.Close()
	out, err := f(s)
	if err == nil && len(out) != n {
		err = errorf("has %d results instead of %d", len(out), n)
	}
	for _, t := range out {
		if err == nil {
			err = t.Err()
		}
	}
	if err != nil {
		return repeat(fail(op, reason(err), in...), n)
	}
	s.Keep(out...)
	for _, t := range out {
		joinScope(t, in...)
	}
	return out
}

// ResultType returns the dtype that tensors promote to, in any order; a Scalar
// among them may lift the kind and not the width. Errors: a *dtype.Error where
// there is none; that of a failed tensor.
func ResultType(in ...*Tensor) (dtype.DType, error) {
	var strong []dtype.DType
	for _, t := range in {
		if err := t.Err(); err != nil {
			return dtype.Invalid, err
		}
		if !t.isWeak() {
			strong = append(strong, t.dtype)
		}
	}
	if len(strong) == 0 {
		for _, t := range in {
			strong = append(strong, weakDType(t.weak()))
		}
	}
	d, err := dtype.Promote(strong...)
	for _, t := range in {
		if t.isWeak() {
			d = dtype.Lift(d, t.weak())
		}
	}
	return d, err
}
