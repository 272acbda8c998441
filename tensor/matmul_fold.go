package tensor

import (
	"slices"

	"github.com/stride0/stride0/device"
)

// fold makes one product out of many where a batch axis of one operand is no
// more than further rows or columns: (4096, 256, 1, 100) by (256, 100, 100) is
// not a million products of one row, but 256 products of 4096 rows. Strides
// say it all, so nothing is copied.
func fold(m *device.MatMul) {
	dropOnes(m)
	if m.N == 1 && !m.TransB && m.LDB == 1 { // a contiguous column is a row, stored transposed
		m.TransB, m.LDB = true, max(m.K, 1)
	}
	columns := m.N == 1 && m.TransA && m.M > 1 // a product of rows reads A row after row
	if !foldRows(m) || columns {
		if t, ok := swapped(m); ok && (foldRows(t) || columns) {
			*m = *t
		}
	}
}

// dropOnes leaves out the batch axes of size 1, whose strides mean nothing.
func dropOnes(m *device.MatMul) {
	kept := 0
	batch := slices.Clone(m.Batch)
	for i, n := range m.Batch {
		if n == 1 {
			continue
		}
		batch[kept], m.BatchA[kept], m.BatchB[kept], m.BatchC[kept] = n, m.BatchA[i], m.BatchB[i], m.BatchC[i]
		kept++
	}
	m.Batch, m.BatchA, m.BatchB, m.BatchC = batch[:kept], m.BatchA[:kept], m.BatchB[:kept], m.BatchC[:kept]
}

// foldRows turns batch axes along which B stays the same into rows of A and C.
// It reports whether there were any.
func foldRows(m *device.MatMul) (folded bool) {
	for i := len(m.Batch) - 1; i >= 0; i-- {
		if !foldable(m, i) {
			continue
		}
		if m.M == 1 {
			m.LDC = m.BatchC[i]
			if !m.TransA {
				m.LDA = m.BatchA[i]
			}
		}
		m.M *= m.Batch[i]
		m.Batch, m.BatchA = slices.Delete(m.Batch, i, i+1), slices.Delete(m.BatchA, i, i+1)
		m.BatchB, m.BatchC = slices.Delete(m.BatchB, i, i+1), slices.Delete(m.BatchC, i, i+1)
		folded = true
	}
	return folded
}

// foldable reports whether the rows of batch axis i follow those of the
// matrices, in A and in C, and B is the same for all of them.
func foldable(m *device.MatMul, i int) bool {
	a, c := m.BatchA[i], m.BatchC[i]
	switch {
	case m.BatchB[i] != 0:
		return false
	case m.TransA: // A is stored as (K, M)
		return a == m.M && m.M*m.Batch[i] <= m.LDA && (c == m.M*m.LDC || m.M == 1 && c >= m.N)
	case m.M == 1:
		return a >= max(m.K, 1) && c >= m.N
	}
	return a == m.M*m.LDA && c == m.M*m.LDC
}

// swapped returns the product of the transposed operands in the other order,
// which is the transposed result: (A·B)ᵀ = Bᵀ·Aᵀ. It exists where the result
// is a row or a contiguous column, so that it can be stored either way.
func swapped(m *device.MatMul) (*device.MatMul, bool) {
	ldc := 1
	switch {
	case m.M == 1:
	case m.N == 1 && m.LDC == 1:
		ldc = m.M
	default:
		return nil, false
	}
	return &device.MatMul{DType: m.DType, M: m.N, N: m.M, K: m.K, A: m.B, B: m.A, C: m.C,
		LDA: m.LDB, LDB: m.LDA, LDC: ldc, TransA: !m.TransB, TransB: !m.TransA, Label: m.Label,
		Batch: slices.Clone(m.Batch), BatchA: slices.Clone(m.BatchB), BatchB: slices.Clone(m.BatchA), BatchC: slices.Clone(m.BatchC)}, true
}
