package kernels

import (
	"errors"
	"fmt"

	"github.com/stride0/stride0/dtype"
)

// Builder builds a Program. The zero Builder is not ready; use NewBuilder.
type Builder struct {
	p       Program
	uniform []bool // per value: the same for every element (made of scalars)
	err     error
}

// NewBuilder returns a Builder without instructions.
func NewBuilder() *Builder {
	return &Builder{p: Program{Reduce: -1, CountSlot: -1}}
}

func (b *Builder) add(in Instr, uniform bool) Value {
	b.p.Instrs = append(b.p.Instrs, in)
	b.uniform = append(b.uniform, uniform)
	return Value(len(b.p.Instrs) - 1)
}

// Input appends an input of elements of type d.
func (b *Builder) Input(d dtype.DType) Value {
	b.p.Inputs = append(b.p.Inputs, d)
	return b.add(Instr{Op: OpInput, Type: d, Slot: int16(len(b.p.Inputs) - 1)}, false)
}

// Scalar appends a number of type d that the caller gives at launch.
func (b *Builder) Scalar(d dtype.DType) Value {
	b.p.Scalars = append(b.p.Scalars, d)
	return b.add(Instr{Op: OpScalar, Type: d, Slot: int16(len(b.p.Scalars) - 1)}, true)
}

// Count returns the scalar of type d that holds the number of elements reduced
// into each output. A Program has one.
func (b *Builder) Count(d dtype.DType) Value {
	if b.p.CountSlot >= 0 {
		if b.p.Scalars[b.p.CountSlot] != d {
			b.fail(fmt.Errorf("kernels: the count is a %v, not a %v", b.p.Scalars[b.p.CountSlot], d))
		}
		for v, in := range b.p.Instrs {
			if in.Op == OpScalar && int(in.Slot) == b.p.CountSlot {
				return Value(v)
			}
		}
	}
	b.p.CountSlot = len(b.p.Scalars)
	return b.Scalar(d)
}

// Index appends the logical index along an axis of the iteration space, an int64.
func (b *Builder) Index(axis int) Value {
	return b.add(Instr{Op: OpIndex, Type: dtype.Int64, Slot: int16(axis)}, false)
}

// Cast returns v converted to type d: v itself when it is one.
func (b *Builder) Cast(v Value, d dtype.DType) Value {
	if !b.exists(v) || b.p.Instrs[v].Type == d {
		return v
	}
	return b.apply(Cast, d, v)
}

// Apply appends op on args, converted to the dtypes that Resolve decides, and
// returns its result. A composite row is expanded.
func (b *Builder) Apply(op Op, attr Attr, args ...Value) (Value, error) {
	types := make([]Arg, len(args))
	for i, v := range args {
		if !b.exists(v) {
			return -1, b.err
		}
		types[i].DType = b.p.Instrs[v].Type
	}
	sig, err := Resolve(op, attr, types)
	if err != nil {
		b.fail(err)
		return -1, err
	}
	cast := make([]Value, len(args))
	for i, v := range args {
		cast[i] = b.Cast(v, sig.Args[i])
	}
	return b.applyTyped(op, attr, sig.Result, cast)
}

// applyTyped appends op on arguments that already have its signature's dtypes.
func (b *Builder) applyTyped(op Op, attr Attr, result dtype.DType, args []Value) (Value, error) {
	row := op.Row()
	types := b.types(args)
	if mixed(row, types) {
		return b.applyMixed(op, args)
	}
	if row.widens(types, result) {
		return b.applyWidened(op, attr, result, args)
	}
	if row.Expand != nil {
		v, err := row.Expand(b, args, attr)
		if err != nil {
			b.fail(err)
			return -1, err
		}
		return b.Cast(v, result), nil
	}
	if op == Cast && b.p.Instrs[args[0]].Type == result {
		return args[0], nil
	}
	return b.apply(op, result, args...), b.err
}

// applyWidened appends op on operands in the dtype it computes in, and a
// conversion to its result: halves as float32, with one rounding at the end. A
// composite computes in float32 throughout.
func (b *Builder) applyWidened(op Op, attr Attr, result dtype.DType, args []Value) (Value, error) {
	row := op.Row()
	wide := make([]Value, len(args))
	for i, v := range args {
		wide[i] = b.Cast(v, row.Computes(b.p.Instrs[v].Type))
	}
	to := row.Computes(result)
	if row.Reduce != nil {
		r, err := ReduceBody(op, b.p.Instrs[wide[0]].Type)
		if err != nil {
			b.fail(err)
			return -1, err
		}
		to = r.Result
	}
	v, err := b.applyTyped(op, attr, to, wide)
	if err != nil {
		return -1, err
	}
	return b.Cast(v, result), nil
}

func (b *Builder) types(args []Value) []dtype.DType {
	ds := make([]dtype.DType, len(args))
	for i, v := range args {
		ds[i] = b.p.Instrs[v].Type
	}
	return ds
}

func (b *Builder) apply(op Op, result dtype.DType, args ...Value) Value {
	in := Instr{Op: op, Type: result, NArg: int8(len(args))}
	uniform, reduced, full := true, false, false
	for i, v := range args {
		in.Args[i] = v
		uniform = uniform && b.uniform[v]
		reduced = reduced || b.p.Instrs[v].Reduced
		full = full || !b.p.Instrs[v].Reduced && !b.uniform[v]
	}
	in.Reduced = reduced && !full
	if op.Row().Reduce != nil {
		if in.Reduced {
			b.fail(fmt.Errorf("kernels: %v of a reduced value", op))
		}
		in.Reduced, uniform = true, false
	}
	v := b.add(in, uniform)
	if op.Row().Reduce != nil {
		b.p.Reduces++
		b.p.Reduce = v
	}
	return v
}

// Output makes v the next output. A leaf is copied, so that every output is
// the result of an operation.
func (b *Builder) Output(v Value) {
	if !b.exists(v) {
		return
	}
	if in := b.p.Instrs[v]; in.NArg == 0 {
		v = b.apply(Copy, in.Type, v)
	}
	b.p.Outputs = append(b.p.Outputs, v)
}

// Program returns what was built, without instructions that no output needs,
// or the first error.
func (b *Builder) Program() (*Program, error) {
	if b.err == nil && len(b.p.Outputs) == 0 {
		b.fail(errors.New("kernels: a program without outputs"))
	}
	if b.err != nil {
		return nil, b.err
	}
	p := b.p
	p.prune()
	p.key, p.split = p.makeKey(), new([splitModes]onceSplit)
	p.host = &hostForm{of: &p}
	return &p, nil
}

func (b *Builder) exists(v Value) bool {
	if v < 0 || int(v) >= len(b.p.Instrs) {
		b.fail(fmt.Errorf("kernels: value %d does not exist", v))
		return false
	}
	return true
}

func (b *Builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}
