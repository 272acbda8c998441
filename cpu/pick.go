package cpu

import "unsafe"

// pickLoop makes element i of dst element step*i of src. It takes multiples of
// vector elements; with a positive step it may read elements of src between the
// last one and where the next one would be.
type pickLoop struct {
	run    func(n int, dst, src unsafe.Pointer)
	vector int
}

// pick makes the n elements of dst every step-th of src.
func pick[T word](n int, dst, src unsafe.Pointer, step int) {
	var zero T
	elem, done := int(unsafe.Sizeof(zero)), 0
	if step >= -1 && step < len(moves.picks[0])-1 {
		if l := moves.picks[widthIndex(elem)][step+1]; l.run != nil {
			if done = n / l.vector * l.vector; step > 0 {
				done = max(0, n-1) / l.vector * l.vector // an element follows, so that all that is read lies in src
			}
			if done > 0 {
				l.run(done, dst, src)
			}
		}
	}
	d, at := unsafe.Slice((*T)(dst), n)[done:], done*step*elem
	for i := range d {
		d[i] = *(*T)(unsafe.Add(src, at))
		at += step * elem
	}
}
