package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// stepwise is what an operation needs that is run as several launches, the
// pieces of its Program: a reduction whose result meets the elements again has
// to be finished first, and a device without a compiler runs one instruction at
// a time. All pieces but the last write temporaries only, so that an operation
// that fails has written nothing. The temporaries and the largest tree of a
// piece share one block of memory.
type stepwise struct {
	pieces      []kernels.Piece
	whole       *kernels.Program // what they are pieces of
	at          []int64          // per value of whole: where its temporary lies in the block, or noTemporary
	over        []kernels.Space  // per value of whole that has a temporary: what that runs over
	tree        int64            // where the tree lies
	temporaries [3]spaceOf       // by kernels.Space
	layouts     []*broadcast.Layout
	operands    []device.Operand
	scalars     []uint64
	small       *Tensor // memory on the CPU that is kept for blocks of at most maxSmall bytes
}

// spaceOf is one of the spaces of pieces, and the layout of temporaries over it.
type spaceOf struct {
	shape  Shape
	layout broadcast.Layout
}

// noTemporary marks a value that has none: an operand, or the result.
const noTemporary = -1

// clear drops what refers to operands; what is only room stays.
func (s *stepwise) clear() {
	s.pieces, s.whole = nil, nil
	clear(s.layouts)
	clear(s.operands)
}

// splitMode says how finely the device wants Programs to be cut.
func (k *task) splitMode() kernels.SplitMode {
	if _, ok := k.dev.(*cpu.Device); ok || k.dev == nil {
		return kernels.SplitRunnable
	}
	return device.SplitMode(k.dev)
}

// laySpaces fills in the spaces of pieces.
func (k *task) laySpaces() {
	s := &k.steps
	full, kept, one := &s.temporaries[kernels.FullSpace], &s.temporaries[kernels.KeptSpace], &s.temporaries[kernels.OneSpace]
	full.shape = append(full.shape[:0], k.space...)
	kept.shape, one.shape = append(kept.shape[:0], k.space...), append(one.shape[:0], k.space...)
	for i := range one.shape {
		one.shape[i] = 1
		if k.reduced.Has(i) {
			kept.shape[i] = 1
		}
	}
	for i := range s.temporaries {
		s.temporaries[i].layout = broadcast.RowMajor(s.temporaries[i].shape)
	}
}

// layTemporaries decides where in their block the temporaries lie, for a
// result of that layout, and returns the bytes of the block.
func (k *task) layTemporaries(out *broadcast.Layout) int64 {
	const line = 64 // temporaries begin at a cache line
	s := &k.steps
	s.whole = k.launch.Program
	k.laySpaces()
	s.at, s.over = s.at[:0], s.over[:0]
	for range s.whole.Instrs {
		s.at, s.over = append(s.at, noTemporary), append(s.over, kernels.FullSpace)
	}
	bytes := int64(0)
	for i := range s.pieces {
		piece := &s.pieces[i]
		for _, v := range piece.Outputs {
			if v == s.whole.Outputs[0] {
				continue
			}
			s.at[v], s.over[v] = bytes, piece.Space
			if s.whole.Instrs[v].Reduced {
				s.over[v] = kernels.KeptSpace // a reduction runs over more than it yields
			}
			elements := int64(s.temporaries[s.over[v]].layout.Size())
			bytes += (elements*int64(s.whole.TypeOf(v).Size()) + line - 1) / line * line
		}
	}
	s.tree = bytes
	for i := range s.pieces {
		k.planPiece(&s.pieces[i], out)
		bytes = max(bytes, s.tree+kernels.Scratch(s.pieces[i].Program, &k.plan))
	}
	return bytes
}

