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

// signatures returns the signatures that package cpu needs loops for.
func signatures(op kernels.Op, row *kernels.Row) []signature {
	var found []signature
	for _, s := range kernels.Signatures(op) {
		found = append(found, signature{slices.Clone(s.Args[:row.Arity]), s.Result})
	}
	return found
}
