package kernels

import (
	"math"
	"math/big"
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
