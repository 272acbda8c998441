package kernels

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/stride0/stride0/dtype"
)

// TestFamilies proves that the families neither clash nor leave gaps: each
// holds the ops from its base up, and no two share an op or a name.
func TestFamilies(t *testing.T) {
	bases := []Op{baseArith, baseCompare, baseMath, baseData, baseReduce, baseInt, baseRound, baseTrig, baseSpecial, baseActivate, baseComposite}
	assert.Equal(t, len(bases), len(families))
	total := 0
	for i, rows := range families {
		total += len(rows)
		assert.LessOrEqual(t, len(rows), 64)
		for op := bases[i]; op < bases[i]+Op(len(rows)); op++ {
			assert.Contains(t, rows, op, "family %d has a gap at op %d", i, op)
		}
	}
	assert.Len(t, Ops(), total)
	assert.Len(t, byName, total, "two rows share a name")
}

func TestRowsAreComplete(t *testing.T) {
	for _, op := range Ops() {
		row := op.Row()
		assert.Regexp(t, "^[a-z][a-z0-9]*$", row.Name, "op %d", op)
		assert.NotEmpty(t, row.Doc, row.Name)
		assert.False(t, strings.HasSuffix(row.Doc, ".") || strings.Contains(row.Doc, "\n"), "%s: Doc is one line without a full stop", row.Name)
		assert.Positive(t, row.Arity, row.Name)
		assert.LessOrEqual(t, row.Arity, MaxArity, row.Name)
		assert.NotZero(t, row.Kinds, row.Name)
		assert.Equal(t, op.String(), row.Name)
		found, ok := OpByName(row.Name)
		assert.True(t, ok && found == op, row.Name)
		assert.True(t, oneMeaning(row), "%s: exactly one of Expr, Reduce and Expand", row.Name)
		checkClasses(t, row)
		// Known answers, inverses, or tests per dtype instead of a reference that
		// knows numbers only.
		if row.Rule != RuleRandom && row.Rule != RuleBits && op != Nextafter {
			assert.Equal(t, row.Kinds.Has(dtype.Float32), row.Ref.Float != nil, "%s: Ref.Float", row.Name)
			assert.Equal(t, row.Kinds&(Integers|Bools) != 0 && row.Rule != RuleMean, row.Ref.Int != nil, "%s: Ref.Int", row.Name)
		}
	}
}

func oneMeaning(row *Row) bool {
	n := 0
	x := row.Expr
	for _, set := range []bool{
		x.Float32 != nil || x.Float64 != nil || x.Int != nil || x.Bool != nil, row.Reduce != nil, row.Expand != nil,
	} {
		if set {
			n++
		}
	}
	return n == 1
}

// checkClasses demands an expression for each kind that an element-wise row
// names, and for no other.
func checkClasses(t *testing.T, row *Row) {
	if row.Reduce != nil || row.Expand != nil {
		return
	}
	for _, d := range dtype.All() {
		assert.Equal(t, row.Kinds.Has(d), row.Expr.For(d) != nil, "%s: expression for %v", row.Name, d)
	}
	assert.Nil(t, row.Expr.For(dtype.Invalid), row.Name)
}

func TestOpString(t *testing.T) {
	assert.Equal(t, "add", Add.String())
	assert.Equal(t, "input scalar index", OpInput.String()+" "+OpScalar.String()+" "+OpIndex.String())
	assert.Equal(t, "op(0)", Op(0).String())
	assert.Equal(t, "op(65535)", Op(65535).String())
	assert.Nil(t, Op(65535).Row())
	assert.Nil(t, OpInput.Row())
	_, ok := OpByName("input")
	assert.False(t, ok)
}

func TestOpsIsACopy(t *testing.T) {
	Ops()[0] = 0
	assert.Equal(t, Add, Ops()[0])
}

func TestPrimStrings(t *testing.T) {
	seen := map[string]bool{}
	for p := PrimArg; p <= PrimBits; p++ {
		assert.NotEmpty(t, p.String())
		assert.False(t, seen[p.String()], "%v twice", p)
		seen[p.String()] = true
	}
	assert.Equal(t, "prim(200)", Prim(200).String())
}
