package cpu

import (
	"math"

	"gonum.org/v1/gonum/blas/gonum"
)

// halfType is a float type of 16 bits: how its elements become float32, exactly,
// and float32 become elements, rounded once, ties to even.
type halfType struct {
	widen  func(h uint16) float32
	narrow func(x float32) uint16
}

var (
	binary16 = halfType{widenBinary16, narrowBinary16}
	brain16  = halfType{widenBrain16, narrowBrain16}
)

// halfRows is the number of rows of a result that are computed at once: so
// many rows of A and C, and one matrix B, are held in float32.
const halfRows = 256

// withHalves multiplies the matrices of all batches in float32.
func withHalves(h halfType) func(p *product[uint16], count int) {
	return func(p *product[uint16], count int) {
		if blocks := ((min(p.M, halfRows) + 63) / 64) * ((p.N + 63) / 64); blocks >= gonumSplits {
			h.batch(p, 0, count) // gonum itself works on several goroutines
			return
		}
		shared(count, int64(p.M)*int64(p.N)*int64(p.K), func(lo, hi int) { h.batch(p, lo, hi) })
	}
}

// batch multiplies the matrices lo..hi-1.
func (h halfType) batch(p *product[uint16], lo, hi int) {
	wide := scratches.Get().(*scratch) // the operands in float32
	forms := scratches.Get().(*scratch)
	defer wide.done()
	defer forms.done()
	prepared := -1
	var right matrices[float32]
	for i := lo; i < hi; i++ {
		if b := p.b.at(p.Batch, i); b != prepared {
			right = h.widened(&wide.right, &p.b, b, p.b.rows, p.b.cols)
			prepared = b
		}
		a, c := p.a.at(p.Batch, i), p.c.at(p.Batch, i)
		for r := 0; r < p.M; r += halfRows {
			h.rows(p, wide, forms, a, &right, c, r, min(halfRows, p.M-r))
		}
	}
}

// rows computes n rows of a result from row r on.
func (h halfType) rows(p *product[uint16], wide, forms *scratch, a int, right *matrices[float32], c, r, n int) {
	m := *p.MatMul
	m.M, m.Batch = n, nil
	f := &blasProduct[float32]{&product[float32]{MatMul: &m, b: *right}, gonum.Implementation{}.Sgemm}
	if p.TransA {
		f.a = h.widened(&wide.left, &p.a, a+r, p.K, n)
	} else {
		f.a = h.widened(&wide.left, &p.a, a+r*p.a.ld, n, p.K)
	}
	f.c = matrices[float32]{all: room[float32](&wide.result, n*p.N), rows: n, cols: p.N, ld: p.N}
	f.one(forms, 0, &operandOf[float32]{prepared: -1}, &operandOf[float32]{prepared: -1})
	for i := range n {
		dst := p.c.all[c+(r+i)*p.c.ld:][:p.N]
		for j, x := range f.c.all[i*p.N:][:p.N] {
			dst[j] = h.narrow(x)
		}
	}
}

// widened returns a matrix of rows and cols as stored from off on, in float32.
func (h halfType) widened(mem *[]byte, x *matrices[uint16], off, rows, cols int) matrices[float32] {
	ld := alignedRow[float32](cols)
	w := matrices[float32]{all: room[float32](mem, rows*ld), rows: rows, cols: cols, ld: ld}
	for r := range rows {
		dst := w.all[r*ld:][:cols]
		for i, v := range x.all[off+r*x.ld:][:cols] {
			dst[i] = h.widen(v)
		}
	}
	return w
}

// widenBinary16 moves exponent and fraction to where float32 has them. Then
// only the bias is wrong, which a product with 2^112 mends, for subnormals
// too: float32 has bias 127, binary16 15. NaN and Inf have all exponent bits.
func widenBinary16(h uint16) float32 {
	const infinite = 0x7c00 << 13
	sign, rest := uint32(h&0x8000)<<16, uint32(h&0x7fff)<<13
	if rest >= infinite {
		return math.Float32frombits(sign | 0x7f800000 | rest&0x7fffff)
	}
	x := math.Float32frombits(rest) * 0x1p112
	return math.Float32frombits(sign | math.Float32bits(x))
}

// narrowBinary16 rounds to binary16. Below 2^-14, its least normal number, the
// sum with 1/2 has its last bit where a subnormal of binary16 has it, 2^-24;
// above, half a unit less one, and one where the last bit kept is odd, rounds
// ties to even; a carry moves on into the exponent, up to Inf.
func narrowBinary16(x float32) uint16 {
	p := math.Float32bits(x)
	sign, rest := uint16(p>>16&0x8000), p&0x7fffffff
	switch {
	case rest > 0x7f800000: // NaN
		return sign | 0x7e00
	case rest >= 0x477ff000: // from 65520 on
		return sign | 0x7c00
	case rest < 0x38800000: // below 2^-14
		return sign | uint16(math.Float32bits(math.Float32frombits(rest)+0.5)-math.Float32bits(0.5))
	}
	return sign | uint16((rest-112<<23+0xfff+rest>>13&1)>>13)
}

// widenBrain16: a bfloat16 is the upper half of a float32.
func widenBrain16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// narrowBrain16 rounds ties to even as narrowBinary16 does.
func narrowBrain16(x float32) uint16 {
	p := math.Float32bits(x)
	if p&0x7fffffff > 0x7f800000 { // NaN
		return uint16(p>>16) | 0x40
	}
	return uint16((p + 0x7fff + p>>16&1) >> 16)
}
