package tensor

// mirror fills an axis of band with its own elements: as a ring, where the
// period is the number n of its elements, or (reflect is 1) with mirror images
// about the outermost elements, n-1 places apart. Each step copies all whole
// periods that are there, so their number doubles.
type mirror struct {
	band    *Tensor
	axis    int
	period  int
	reflect int
}

// fill extends the elements from lo up to hi to the whole axis of that size.
func (m mirror) fill(lo, hi, size int) error {
	for lo > 0 {
		whole := m.whole(lo, hi)
		n := min(lo, whole)
		from := lo - n + whole
		if m.reflect == 1 {
			from = lo + 1
		}
		if err := m.copy(lo-n, from, n); err != nil {
			return err
		}
		lo -= n
	}
	for hi < size {
		whole := m.whole(lo, hi)
		n := min(size-hi, whole)
		from := hi - whole
		if m.reflect == 1 {
			from = hi - 1 - n
		}
		if err := m.copy(hi, from, n); err != nil {
			return err
		}
		hi += n
	}
	return nil
}

// whole returns the places of the whole periods between lo and hi. Only after
// whole periods is the outermost element again one to mirror about.
func (m mirror) whole(lo, hi int) int { return (hi - lo - m.reflect) / m.period * m.period }

// copy copies n places, mirrored if so asked.
func (m mirror) copy(to, from, n int) error {
	src := m.band.part(m.axis, from, from+n)
	defer src.Free()
	if m.reflect == 1 {
		flipped := src.Flip(m.axis)
		defer flipped.Free()
		src = flipped
	}
	return m.band.put(m.axis, to, to+n, src)
}
