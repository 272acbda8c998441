package kernels

import "github.com/stride0/stride0/dtype"

// mixed reports whether a comparison has an operand of uint64 and one of a
// signed type, which no integer type holds both. Resolve leaves them uint64 and
// int64, and the Builder compares them as they are.
func mixed(row *Row, args []dtype.DType) bool {
	if row.Rule != RuleCompare || len(args) != 2 {
		return false
	}
	a, b := args[0], args[1]
	return a == dtype.Uint64 && b.Kind() == dtype.IntKind || b == dtype.Uint64 && a.Kind() == dtype.IntKind
}

// mixedArgs returns the dtypes that the operands of a mixed comparison compute in.
func mixedArgs(args []Arg) (to [MaxArity]dtype.DType) {
	for i, a := range args {
		to[i] = dtype.Int64
		if a.DType == dtype.Uint64 {
			to[i] = dtype.Uint64
		}
	}
	return to
}

// applyMixed compares a uint64 with an int64. Where the int64 is negative the
// answer is known; elsewhere it is the same number as a uint64.
func (b *Builder) applyMixed(op Op, args []Value) (Value, error) {
	signed := 0
	if b.p.Instrs[args[0]].Type == dtype.Uint64 {
		signed = 1
	}
	negative := b.apply(Signbit, dtype.Bool, args[signed])
	same := []Value{args[0], args[1]}
	same[signed] = b.Cast(args[signed], dtype.Uint64)
	compared := b.apply(op, dtype.Bool, same...)
	if ofNegative(op, signed) {
		return b.apply(LogicalOr, dtype.Bool, negative, compared), b.err
	}
	return b.apply(LogicalAnd, dtype.Bool, b.apply(LogicalNot, dtype.Bool, negative), compared), b.err
}

// ofNegative returns what a comparison says when the operand at position is
// negative and the other one is not.
func ofNegative(op Op, position int) bool {
	switch op {
	case Lt, Le:
		return position == 0
	case Gt, Ge:
		return position == 1
	}
	return op == Ne
}
