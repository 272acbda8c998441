package kernels

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/stride0/stride0/dtype"
)

// TestNoProductIsContracted proves the rule that makes compiler settings
// harmless: no float product feeds a sum, so that nothing can be fused.
func TestNoProductIsContracted(t *testing.T) {
	for _, b := range bodies(t) {
		assert.Empty(t, contractible(b.body), b.name)
	}
}

// contractible lists the float sums and differences of b that a compiler may
// fuse with a product. Selections and bit casts do not hide one.
func contractible(b Body) (nodes []int) {
	product := make([]bool, len(b.Nodes))
	for i := range b.Nodes {
		n := &b.Nodes[i]
		switch n.Prim {
		case PrimMul:
			product[i] = n.Type.IsFloat()
		case PrimSelect:
			product[i] = product[n.Args[1]] || product[n.Args[2]]
		case PrimBits:
			product[i] = product[n.Args[0]]
		case PrimAdd, PrimSub:
			if n.Type.IsFloat() && (product[n.Args[0]] || product[n.Args[1]]) {
				nodes = append(nodes, i)
			}
		}
	}
	return nodes
}

func TestContractibleFindsProducts(t *testing.T) {
	for name, f := range map[string]func(e *Emit, x V) V{
		"sum":        func(e *Emit, x V) V { return e.Add(e.Mul(x, x), x) },
		"difference": func(e *Emit, x V) V { return e.Sub(x, e.Mul(x, x)) },
		"selected":   func(e *Emit, x V) V { return e.Add(e.Select(e.Lt(x, x), e.Mul(x, x), x), x) },
	} {
		e := NewEmit()
		b, err := e.Body(f(e, e.Arg(0, dtype.Float32)))
		assert.NoError(t, err, name)
		assert.Len(t, contractible(b), 1, name)
	}
}

// TestFloatsConvertInRange runs every expression on special values and checks
// what its conversions from float to integer get.
func TestFloatsConvertInRange(t *testing.T) {
	checked := 0
	for _, b := range bodies(t) {
		if len(b.args) != 1 || !b.args[0].IsFloat() {
			continue
		}
		for _, x := range specials(b.args[0]) {
			vals := b.body.evalAll([]uint64{x})
			for _, n := range b.body.Nodes {
				from := b.body.Nodes[n.Args[0]].Type
				if n.Prim == PrimConvert && from.IsFloat() && n.Type.IsInteger() {
					v := floatOf(from, vals[n.Args[0]])
					assert.True(t, fits(v, n.Type), "%s(%#x) converts %v to %v", b.name, x, v, n.Type)
					checked++
				}
			}
		}
	}
	assert.Greater(t, checked, 500)
}

// TestIntegersDivideAndShiftInRange proves the same of quotients and of shifts
// by a variable count, which trap or differ between devices out of range; and of
// the conversions inside rows of two floats.
func TestIntegersDivideAndShiftInRange(t *testing.T) {
	checked := map[Prim]int{}
	for _, b := range bodies(t) {
		if len(b.args) != 2 || !needsRange(b.body) {
			continue
		}
		for _, x := range combinations(b.args) {
			vals := b.body.evalAll(x)
			for _, n := range b.body.Nodes {
				if p := n.Prim; p == PrimQuo || p == PrimShlBy || p == PrimShrBy || p == PrimConvert && n.Type.IsInteger() {
					if !inRange(b.body, n, vals) {
						t.Fatalf("%s(%#x): %v of %#x, %#x", b.name, x, p, vals[n.Args[0]], vals[n.Args[1]])
					}
					checked[p]++
				}
			}
		}
	}
	for _, p := range []Prim{PrimQuo, PrimShlBy, PrimShrBy, PrimConvert} {
		assert.Greater(t, checked[p], 500, "%v", p)
	}
}

// needsRange reports whether b holds a primitive that is not defined for all
// operands.
func needsRange(b Body) bool {
	return slices.ContainsFunc(b.Nodes, func(n Node) bool {
		return n.Prim == PrimQuo || n.Prim == PrimShlBy || n.Prim == PrimShrBy ||
			n.Prim == PrimConvert && n.Type.IsInteger() && b.Nodes[n.Args[0]].Type.IsFloat()
	})
}

func inRange(b Body, n Node, vals []uint64) bool {
	x, y := vals[n.Args[0]], vals[n.Args[1]]
	top := uint64(1) << (8*n.Type.Size() - 1)
	switch n.Prim {
	case PrimQuo:
		return y != 0 && !(n.Type.Kind() == dtype.IntKind && x == top && y == wrap(n.Type, math.MaxUint64))
	case PrimShlBy, PrimShrBy:
		return y < uint64(8*n.Type.Size())
	}
	from := b.Nodes[n.Args[0]].Type
	return !from.IsFloat() || fits(floatOf(from, x), n.Type)
}

// fits reports whether v, truncated, is a value of the integer type d.
func fits(v float64, d dtype.DType) bool {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	i, _ := big.NewFloat(v).Int(nil)
	lo, hi := limits(d)
	return i.Cmp(lo) >= 0 && i.Cmp(hi) <= 0
}

// limits returns the least and the greatest value of the integer type d.
func limits(d dtype.DType) (lo, hi *big.Int) {
	width := uint(8 * d.Size())
	one := big.NewInt(1)
	if d.Kind() == dtype.UintKind {
		return big.NewInt(0), new(big.Int).Sub(new(big.Int).Lsh(one, width), one)
	}
	top := new(big.Int).Lsh(one, width-1)
	return new(big.Int).Neg(top), new(big.Int).Sub(top, one)
}
