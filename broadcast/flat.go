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
