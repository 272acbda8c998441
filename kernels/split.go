package kernels

import "sync"

// Piece is one runnable part of a Program that was split. Its inputs are
// inputs of the Program or values of earlier pieces.
type Piece struct {
	Program *Program
	Inputs  []Value // what each input slot carries: an OpInput of the Program, or a value an earlier piece yields
	Scalars []int   // the Program's scalar slot behind each scalar slot
	Outputs []Value // the values it yields, in the order of its outputs
	Space   Space   // what it runs over
}

// Space is the iteration space of a Piece, and so the shape of what it yields.
type Space uint8

// The spaces.
const (
	FullSpace Space = iota // the Program's own; a reduction yields its kept axes
	KeptSpace              // the kept axes only: all values are Reduced ones
	OneSpace               // one element: all values are made of scalars
)

// SplitMode says how finely Split cuts.
type SplitMode uint8

// The modes.
const (
	SplitRunnable SplitMode = iota // only where a device need not run the whole
	SplitSingle                    // one operation a piece: for devices without a compiler

	splitModes
)

// Split cuts p into pieces that every device must run, in order. A Reduced
// value that feeds a Full one leaves its piece and comes back as a broadcast
// input; Full values are computed again in each piece that needs them. With
// SplitSingle a value made of scalars only is yielded once, as one element.
func Split(p *Program, mode SplitMode) ([]Piece, error) {
	if mode == SplitRunnable && p.Runnable() {
		return []Piece{whole(p)}, nil
	}
	s := splitter{p: p, mode: mode, stored: map[Value]bool{}}
	s.mark()
	for _, group := range s.groups() {
		if err := s.emit(group); err != nil {
			return nil, err
		}
	}
	return s.pieces, nil
}

// Pieces returns the pieces of p, those of Split. They are cut the first time
// they are asked for; the caller must not change them.
func (p *Program) Pieces(mode SplitMode) ([]Piece, error) {
	s := &p.split[mode]
	s.once.Do(func() { s.pieces, s.err = Split(p, mode) })
	return s.pieces, s.err
}

// onceSplit is what Pieces remembers.
type onceSplit struct {
	once   sync.Once
	pieces []Piece
	err    error
}

// whole is the Program as its only piece.
func whole(p *Program) Piece {
	piece := Piece{Program: p, Inputs: make([]Value, len(p.Inputs)), Outputs: p.Outputs}
	for i := range piece.Inputs {
		piece.Inputs[i] = -1
	}
	for v, in := range p.Instrs {
		if in.Op == OpInput {
			piece.Inputs[in.Slot] = Value(v)
		}
	}
	for i := range p.Scalars {
		piece.Scalars = append(piece.Scalars, i)
	}
	return piece
}

type splitter struct {
	p      *Program
	mode   SplitMode
	cut    []bool // values that a piece yields
	stored map[Value]bool
	pieces []Piece
}

// mark decides which values pieces yield: the outputs, and every Reduced value
// that something outside its own piece reads.
func (s *splitter) mark() {
	s.cut = make([]bool, len(s.p.Instrs))
	for _, v := range s.p.Outputs {
		s.cut[v] = true
	}
	for v, in := range s.p.Instrs {
		if s.mode == SplitSingle && in.NArg > 0 {
			s.cut[v] = true
		}
		for _, a := range s.p.Arguments(Value(v)) {
			from := s.p.Instrs[a]
			if from.Reduced && (!in.Reduced || s.reduceOf(a) != s.reduceOf(Value(v))) {
				s.cut[a] = true
			}
		}
	}
}

// several marks a Reduced value made from more than one reduction.
const several Value = -2