// planPiece plans the launch of a piece, for a result of that layout.
func (k *task) planPiece(piece *kernels.Piece, out *broadcast.Layout) {
	s := &k.steps
	result := s.whole.Outputs[0]
	if s.whole.Instrs[result].Reduced {
		out = &k.keptOut
	}
	s.layouts = s.layouts[:0]
	for _, v := range piece.Inputs {
		s.layouts = append(s.layouts, k.layoutOf(v, out))
	}
	for _, v := range piece.Outputs {
		s.layouts = append(s.layouts, k.layoutOf(v, out))
	}
	over, reduced := piece.Space, broadcast.AxisMask(0)
	if over == kernels.OneSpace && piece.Outputs[0] == result {
		over = kernels.FullSpace // a result made of scalars alone still has its shape
	}
	if piece.Program.Reduce >= 0 {
		reduced = k.reduced
	}
	k.plan.Build(s.temporaries[over].shape, reduced, k.indexed, len(piece.Outputs), s.layouts...)
}

// layoutOf returns the layout of a value that pieces read or yield: of a
// temporary, an operand, or the result.
func (k *task) layoutOf(v kernels.Value, out *broadcast.Layout) *broadcast.Layout {
	switch {
	case k.steps.at[v] != noTemporary:
		return &k.steps.temporaries[k.steps.over[v]].layout
	case k.steps.whole.Instrs[v].Op == kernels.OpInput:
		return k.operand(v).layout
	}
	return out
}

// placeOf returns where such a value lies. The Plan has the offsets of layouts.
func (k *task) placeOf(v kernels.Value, block device.Buffer) device.Operand {
	switch {
	case k.steps.at[v] != noTemporary:
		return device.Operand{Buffer: block, Offset: k.steps.at[v]}
	case k.steps.whole.Instrs[v].Op == kernels.OpInput:
		return device.Operand{Buffer: k.operand(v).store.buf}
	}
	return device.Operand{Buffer: k.out.store.buf}
}

// operand returns the operand that the OpInput v stands for: input slots count
// the operands that have elements.
func (k *task) operand(v kernels.Value) *Tensor {
	slot := int(k.steps.whole.Instrs[v].Slot)
	for _, t := range k.in[:k.arity] {
		if t.store == nil {
			continue
		}
		if slot == 0 {
			return t
		}
		slot--
	}
	return nil // a Program of one operation has an input for each such operand
}

// enqueuePieces hands the pieces to the device, in order.
func (k *task) enqueuePieces() error {
	bytes := k.layTemporaries(k.out.layout)
	if err := k.countReduced(); err != nil {
		return err
	}
	block, lent, err := k.block(bytes)
	if err != nil {
		return err
	}
	if !lent {
		defer block.Free()
	}
	for i := range k.steps.pieces {
		if err := k.enqueuePiece(&k.steps.pieces[i], block); err != nil {
			return err
		}
	}
	return nil
}

// block returns memory for temporaries; lent means that it is the task's own,
// which a CPU, done when Run returns, can use again and again.
func (k *task) block(bytes int64) (buf device.Buffer, lent bool, err error) {
	if bytes <= maxSmall && k.dev == device.Device(host()) {
		if k.steps.small == nil {
			k.steps.small = newSmall(maxSmall, dtype.Uint8, &rank0)
		}
		return k.steps.small.store.buf, true, nil
	}
	buf, err = k.dev.Alloc(bytes)
	return buf, false, err
}

// enqueuePiece plans one piece and hands it to the device.
func (k *task) enqueuePiece(piece *kernels.Piece, block device.Buffer) error {
	s, l := &k.steps, &k.launch
	k.planPiece(piece, k.out.layout)
	s.operands, s.scalars = s.operands[:0], s.scalars[:0]
	for _, v := range piece.Inputs {
		s.operands = append(s.operands, k.placeOf(v, block))
	}
	for _, v := range piece.Outputs {
		s.operands = append(s.operands, k.placeOf(v, block))
	}
	for _, slot := range piece.Scalars {
		s.scalars = append(s.scalars, k.scalars[slot])
	}
	*l = device.Launch{Program: piece.Program, Plan: &k.plan, Label: opName(k.Op), Scalars: s.scalars}
	l.Inputs, l.Outputs = s.operands[:len(piece.Inputs)], s.operands[len(piece.Inputs):]
	if kernels.Scratch(piece.Program, &k.plan) > 0 {
		l.Scratch = device.Operand{Buffer: block, Offset: s.tree}
	}
	return k.run()
}
