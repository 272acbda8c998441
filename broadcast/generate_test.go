package broadcast

// source turns the bytes of a fuzz input into small numbers; once they are
// used up it gives zeros.
type source struct{ data []byte }

// below returns a number from 0 to n-1.
func (s *source) below(n int) int {
	if len(s.data) == 0 {
		return 0
	}
	b := int(s.data[0])
	s.data = s.data[1:]
	return b % n
}

// oneIn reports true once in n inputs.
func (s *source) oneIn(n int) bool { return s.below(n) == n-1 }

// sizes returns at most rank sizes below limit, with at most most elements.
// Zeros are rare: they end all further interest.
func (s *source) sizes(rank, limit, most int) []int {
	sizes := make([]int, s.below(rank+1))
	total := 1
	for i := range sizes {
		sizes[i] = 1 + s.below(limit)
		if s.oneIn(16) {
			sizes[i] = 0
		}
		if total*sizes[i] > most {
			sizes[i] = 1
		}
		if sizes[i] > 0 {
			total *= sizes[i]
		}
	}
	return sizes
}

// stretchable returns sizes that broadcast to space: some are 1, some leading
// ones are missing.
func (s *source) stretchable(space []int) []int {
	sizes := append([]int(nil), space...)
	for i := range sizes {
		if s.oneIn(3) {
			sizes[i] = 1
		}
	}
	if s.oneIn(3) {
		sizes = sizes[s.below(len(sizes)+1):]
	}
	return sizes
}

// shapes returns one to four shapes, most of which broadcast together.
func (s *source) shapes() (shapes []Shape) {
	base := s.sizes(5, 4, 1<<20)
	for range 1 + s.below(4) {
		shape := Shape(s.stretchable(base))
		if len(shape) > 0 && s.oneIn(5) {
			shape[s.below(len(shape))] = s.below(4)
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// operand returns an operand of the given sizes: permuted, stepped, reversed,
// with gaps, or anything at all. An output moves on every axis.
func (s *source) operand(sizes []int, output bool) operand {
	o := operand{sizes: sizes, strides: make([]int, len(sizes)), offset: s.below(4)}
	wild := !output && s.oneIn(4)
	left := make([]int, len(sizes))
	for i := range left {
		left[i] = i
	}
	stride := 1
	shuffled := s.oneIn(3)
	for n := len(left); n > 0; n-- {
		pick := n - 1
		if shuffled {
			pick = s.below(n)
		}
		i := left[pick]
		left = append(left[:pick], left[pick+1:]...)
		if s.oneIn(8) {
			stride *= 2
		}
		o.strides[i] = stride
		if wild {
			o.strides[i] = s.below(7)
		}
		if s.oneIn(5) {
			o.strides[i] = -o.strides[i]
		}
		if sizes[i] == 1 && s.oneIn(2) {
			o.strides[i] = 77
		}
		stride *= max(sizes[i], 1)
	}
	for i, n := range sizes {
		if n > 0 && o.strides[i] < 0 {
			o.offset -= (n - 1) * o.strides[i]
		}
	}
	return o
}

// launch returns an operation over a space of at most rank axes of sizes up to
// limit, with at most most elements.
func (s *source) launch(rank, limit, most int) launch {
	c := launch{space: s.sizes(rank, limit, most), outputs: 1}
	if s.oneIn(8) {
		c.outputs = 2
	}
	if s.oneIn(2) {
		c.reduced = AxisMask(s.below(256))
	}
	if s.oneIn(4) {
		c.indexed = AxisMask(s.below(256))
	}
	c.reduced &= 1<<len(c.space) - 1
	c.indexed &= 1<<len(c.space) - 1
	for range s.below(4) {
		sizes := s.stretchable(c.space)
		c.operands = append(c.operands, s.operand(sizes, false))
	}
	results := append([]int(nil), c.space...)
	for i := range results {
		if c.reduced>>i&1 != 0 {
			results[i] = 1
		}
	}
	for range c.outputs {
		c.operands = append(c.operands, s.operand(results, true))
	}
	return c
}
