package cpu

import "gonum.org/v1/gonum/blas"

type float interface{ float32 | float64 }

// gemm is C = alpha·A·B + beta·C as BLAS defines it.
type gemm[T float] func(tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int)

// gonumSplits is the number of blocks of 64×64 of a result from which on gonum
// itself works on several goroutines.
const gonumSplits = 4

// blasProduct is a product computed by BLAS.
type blasProduct[T float] struct {
	*product[T]
	gemm gemm[T]
}

// shortRow is the length up to which one product of a row and a column takes
// less time than a call of BLAS.
const shortRow = 32

// withGemm multiplies the matrices of all batches with BLAS. Products that
// gonum does not split are shared among goroutines.
func withGemm[T float](f gemm[T]) func(p *product[T], count int) {
	return func(p *product[T], count int) {
		if p.M == 1 && p.N == 1 && p.TransB && p.K <= shortRow {
			withLoop(loops[T]{dot: shortDot[T]})(p, count)
			return
		}
		b := &blasProduct[T]{p, f}
		if blocks := ((p.M + 63) / 64) * ((p.N + 63) / 64); blocks >= gonumSplits {
			b.batch(0, count)
			return
		}
		shareRuns(count, addition/4*int64(p.M)*int64(p.N)*int64(p.K), b.batch)
	}
}

// batch multiplies the matrices lo..hi-1.
func (p *blasProduct[T]) batch(lo, hi int) {
	s := scratches.Get().(*scratch)
	left, right := operandOf[T]{prepared: -1}, operandOf[T]{prepared: -1}
	for i := lo; i < hi; i++ {
		p.one(s, i, &left, &right)
	}
	s.done()
}

// one computes one product. Where the right operand is the same as in the
// product before, what was made of it serves again.
func (p *blasProduct[T]) one(s *scratch, i int, left, right *operandOf[T]) {
	a, b, c := p.a.at(p.Batch, i), p.b.at(p.Batch, i), p.c.at(p.Batch, i)
	if right.prepared != b {
		p.prepareRight(s, right, b)
		left.prepared = -1 // its form follows the right one's
	}
	if left.prepared != a {
		p.prepareLeft(s, left, right.trans, a)
	}
	p.gemm(flag(left.trans), flag(right.trans), p.M, p.N, p.K, 1, left.data, left.ld, right.data, right.ld, 0, p.c.all[c:], p.c.ld)
}

func flag(trans bool) blas.Transpose {
	if trans {
		return blas.Trans
	}
	return blas.NoTrans
}

// operandOf is a matrix in the form in which it is multiplied.
type operandOf[T float] struct {
	data     []T
	ld       int
	trans    bool
	prepared int // the offset of the matrix it was made of, -1 for none
}

// prepareRight brings the right matrix at off into a form that gives the right
// result. gonum skips zeros of the left operand, and with them 0·NaN and
// 0·Inf, in all forms but A·Bᵀ: so a right operand that is not finite takes
// that form. There gonum's float32 dot product adds in an order that depends
// on the address of a row of B modulo 16, so rows that are not aligned are
// copied.
func (p *blasProduct[T]) prepareRight(s *scratch, o *operandOf[T], off int) {
	m := &p.b
	o.prepared, o.ld, o.trans = off, m.ld, p.TransB
	o.data = m.all[off:]
	switch {
	case !p.TransB && !m.finite(off):
		o.trans = true
		o.data, o.ld = transposed(&s.right, m, off)
	case p.TransB && !m.aligned(off), m.ld < m.cols:
		o.data, o.ld = copied(&s.right, m, off)
	}
}

// prepareLeft brings the left matrix at off into a form that goes with the
// right one: with a transposed right one it must not be transposed.
func (p *blasProduct[T]) prepareLeft(s *scratch, o *operandOf[T], rightTrans bool, off int) {
	m := &p.a
	o.prepared, o.ld, o.trans = off, m.ld, p.TransA
	o.data = m.all[off:]
	switch {
	case p.TransA && rightTrans:
		o.trans = false
		o.data, o.ld = transposed(&s.left, m, off)
	case m.ld < m.cols:
		o.data, o.ld = copied(&s.left, m, off)
	}
}
