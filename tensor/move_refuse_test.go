package tensor_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func TestMovementsRefuse(t *testing.T) {
	x := iota32(2, 3)
	pad := func(x *tensor.Tensor, mode tensor.PadMode, value any, sides ...[2]int) error {
		return x.Pad(tensor.PadOpts{Sides: sides, Mode: mode, Value: value}).Err()
	}
	for name, c := range map[string]struct {
		err   error
		parts []string
	}{
		"roll axis":                {x.Roll(2, 1).Err(), []string{"roll: axis 2 is out of range for (2, 3)", "move_refuse_test.go"}},
		"repeat axis":              {x.Repeat(-3, 1).Err(), []string{"repeat: axis -3"}},
		"repeat less than never":   {x.Repeat(0, -1).Err(), []string{"repeat: cannot repeat -1 times"}},
		"tile less than never":     {x.Tile(-1, 2).Err(), []string{"tile: cannot repeat -1 times"}},
		"tile overflows":           {x.Tile(math.MaxInt/2, 1).Err(), []string{"tile", "too many"}},
		"repeat overflows":         {x.Repeat(0, math.MaxInt).Err(), []string{"repeat", "too many"}},
		"tile beyond ranks":        {x.Tile(make([]int, 33)...).Err(), []string{"tile", "at most 32"}},
		"pad more than axes":       {pad(x, tensor.PadEdge, nil, [2]int{}, [2]int{}, [2]int{}), []string{"pad: 3 pairs of Sides for the 2 axes of (2, 3)"}},
		"pad overflows":            {pad(x, tensor.PadConstant, nil, [2]int{math.MaxInt, math.MaxInt}), []string{"pad", "too many"}},
		"pad takes too much":       {pad(x, tensor.PadConstant, nil, [2]int{-2, -2}), []string{"pad: Sides -2 and -2 take away more than axis -1 of (2, 3) has"}},
		"pad takes the least":      {pad(x, tensor.PadConstant, nil, [2]int{math.MinInt, 0}), []string{"take away more"}},
		"pad takes too much after": {pad(x, tensor.PadConstant, nil, [2]int{9, -4}), []string{"take away more"}},
		"pad of nothing":           {pad(x.Slice(tensor.R(0, 0)), tensor.PadEdge, nil, [2]int{1, 0}, [2]int{}), []string{"pad: nothing is left of axis -2 of (0, 3)", "PadConstant"}},
		"pad value too large":      {pad(x.Cast(dtype.Uint8), tensor.PadConstant, 256, [2]int{1, 1}), []string{"pad", "256"}},
		"pad value of a kind":      {pad(x, tensor.PadConstant, "0", [2]int{1, 1}), []string{"pad: string is not a number type"}},
		"pad mode":                 {pad(x, tensor.PadMode(9), nil, [2]int{1, 1}), []string{"pad: no such PadMode: 9"}},
		"tril of a vector":         {iota32(3).Tril(0).Err(), []string{"tril: (3) is not a matrix", "Unsqueeze"}},
		"triu of a Scalar":         {tensor.Scalar(1).Triu(0).Err(), []string{"triu: () is not a matrix"}},
		"roll of nil":              {(*tensor.Tensor)(nil).Roll(0, 1).Err(), []string{"roll", "nil"}},
		"tril of failed":           {x.Add(iota32(2)).Tril(1).Err(), []string{"add: cannot broadcast"}},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, c.err, nil, c.parts...) })
	}
}

// What there is no memory for is refused before anything is allocated.
func TestMovementsPriceFirst(t *testing.T) {
	x := iota32(2, 3)
	const many = 10_000_000
	limit(t, 50_000_000)
	before := device.Stats(cpu.Default()).Pool.Peak
	for name, y := range map[string]*tensor.Tensor{
		"tile":   x.Tile(many, 1),
		"repeat": x.Repeat(1, many),
		"pad":    x.Pad(tensor.PadOpts{Sides: [][2]int{{0, many}, {0, 0}}}),
		"roll":   x.Slice(tensor.R(0, 1)).BroadcastTo(many, 3).Roll(0, 1),
		"concat": tensor.Concat(0, x, x.Slice(tensor.R(0, 1)).BroadcastTo(many, 3)),
	} {
		var m *tensor.MemoryError
		if err := y.Err(); !errors.Is(err, device.ErrOutOfMemory) || !errors.As(err, &m) {
			t.Errorf("%s: %v, want a MemoryError", name, err)
		}
	}
	if peak := device.Stats(cpu.Default()).Pool.Peak; peak != before {
		t.Errorf("the peak of memory rose from %d to %d", before, peak)
	}
}

func TestMovementsOfFewElements(t *testing.T) {
	none, one := tensor.Zeros(dtype.Float32, 0, 3), tensor.New([]float32{5})
	wantData[float32](t, none.Roll(0, 4), tensor.Shape{0, 3})
	wantData[float32](t, none.Tile(2, 2), tensor.Shape{0, 6})
	wantData[float32](t, none.Repeat(1, 2), tensor.Shape{0, 6})
	wantData[float32](t, none.Tril(0), tensor.Shape{0, 3})
	wantData[float32](t, none.Pad(tensor.PadOpts{Sides: [][2]int{{1, 0}, {0, 0}}, Value: 2.5}), tensor.Shape{1, 3}, 2.5, 2.5, 2.5)
	wantData[float32](t, one.Pad(tensor.PadOpts{Sides: [][2]int{{2, 1}}, Mode: tensor.PadReflect}), tensor.Shape{4}, 5, 5, 5, 5)
	wantData[float32](t, one.Pad(tensor.PadOpts{Sides: [][2]int{{0, 2}}, Mode: tensor.PadWrap}), tensor.Shape{3}, 5, 5, 5)
	wantData[float32](t, one.Pad(tensor.PadOpts{Sides: [][2]int{{-1, 0}}}), tensor.Shape{0})
	wantData[float32](t, one.Tile(), tensor.Shape{1}, 5)
	wantData[float32](t, tensor.Full(dtype.Float32, 3).Tile(2, 1), tensor.Shape{2, 1}, 3, 3)
	wantData[float32](t, tensor.Scalar(2.5).Tile(2), tensor.Shape{2}, 2.5, 2.5)
	deep := one.PadLeft(32)
	wantData[float32](t, deep.Tile(2).Repeat(0, 2).Index(-1, 1).Squeeze(), tensor.Shape{2}, 5, 5)
}

func TestMovementsInScopes(t *testing.T) {
	x := iota32(40, 50).To(lagging(t, devicetest.LagOptions{}))
	s := tensor.NewScope()
	v := x.In(s)
	kept := tensor.Concat(0, x, v)
	s.Keep(kept)
	results := []*tensor.Tensor{v.Tile(2, 2), v.Roll(0, 3), v.Tril(0), v.Repeat(0, 2), tensor.Stack(0, x, v),
		v.Pad(tensor.PadOpts{Sides: [][2]int{{1, 1}, {3, 4}}, Mode: tensor.PadReflect})}
	parts, err := v.Split(0, 10, 30)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	for i, r := range append(results, parts...) {
		if !errors.Is(r.Err(), tensor.ErrFreed) {
			t.Errorf("result %d outlives its scope: %v", i, r.Err())
		}
	}
	if kept.Err() != nil || kept.Dim(0) != 80 {
		t.Error(kept.Err())
	}
}