// reduceOf returns the one reduction that the Reduced value v is made from, or several.
func (s *splitter) reduceOf(v Value) Value {
	in := s.p.Instrs[v]
	if in.Op.Row() != nil && in.Op.Row().Reduce != nil {
		return v
	}
	root := Value(-1)
	for _, a := range s.p.Arguments(v) {
		if !s.p.Instrs[a].Reduced {
			continue
		}
		switch r := s.reduceOf(a); {
		case root == -1:
			root = r
		case root != r:
			return several
		}
	}
	return root
}

// group is the set of values that one piece yields.
type group struct {
	outs  []Value
	space Space
}

// groups orders the pieces: values of one reduction together, values of
// several reductions one by one, Full outputs together at the end.
func (s *splitter) groups() []group {
	var gs []group
	of := map[Value]int{}
	var full []Value
	for v, in := range s.p.Instrs {
		v := Value(v)
		switch root := s.reduceOf(v); {
		case !s.cut[v]:
		case s.mode == SplitSingle:
			gs = append(gs, group{[]Value{v}, s.spaceOf(v)})
		case !in.Reduced:
			full = append(full, v)
		case root == several:
			gs = append(gs, group{[]Value{v}, KeptSpace})
		default:
			i, ok := of[root]
			if !ok {
				i = len(gs)
				of[root] = i
				gs = append(gs, group{})
			}
			gs[i].outs = append(gs[i].outs, v)
		}
	}
	if len(full) > 0 {
		gs = append(gs, group{outs: full})
	}
	return gs
}

// spaceOf returns the space of the instruction v on its own.
func (s *splitter) spaceOf(v Value) Space {
	in := s.p.Instrs[v]
	switch {
	case in.Op.Row().Reduce != nil:
		return FullSpace
	case in.Reduced:
		return KeptSpace
	case s.uniform(v):
		return OneSpace
	}
	return FullSpace
}

// uniform reports whether v is made of scalars only.
func (s *splitter) uniform(v Value) bool {
	in := s.p.Instrs[v]
	if in.NArg == 0 {
		return in.Op == OpScalar
	}
	for _, a := range s.p.Arguments(v) {
		if !s.uniform(a) {
			return false
		}
	}
	return in.Op.Row().Reduce == nil
}

// emit builds the piece of a group.
func (s *splitter) emit(g group) error {
	c := pieceBuilder{s: s, b: NewBuilder(), at: map[Value]Value{}, piece: Piece{Outputs: g.outs, Space: g.space}}
	for _, v := range g.outs {
		c.b.Output(c.value(v, true))
	}
	var err error
	if c.piece.Program, err = c.b.Program(); err != nil {
		return err
	}
	for _, v := range g.outs {
		s.stored[v] = true
	}
	s.pieces = append(s.pieces, c.piece)
	return nil
}

type pieceBuilder struct {
	s     *splitter
	b     *Builder
	at    map[Value]Value // where a value of the Program stands in the piece
	piece Piece
}

// value brings v into the piece: by computing it, or as an input when an
// earlier piece yields it.
func (c *pieceBuilder) value(v Value, compute bool) Value {
	if x, ok := c.at[v]; ok {
		return x
	}
	in := c.s.p.Instrs[v]
	var x Value
	switch {
	case in.Op == OpInput || c.s.stored[v] && !compute:
		x = c.b.Input(in.Type)
		c.piece.Inputs = append(c.piece.Inputs, v)
	case in.Op == OpScalar && int(in.Slot) == c.s.p.CountSlot:
		x = c.b.Count(in.Type)
		c.piece.Scalars = append(c.piece.Scalars, int(in.Slot))
	case in.Op == OpScalar:
		x = c.b.Scalar(in.Type)
		c.piece.Scalars = append(c.piece.Scalars, int(in.Slot))
	case in.Op == OpIndex:
		x = c.b.Index(int(in.Slot))
	default:
		args := make([]Value, in.NArg)
		for i, a := range c.s.p.Arguments(v) {
			args[i] = c.value(a, false)
		}
		x = c.b.apply(in.Op, in.Type, args...)
	}
	c.at[v] = x
	return x
}
