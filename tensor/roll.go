package tensor

import "github.com/stride0/stride0/broadcast"

// Roll moves every element n places up an axis; those pushed over the end
// come back at its beginning: [1 2 3] rolled by 1 is [3 1 2]. A negative n
// moves down. Negative axes count from the end.
func (t *Tensor) Roll(axis, n int) *Tensor {
	at := 0
	return t.moved("roll", func(l *broadcast.Layout) (shape Shape, err error) {
		at, err = l.Axis(axis)
		return l.Shape(), err
	}, func(out, src *Tensor) error {
		size := src.layout.Dim(at)
		shift := (n%size + size) % size
		head, tail := src.part(at, 0, size-shift), src.part(at, size-shift, size)
		defer head.Free()
		defer tail.Free()
		if err := out.put(at, shift, size, head); err != nil {
			return err
		}
		return out.put(at, 0, shift, tail)
	})
}
