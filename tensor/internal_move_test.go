package tensor

import (
	"testing"

	"github.com/stride0/stride0/dtype"
)

// The views with which elements are moved are given back at once: nothing but
// the result and the operand refers to their storages.
func TestMovementsDropTheirViews(t *testing.T) {
	x := Arange(dtype.Float32, 0, 24, 1).Reshape(2, 3, 4)
	y := x.Unsqueeze(0)
	before := x.store.refs.Load()
	sides := [][2]int{{0, 0}, {7, 7}, {-1, 2}}
	for name, r := range map[string]*Tensor{
		"concat":         Concat(1, x, x.Slice(R(0, 2))),
		"stack":          Stack(1, x, x),
		"tile":           x.Tile(2, 2, 2),
		"repeat":         x.Repeat(1, 3),
		"roll":           x.Roll(1, 1),
		"tril":           x.Tril(1),
		"pad constant":   x.Pad(PadOpts{Sides: sides}),
		"pad edge":       x.Pad(PadOpts{Sides: sides, Mode: PadEdge}),
		"pad reflect":    x.Pad(PadOpts{Sides: sides, Mode: PadReflect}),
		"pad wrap":       x.Pad(PadOpts{Sides: sides, Mode: PadWrap}),
		"a failed pad":   x.Pad(PadOpts{Sides: [][2]int{{9, 9}}, Value: "x"}),
		"a failed stack": Stack(9, x, x),
		"a failed join":  Concat(0, x, nil),
	} {
		if r.failure() == nil && r.store.refs.Load() != 1 {
			t.Errorf("%s: %d references to the result, want 1", name, r.store.refs.Load())
		}
	}
	if after := x.store.refs.Load(); after != before+1 { // and the slice that concat joins
		t.Errorf("%d references to the operand, %d before", after, before)
	}
	_ = y.Free()
}
