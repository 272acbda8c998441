package tensor

import "github.com/stride0/stride0/broadcast"

// Diagonal returns a view of the elements of two axes whose indices differ by
// offset: element k is that of index k on axis1 and k+offset on axis2, or of
// k-offset and k for a negative offset. Both axes disappear and the diagonal
// becomes the last one; it is empty when the offset lies beyond a corner.
// Negative axes count from the end. A write to it changes t: the way to set
// the diagonal of a matrix.
func (t *Tensor) Diagonal(offset, axis1, axis2 int) *Tensor {
	return t.view("diagonal", func(l *broadcast.Layout) (broadcast.Layout, error) {
		return l.Diagonal(offset, axis1, axis2)
	})
}

// Windows returns a view of all windows of size neighbouring elements along an
// axis, each step after the one before: that axis counts the windows and a new
// last axis, of the given size, the elements of each. So x.Windows(-1, 3, 1).Mean(-1)
// is a moving average. What is left at the end and too short for a window is
// left out. Windows that overlap cannot be written.
func (t *Tensor) Windows(axis, size, step int) *Tensor {
	return t.view("windows", func(l *broadcast.Layout) (broadcast.Layout, error) {
		return l.Windows(axis, size, step)
	})
}

// PadLeft returns a view with axes of size 1 in front, as many as make the
// given rank, which must not be below that of t.
func (t *Tensor) PadLeft(rank int) *Tensor {
	return t.view("padleft", func(l *broadcast.Layout) (broadcast.Layout, error) { return l.PadLeft(rank) })
}
