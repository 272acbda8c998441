package broadcast

// buildFlat is Build for the commonest launch by far, small tensors above all:
// every operand is contiguous or has one element. It comes to what Build makes
// of it, one axis or none, and reports whether it did.
func (p *Plan) buildFlat(space Shape, operands []*Layout) bool {
	n, logical := 1, -1
	for i, size := range space {
		switch {
		case size == 1:
		case n == 1:
			n, logical = size, i
		default:
			n, logical = n*size, -1
		}
	}
	if n == 0 {
		return false
	}
	for _, l := range operands {
		if size, contiguous := l.contiguous(); size != 1 && (size != n || !contiguous) {
			return false
		}
	}
	p.Sizes, p.Logical = p.Sizes[:0], p.Logical[:0]
	if n > 1 {
		p.Sizes, p.Logical = append(p.Sizes, n), append(p.Logical, logical)
	}
	p.Kept, p.Outer, p.Inner = len(p.Sizes), n, 1
	p.resize(p.Kept, len(operands))
	for o, l := range operands {
		stride, class := 1, Contiguous
		if n > 1 && l.Size() == 1 {
			stride, class = 0, Scalar
		}
		p.Offsets[o], p.Classes[o] = l.offset, class
		for k := range p.Strides[o] {
			p.Strides[o][k] = stride
		}
	}
	return true
}

// EndsWith reports whether the sizes of m are the last sizes of l.
func (l *Layout) EndsWith(m *Layout) bool {
	more := l.rank - m.rank
	if more < 0 {
		return false
	}
	a, b := l.axes()[more:], m.axes()
	for i := range b {
		if a[i].size != b[i].size {
			return false
		}
	}
	return true
}

// SameShape reports whether l and m have the same sizes.
func (l *Layout) SameShape(m *Layout) bool { return l.rank == m.rank && l.EndsWith(m) }

// AtStart returns the contiguous layout l moved to offset 0: that of a fresh
// tensor of its shape.
func (l *Layout) AtStart() Layout {
	m := *l
	m.offset = 0
	return m
}
