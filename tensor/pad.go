package tensor

import (
	"github.com/stride0/stride0/broadcast"
)

// PadMode says what Pad puts beside the elements.
type PadMode uint8

// The modes, with what they make of [1 2 3] padded by 4 at either end.
const (
	PadConstant PadMode = iota // a number: 0 0 0 0 1 2 3 0 0 0 0
	PadEdge                    // the outermost element: 1 1 1 1 1 2 3 3 3 3 3
	PadReflect                 // the mirror image about the outermost element: 1 2 3 2 1 2 3 2 1 2 3
	PadWrap                    // the axis as a ring: 3 1 2 3 1 2 3 1 2 3 1
)

// PadOpts are the options of Pad.
type PadOpts struct {
	// Sides are the places to add before and after each axis; a negative
	// number takes places away. Of fewer pairs than axes the last belongs to
	// the last axis, and the axes on the left stay as they are.
	Sides [][2]int
	Mode  PadMode
	// Value is what PadConstant adds: a Go bool, integer or float that the
	// dtype holds; nil is 0 or false.
	Value any
}

// Pad returns t with places added around it:
//
//	framed := image.Pad(tensor.PadOpts{Sides: [][2]int{{1, 1}, {1, 1}}, Mode: tensor.PadEdge})
//
// Errors: more Sides than axes; more places taken away than there are; an axis
// of size 0 to be padded with its own elements; a Value that does not fit.
func (t *Tensor) Pad(opts PadOpts) *Tensor {
	p := &padding{PadOpts: opts}
	return t.moved("pad", func(l *broadcast.Layout) (Shape, error) {
		if opts.Mode > PadWrap {
			return nil, errorf("no such PadMode: %d; use PadConstant, PadEdge, PadReflect or PadWrap", opts.Mode)
		}
		if err := p.setValue(t); err != nil {
			return nil, err
		}
		return p.plan(l.Shape())
	}, p.fill)
}

// padding is one call of Pad. After plan its Sides are one pair for each axis.
type padding struct {
	PadOpts
	value *Tensor // a Scalar
	kept  []Range // what is not taken away of the operand
	inner []Range // where that lies in the result
}

// setValue checks Value against the dtype of t.
func (p *padding) setValue(t *Tensor) error {
	p.value = zeroOf(t.elementType())
	if p.Value == nil {
		return nil
	}
	n, err := numberOf(p.Value)
	if err != nil {
		return err
	}
	p.value = weakScalar(n)
	return checkFits(n, t.elementType())
}

// plan returns the shape of the result.
func (p *padding) plan(from Shape) (Shape, error) {
	missing := len(from) - len(p.Sides)
	if missing < 0 {
		return nil, &broadcast.ShapeError{Shapes: []Shape{from},
			Msg:  itoa(len(p.Sides)) + " pairs of Sides for the " + itoa(len(from)) + " axes of " + from.String(),
			Hint: "give one pair for each axis, or for the last few; Unsqueeze adds axes"}
	}
	p.Sides = append(make([][2]int, missing), p.Sides...)
	p.kept, p.inner = make([]Range, len(from)), make([]Range, len(from))
	shape := make(Shape, len(from))
	for i, size := range from {
		before, after := p.Sides[i][0], p.Sides[i][1]
		if err := p.checkAxis(from, i); err != nil {
			return nil, err
		}
		first, last := max(-before, 0), size+min(after, 0)
		before, after = max(before, 0), max(after, 0)
		p.kept[i], p.inner[i] = R(first, last), R(before, before+last-first)
		for _, n := range [...]int{before, last - first, after} {
			if shape[i] += n; shape[i] < 0 {
				return nil, &broadcast.ShapeError{Axis: i - len(from), Shapes: []Shape{from}, Msg: "too many elements", Hint: "pad with less"}
			}
		}
	}
	return shape, nil
}

// checkAxis makes sure that axis i can be padded.
func (p *padding) checkAxis(from Shape, i int) error {
	size, before, after := from[i], p.Sides[i][0], p.Sides[i][1]
	kept := -1
	if before >= -size && after >= -size { // else adding them up could overflow
		kept = size + min(before, 0) + min(after, 0)
	}
	axis := "axis " + itoa(i-len(from)) + " of " + from.String()
	switch {
	case kept < 0:
		return &broadcast.ShapeError{Axis: i - len(from), Shapes: []Shape{from},
			Msg:  "Sides " + itoa(before) + " and " + itoa(after) + " take away more than " + axis + " has",
			Hint: "negative Sides add up to the size at most"}
	case kept == 0 && p.Mode != PadConstant && max(before, after) > 0:
		return &broadcast.ShapeError{Axis: i - len(from), Shapes: []Shape{from},
			Msg: "nothing is left of " + axis + " to pad it with", Hint: "use PadConstant"}
	}
	return nil
}

// fill copies the operand and pads one axis after the other; each takes the
// padding of those before it along, so corners come out right.
func (p *padding) fill(out, src *Tensor) error {
	kept, inner := src.Slice(p.kept...), out.Slice(p.inner...)
	defer kept.Free()
	defer inner.Free()
	if err := inner.Assign(kept); err != nil {
		return err
	}
	ranges := append([]Range(nil), p.inner...)
	for i, r := range p.inner {
		ranges[i] = All
		band := out.Slice(ranges...)
		defer band.Free()
		if err := p.fillAxis(band, i, r.Start, r.Stop); err != nil {
			return err
		}
	}
	return nil
}

// fillAxis fills an axis of band on both sides of its elements from lo up to
// hi.
func (p *padding) fillAxis(band *Tensor, axis, lo, hi int) error {
	size := band.layout.Dim(axis)
	switch {
	case lo == 0 && hi == size:
		return nil
	case p.Mode == PadConstant:
		return putBoth(band, axis, lo, hi, p.value, p.value)
	case p.Mode == PadEdge || p.Mode == PadReflect && hi-lo == 1:
		first, last := band.part(axis, lo, lo+1), band.part(axis, hi-1, hi)
		defer first.Free()
		defer last.Free()
		return putBoth(band, axis, lo, hi, first, last)
	}
	m := mirror{band: band, axis: axis, period: hi - lo}
	if p.Mode == PadReflect {
		m.period, m.reflect = hi-lo-1, 1
	}
	return m.fill(lo, hi, size)
}

// putBoth copies before and after to the indices below lo and from hi on.
func putBoth(band *Tensor, axis, lo, hi int, before, after *Tensor) error {
	if err := band.put(axis, 0, lo, before); err != nil {
		return err
	}
	return band.put(axis, hi, band.layout.Dim(axis), after)
}
