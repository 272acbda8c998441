package tensor_test

import (
	"math"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// any returns a tensor of the pool, rarely one that nobody made.
func (p *player) any() *twin {
	if p.rarely(64) {
		if p.rarely(2) {
			return &twin{dead: true}
		}
		return &twin{dead: true, real: new(tensor.Tensor)}
	}
	return p.pool[p.next(len(p.pool))]
}

// living returns a tensor of the pool with elements; a new one when there is none.
func (p *player) living() *twin {
	from := p.next(len(p.pool))
	for i := range p.pool {
		if t := p.pool[(from+i)%len(p.pool)]; t.store != nil && !t.dead {
			return t
		}
	}
	return p.new(p.dtype(), p.shape())
}

// axis returns an axis, counted from either end; rarely one that does not exist.
func (p *player) axis(rank int) int {
	if p.rarely(16) {
		return p.next(20) - 10
	}
	if rank == 0 {
		return 0
	}
	return p.next(2*rank) - rank
}

// from turns an axis that may count from the end into one from 0 on.
func from(axis, rank int) (int, bool) {
	if axis < 0 {
		axis += rank
	}
	return axis, axis >= 0 && axis < rank
}

// axes returns some axes; rarely one twice. Without repeats they are also
// returned as a mask.
func (p *player) axes(rank int) (axes []int, mask uint32, ok bool) {
	if rank == 0 && !p.rarely(4) {
		return []int{}, 0, true
	}
	ok, axes = true, []int{}
	for range p.next(min(rank, 3) + 1) {
		a := p.axis(rank)
		i, exists := from(a, max(rank, 1))
		if exists && mask>>i&1 == 1 && !p.rarely(8) {
			continue
		}
		ok = ok && exists && mask>>i&1 == 0
		if axes = append(axes, a); ok {
			mask |= 1 << i
		}
	}
	return axes, mask, ok
}

// shape returns random sizes: up to eight axes, many of size 1, few elements
// but rarely some blocks of a sum.
func (p *player) shape() []int {
	rank := [...]int{0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8}[p.next(15)]
	limit := 60
	sizes := make([]int, rank)
	for i := range sizes {
		n := [...]int{1, 1, 2, 2, 3, 3, 4, 5, 7, 1, 2, 3, 0, 9, 17, 33}[p.next(16)]
		if n > limit {
			n = 1
		}
		sizes[i], limit = n, limit/max(n, 1)
	}
	if rank > 0 && p.rarely(64) { // more than one block
		sizes[p.next(rank)] *= [...]int{1030, 2600}[p.next(2)] / max(shapeSize(sizes), 1)
	}
	return sizes
}

func (p *player) dtype() dtype.DType {
	all := dtype.All()
	return all[p.next(len(all))]
}

// number returns a number for the methods that take any Go number.
func (p *player) number() (any, dtype.Number) {
	v := p.next(256)
	small := int64(v%16 - 3)
	switch p.next(10) {
	case 0:
		return v%2 == 1, dtype.BoolNumber(v%2 == 1)
	case 1:
		return uint8(v), dtype.IntNumber(int64(v))
	case 2:
		return int8(v), dtype.IntNumber(int64(int8(v)))
	case 3:
		return math.MaxUint64 - uint64(v), dtype.UintNumber(math.MaxUint64 - uint64(v))
	case 4:
		return math.MinInt64 + int64(v), dtype.IntNumber(math.MinInt64 + int64(v))
	case 5:
		return float32(v) / 8, dtype.FloatNumber(float64(v) / 8)
	case 6:
		return 0.1 * float64(v), dtype.FloatNumber(0.1 * float64(v))
	case 7:
		f := [...]float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, math.Copysign(0, -1), 1e-310}[v%6]
		return f, dtype.FloatNumber(f)
	}
	return int(small), dtype.IntNumber(small)
}
