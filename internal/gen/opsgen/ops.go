package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

const intro = `<!-- Written by internal/gen/opsgen from the op table; do not edit. -->
# Operations

Every operation of the table in package kernels. The name is also that of the
constant, the method of a Tensor and the argument of ` + "`stride0 kernel`" + `, each in its own spelling.

**Takes** lists the dtypes that an operation is defined for; operands of several dtypes are promoted first.
**float32** and **float64** are the greatest errors in units in the last place of the result: 0 is exact, 0.5 correctly
rounded. For sums the unit is that of the sum of the magnitudes, for each factor of 1,024 elements.
Results in float16 and bfloat16 are those of float32, rounded once. Integers are exact or wrap.
` + "`make ulp`" + ` measures the errors again.
`

// text returns OPS.md.
func text() string {
	var b strings.Builder
	b.WriteString(intro)
	family := kernels.Op(0)
	for _, op := range kernels.Ops() {
		if f := op / 64; f != family {
			family = f
			fmt.Fprintf(&b, "\n## %s\n\n| operation | takes | gives | float32 | float64 | |\n| --- | --- | --- | --- | --- | --- |\n", op.Family())
		}
		b.WriteString(entry(op))
	}
	return b.String()
}

func entry(op kernels.Op) string {
	row := op.Row()
	name := "`" + row.Name + "`"
	if len(row.Params) > 0 {
		name += " (" + strings.Join(row.Params, ", ") + ")"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", name, takes(row), gives(op, row),
		bound(row, dtype.Float32, row.Bound.Float32), bound(row, dtype.Float64, row.Bound.Float64), strings.ReplaceAll(row.Doc, "|", "\\|"))
}

// takes names the dtypes that a row is defined for.
func takes(row *kernels.Row) string {
	switch {
	case row.Rule == kernels.RuleArange, row.Rule == kernels.RuleRandom:
		return "an index and numbers"
	case row.Rule == kernels.RuleFloat:
		return "all, computed in floats"
	case row.Kinds == kernels.AllKinds:
		return "all"
	}
	return row.Kinds.String()
}

// gives names the dtype of the result for operands of one dtype.
func gives(op kernels.Op, row *kernels.Row) string {
	results := map[dtype.DType]dtype.DType{}
	for _, d := range dtype.All() {
		args := make([]kernels.Arg, row.Arity)
		for i := range args {
			args[i].DType = d
		}
		if row.Rule == kernels.RuleWhere {
			args[0].DType = dtype.Bool
		}
		if sig, err := kernels.Resolve(op, kernels.Attr{DType: d}, args); err == nil {
			results[d] = sig.Result
		}
	}
	same, one := true, dtype.Invalid
	for d, r := range results {
		same = same && d == r
		if one == dtype.Invalid || one == r {
			one = r
		} else {
			one = dtype.DType(dtype.Count)
		}
	}
	switch {
	case row.Rule == kernels.RuleCast || row.Rule == kernels.RuleBits || row.Rule == kernels.RuleArange || row.Rule == kernels.RuleRandom:
		return "as asked"
	case same:
		return "the same"
	case one.Valid():
		return one.String()
	case results[dtype.Int8] == dtype.Float32:
		return "the same, float32 of integers and bool"
	case results[dtype.Int8] == dtype.Int64:
		return "the same, 64 bits of integers and bool"
	}
	return "see the text"
}

// bound spells the error that a row is held to in a dtype; a dash where it
// gives no float.
func bound(row *kernels.Row, d dtype.DType, units float64) string {
	switch row.Rule {
	case kernels.RuleCompare, kernels.RuleArg, kernels.RuleTruth, kernels.RuleCount, kernels.RuleLogical:
		return "–"
	}
	if !row.Kinds.Has(d) {
		return "–"
	}
	return strconv.FormatFloat(units, 'g', -1, 64)
}
