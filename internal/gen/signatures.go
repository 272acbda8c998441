package main

import (
	"slices"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// signature is a row at fixed dtypes.
type signature struct {
	args   []dtype.DType
	result dtype.DType
}

// last is the dtype of the last operand, which with the result finds a loop.
func (s signature) last() dtype.DType { return s.args[len(s.args)-1] }

// name spells the dtypes in a function's name: the dtype computed in, and the
// result where that does not follow.
func (s signature) name() string {
	if s.result == s.last() || s.result == dtype.Bool && len(s.args) > 1 {
		return s.last().String()
	}
	return s.last().String() + "_" + s.result.String()
}

// signatures returns every signature that operands of any dtypes can resolve
// to, conversions of a dtype to itself left out.
func signatures(op kernels.Op, row *kernels.Row) []signature {
	var found []signature
	widened := func(d dtype.DType) bool { return row.Computes(d) != d }
	args := make([]kernels.Arg, row.Arity)
	var each func(i int)
	each = func(i int) {
		if i < len(args) {
			for d := dtype.Invalid + 1; int(d) < dtype.Count; d++ {
				args[i].DType = d
				each(i + 1)
			}
			return
		}
		for d := range dtype.DType(dtype.Count) {
			sig, err := kernels.Resolve(op, kernels.Attr{DType: d}, args)
			s := signature{slices.Clone(sig.Args[:row.Arity]), sig.Result}
			known := func(t signature) bool { return slices.Equal(s.args, t.args) && s.result == t.result }
			if err == nil && row.Rule == kernels.RuleCompare && slices.Contains(s.args, dtype.Int64) && slices.Contains(s.args, dtype.Uint64) {
				continue // uint64 with int64, which a Program composes of other rows
			}
			if err == nil && slices.ContainsFunc(append(slices.Clone(s.args), s.result), widened) {
				continue // a Program converts before and after
			}
			if err == nil && !slices.ContainsFunc(found, known) && !(row.Rule == kernels.RuleCast && s.args[0] == s.result) {
				found = append(found, s)
			}
		}
	}
	each(0)
	return found
}
