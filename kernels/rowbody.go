package kernels

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
)

// RowBody returns the expression of one element-wise row for arguments of the
// given dtypes (as in Signature.Args) and a result of dtype result.
func RowBody(op Op, args []dtype.DType, result dtype.DType) (Body, error) {
	e := NewEmit()
	x := make([]V, len(args))
	for i, d := range args {
		x[i] = e.Arg(i, d)
	}
	v, err := emitRow(e, op, x, result)
	if err != nil {
		return Body{}, err
	}
	return e.Body(v)
}

// emitRow appends the expression of a row on x.
func emitRow(e *Emit, op Op, x []V, result dtype.DType) (V, error) {
	row := op.Row()
	if row == nil || len(x) != row.Arity || row.Reduce != nil || row.Expand != nil {
		return 0, fmt.Errorf("kernels: %v is not an element-wise row of %d operands", op, len(x))
	}
	var v V
	switch row.Rule {
	case RuleCast:
		v = castExpr(e, result, x[0])
	case RuleBits:
		v = e.Cast(result, x[0])
	default:
		d := e.Type(x[len(x)-1]) // the dtype the row computes in
		if row.Rule == RuleRandom {
			d = result // its operands are integers
		}
		expr := row.Expr.For(d)
		if expr == nil {
			return 0, fmt.Errorf("kernels: %v has no expression for %v", op, d)
		}
		v = expr(e, x)
	}
	if e.err == nil && e.Type(v) != result {
		return 0, fmt.Errorf("kernels: %v yields %v, not %v", op, e.Type(v), result)
	}
	return v, e.err
}

// Reducer is a reduction's monoid, spelt for elements of one dtype.
type Reducer struct {
	Op      Op
	Elem    dtype.DType   // of the elements
	State   []dtype.DType // of the parts of a state
	Result  dtype.DType
	Ordered bool // combine in the canonical tree, or the bits change

	Lift     Body // arguments: the element, its int64 position
	Identity Body // no arguments
	Combine  Body // arguments: the parts of s, then the parts of t
	Finish   Body // arguments: the parts of the state
}

// ReduceBody returns the reduction op for elements of dtype elem.
func ReduceBody(op Op, elem dtype.DType) (*Reducer, error) {
	row := op.Row()
	if row == nil || row.Reduce == nil {
		return nil, fmt.Errorf("kernels: %v is not a reduction", op)
	}
	if !row.Kinds.Has(elem) {
		return nil, &dtype.Error{DTypes: []dtype.DType{elem}, Msg: op.String() + " is not defined for " + elem.String()}
	}
	r := &Reducer{Op: op, Elem: elem, Ordered: row.Reduce.Ordered && elem.IsFloat()}
	return r, r.emit(row.Reduce)
}

func (r *Reducer) emit(m *Reduction) (err error) {
	e := NewEmit()
	lifted := m.Lift(e, e.Arg(0, r.Elem), e.Arg(1, dtype.Int64))
	r.State = e.types(lifted)
	if r.Lift, err = e.Body(lifted...); err != nil {
		return err
	}
	e = NewEmit()
	if r.Identity, err = e.Body(m.Identity(e, r.Elem)...); err != nil {
		return err
	}
	e = NewEmit()
	s, t := r.stateArgs(e, 0), r.stateArgs(e, len(r.State))
	if r.Combine, err = e.Body(m.Combine(e, s, t)...); err != nil {
		return err
	}
	e = NewEmit()
	v := m.Finish(e, r.stateArgs(e, 0))
	r.Result = e.Type(v)
	r.Finish, err = e.Body(v)
	return err
}

func (r *Reducer) stateArgs(e *Emit, from int) []V {
	args := make([]V, len(r.State))
	for i, d := range r.State {
		args[i] = e.Arg(from+i, d)
	}
	return args
}

// StateSize returns the bytes of one state, its parts padded to 8 bytes each
// when there are several.
func (r *Reducer) StateSize() int {
	if len(r.State) == 1 {
		return r.State[0].Size()
	}
	return 8 * len(r.State)
}
