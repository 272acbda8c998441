package kernels

import (
	"slices"

	"github.com/stride0/stride0/dtype"
)

// Signatures returns every signature that operands of any dtypes of an
// element-wise row or reduction can resolve to: those a device needs code for.
// Left out are conversions of a dtype to itself and what a Program converts
// before and after (Row.Computes).
func Signatures(op Op) []Signature {
	row := op.Row()
	var found []Signature
	args := make([]Arg, row.Arity)
	widened := func(d dtype.DType) bool { return row.Computes(d) != d }
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
			s, err := Resolve(op, Attr{DType: d}, args)
			s = Signature{Args: s.Args, Result: s.Result}
			known := func(t Signature) bool { return s.Args == t.Args && s.Result == t.Result }
			switch {
			case err != nil || slices.ContainsFunc(s.Args[:row.Arity], widened) || widened(s.Result):
			case row.Rule == RuleCompare && slices.Contains(s.Args[:], dtype.Int64) && slices.Contains(s.Args[:], dtype.Uint64):
				// a Program composes these of other rows
			case row.Rule == RuleCast && s.Args[0] == s.Result:
			case !slices.ContainsFunc(found, known):
				found = append(found, s)
			}
		}
	}
	each(0)
	return found
}
