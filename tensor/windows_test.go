package tensor_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

func TestDiagonalWindowsPadLeft(t *testing.T) {
	for _, c := range []struct {
		name  string
		got   *tensor.Tensor
		shape tensor.Shape
		want  []float32
	}{
		{"Diagonal", iota32(3, 3).Diagonal(0, 0, 1), tensor.Shape{3}, []float32{0, 4, 8}},
		{"Diagonal above", iota32(2, 4).Diagonal(2, 0, 1), tensor.Shape{2}, []float32{2, 7}},
		{"Diagonal below, axes from the end", iota32(3, 3).Diagonal(-1, -2, -1), tensor.Shape{2}, []float32{3, 7}},
		{"Diagonal goes last", iota32(2, 3, 2).Diagonal(0, 0, 2), tensor.Shape{3, 2}, []float32{0, 7, 2, 9, 4, 11}},
		{"Diagonal beyond a corner", iota32(2, 2).Diagonal(5, 0, 1), tensor.Shape{0}, []float32{}},
		{"Diagonal of a transpose", iota32(2, 3).T().Diagonal(1, 0, 1), tensor.Shape{1}, []float32{3}},
		{"trace of each matrix", iota32(2, 2, 2).Diagonal(0, 1, 2).Sum(-1), tensor.Shape{2}, []float32{3, 11}},
		{"Windows", iota32(4).Windows(0, 2, 1), tensor.Shape{3, 2}, []float32{0, 1, 1, 2, 2, 3}},
		{"Windows leave out the rest", iota32(6).Windows(0, 2, 3), tensor.Shape{2, 2}, []float32{0, 1, 3, 4}},
		{"Windows of rows", iota32(3, 2).Windows(0, 2, 1), tensor.Shape{2, 2, 2}, []float32{0, 2, 1, 3, 2, 4, 3, 5}},
		{"Windows backwards", iota32(4).Flip().Windows(0, 2, 2), tensor.Shape{2, 2}, []float32{3, 2, 1, 0}},
		{"Windows of nothing", iota32(2).Windows(0, 0, 1), tensor.Shape{3, 0}, []float32{}},
		{"Windows of a stretched axis", iota32(1, 2).BroadcastTo(2, 2).Windows(0, 2, 1), tensor.Shape{1, 2, 2}, []float32{0, 0, 1, 1}},
		{"moving average", iota32(2, 4).Windows(-1, 3, 1).Mean(-1), tensor.Shape{2, 2}, []float32{1, 2, 5, 6}},
		{"a window reshaped is copied", iota32(3).Windows(0, 2, 1).Reshape(4), tensor.Shape{4}, []float32{0, 1, 1, 2}},
		{"windows broadcast", iota32(3).Windows(0, 2, 1).Mul(tensor.New([]float32{1, 10})), tensor.Shape{2, 2}, []float32{0, 10, 1, 20}},
		{"PadLeft", iota32(2).PadLeft(3), tensor.Shape{1, 1, 2}, []float32{0, 1}},
		{"PadLeft to its rank", iota32(2, 1).PadLeft(2), tensor.Shape{2, 1}, []float32{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) { wantData(t, c.got, c.shape, c.want...) })
	}
}

func TestDiagonalWindowsPadLeftRefuse(t *testing.T) {
	x := iota32(2, 3)
	for name, c := range map[string]struct {
		err   error
		parts []string
	}{
		"diagonal of a vector":       {iota32(3).Diagonal(0, 0, 1).Err(), []string{"diagonal: axis 1 is out of range for (3)", "windows_test.go"}},
		"diagonal of one axis":       {x.Diagonal(0, 1, -1).Err(), []string{"diagonal", "named twice"}},
		"window too long":            {x.Windows(0, 3, 1).Err(), []string{"windows: no window of size 3 fits axis 0 of (2, 3)", "sizes 0 to 2"}},
		"windows that stand still":   {x.Windows(1, 2, 0).Err(), []string{"windows", "by step 0", "1 or more"}},
		"windows of a Scalar":        {tensor.Scalar(1).Windows(0, 1, 1).Err(), []string{"windows", "axis 0 is out of range for ()"}},
		"pad below its rank":         {x.PadLeft(1).Err(), []string{"padleft", "Squeeze"}},
		"pad beyond what works":      {x.PadLeft(33).Err(), []string{"padleft", "at most 32"}},
		"diagonal of a failed chain": {x.Add(iota32(2)).Diagonal(0, 0, 1).Err(), []string{"add: cannot broadcast (2, 3) with (2)"}},
		"windows of nil":             {(*tensor.Tensor)(nil).Windows(0, 1, 1).Err(), []string{"windows", "nil"}},
		"pad of the zero Tensor":     {new(tensor.Tensor).PadLeft(1).Err(), []string{"padleft", "zero Tensor"}},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, c.err, nil, c.parts...) })
	}
}

func TestPadLeftOfAScalar(t *testing.T) {
	wantData(t, tensor.Scalar(2.5).PadLeft(1), tensor.Shape{1}, float32(2.5))
	if s := tensor.Scalar(2.5).PadLeft(0); s.Err() != nil || s.Add(tensor.New([]uint8{1})).DType() != dtype.Float32 {
		t.Errorf("a Scalar of rank 0 became strong: %v", s)
	}
}

// The base and other views see what is written through a view without shared
// cells, and nothing beside its own elements changes.
func TestWritesThroughDiagonalsAndWindows(t *testing.T) {
	for _, c := range []struct {
		name string
		base tensor.Shape
		view func(x *tensor.Tensor) *tensor.Tensor
		want []float32
	}{
		{"diagonal", tensor.Shape{3, 3}, func(x *tensor.Tensor) *tensor.Tensor { return x.Diagonal(0, 0, 1) },
			[]float32{1, 0, 0, 0, 2, 0, 0, 0, 3}},
		{"diagonal below of a transpose", tensor.Shape{2, 3}, func(x *tensor.Tensor) *tensor.Tensor { return x.T().Diagonal(-1, 0, 1) },
			[]float32{0, 1, 0, 0, 0, 2}},
		{"adjoining windows", tensor.Shape{5}, func(x *tensor.Tensor) *tensor.Tensor { return x.Windows(0, 2, 2) },
			[]float32{1, 2, 3, 4, 0}},
		{"windows with gaps", tensor.Shape{5}, func(x *tensor.Tensor) *tensor.Tensor { return x.Windows(0, 1, 2) },
			[]float32{1, 0, 2, 0, 3}},
		{"the only overlapping window", tensor.Shape{4}, func(x *tensor.Tensor) *tensor.Tensor { return x.Windows(0, 3, 1).Slice(tensor.R(1, 2)) },
			[]float32{0, 1, 2, 3}},
		{"every other overlapping window", tensor.Shape{5}, func(x *tensor.Tensor) *tensor.Tensor {
			return x.Windows(0, 2, 1).Slice(tensor.R(0, tensor.End, 2))
		}, []float32{1, 2, 3, 4, 0}},
		{"the diagonal of a stretched row", tensor.Shape{3}, func(x *tensor.Tensor) *tensor.Tensor {
			return x.BroadcastTo(3, 3).Diagonal(0, 0, 1)
		}, []float32{1, 2, 3}},
		{"padded", tensor.Shape{2}, func(x *tensor.Tensor) *tensor.Tensor { return x.PadLeft(3) }, []float32{1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := tensor.Zeros(dtype.Float32, c.base...)
			v := c.view(x)
			into(t, v, kernels.Copy, iota32(v.Size()).AddScalar(1).Reshape(v.Shape()...))
			wantData(t, x, c.base, c.want...)
		})
	}
}

func TestWritesToSharedCellsNameTheAxis(t *testing.T) {
	x := tensor.Zeros(dtype.Float32, 2, 9)
	windows := x.Windows(1, 3, 1)
	for name, c := range map[string]struct {
		dst  *tensor.Tensor
		axis string
	}{
		"windows one step apart":        {windows, "axis 2 of (2, 7, 3)"},
		"windows that share one cell":   {x.Windows(1, 3, 2), "axis 1 of (2, 4, 3)"},
		"windows in front by a permute": {windows.Permute(1, 0, 2), "axis 2 of (7, 2, 3)"},
		"windows of one row":            {windows.Index(0, 1), "axis 1 of (7, 3)"},
		"antidiagonals of windows":      {windows.Index(0, 0).Slice(tensor.R(0, 3)).Flip(0).Diagonal(0, 0, 1), "axis 0 of (3)"},
		"a stretched axis padded":       {x.Index(0, 0).BroadcastTo(4, 9).PadLeft(3), "axis 1 of (1, 4, 9)"},
	} {
		t.Run(name, func(t *testing.T) {
			err := tensor.Into(c.dst, kernels.Copy, tensor.Scalar(1))
			wantError(t, err, tensor.ErrShared, "copy", c.axis, "Clone")
			wantData(t, x.Sum(), tensor.Shape{}, float32(0))
		})
	}
	into(t, windows.Clone(), kernels.Copy, tensor.Scalar(1)) // as the error says
}

// A view that is read overlaps the view that is written: the result is as if
// it had been read first.
func TestOverlapWithDiagonalsAndWindows(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(t *testing.T, x *tensor.Tensor) // x holds 0 to 8
		want  []float32
	}{
		{"a row into the diagonal", func(t *testing.T, x *tensor.Tensor) {
			into(t, x.Diagonal(0, 0, 1), kernels.Copy, x.Index(0, 0).Flip())
		}, []float32{2, 1, 2, 3, 1, 5, 6, 7, 0}},
		{"the diagonal reversed in itself", func(t *testing.T, x *tensor.Tensor) {
			d := x.Diagonal(0, 0, 1)
			into(t, d, kernels.Add, d, d.Flip())
		}, []float32{8, 1, 2, 3, 8, 5, 6, 7, 8}},
		{"one diagonal into the next", func(t *testing.T, x *tensor.Tensor) {
			into(t, x.Diagonal(1, 0, 1), kernels.Copy, x.Diagonal(-1, 0, 1))
		}, []float32{0, 3, 2, 3, 4, 7, 6, 7, 8}},
		{"the diagonal into all rows", func(t *testing.T, x *tensor.Tensor) {
			into(t, x, kernels.Add, x, x.Diagonal(0, 0, 1))
		}, []float32{0, 5, 10, 3, 8, 13, 6, 11, 16}},
		{"a cell of each window into the vector", func(t *testing.T, x *tensor.Tensor) {
			v := x.View(9)
			into(t, v.Slice(tensor.R(1, 8)), kernels.Sub, v.Windows(0, 3, 1).Index(1, 2), v.Windows(0, 3, 1).Index(1, 0))
		}, []float32{0, 2, 2, 2, 2, 2, 2, 2, 8}},
		{"overlapping windows into adjoining ones", func(t *testing.T, x *tensor.Tensor) {
			v := x.View(9)
			into(t, v.Windows(0, 3, 3), kernels.Copy, v.Windows(0, 3, 1).Slice(tensor.R(0, 3)))
		}, []float32{0, 1, 2, 1, 2, 3, 2, 3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := iota32(3, 3)
			c.write(t, x)
			wantData(t, x, tensor.Shape{3, 3}, c.want...)
		})
	}
}

// Reductions over windows and diagonals have the same bits as over copies, on
// every device.
func TestWindowsAndDiagonalsGiveTheBitsOfCopies(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{Seed: 3})
	x := tensor.NewRand(5).Uniform(dtype.Float32, 70, 70)
	for name, view := range map[string]func(x *tensor.Tensor) *tensor.Tensor{
		"windows":         func(x *tensor.Tensor) *tensor.Tensor { return x.Windows(0, 40, 1) },
		"patches":         func(x *tensor.Tensor) *tensor.Tensor { return x.Windows(0, 3, 2).Windows(1, 5, 3) },
		"diagonal":        func(x *tensor.Tensor) *tensor.Tensor { return x.Diagonal(-3, 0, 1) },
		"windows of that": func(x *tensor.Tensor) *tensor.Tensor { return x.Diagonal(2, 1, 0).Windows(0, 9, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			want := view(x).Clone().Exp().Mean(-1)
			for _, x := range []*tensor.Tensor{x, x.To(dev)} {
				wantData(t, view(x).Exp().Mean(-1), want.Shape(), data[float32](t, want)...)
			}
		})
	}
}

func TestWindowsKeepTheirBaseAlive(t *testing.T) {
	x := iota32(large)
	w := x.Windows(0, 2, large-2)
	if err := x.Free(); err != nil {
		t.Fatal(err)
	}
	wantData(t, w, tensor.Shape{2, 2}, float32(0), 1, large-2, large-1)
	wantError(t, x.Diagonal(math.MinInt, 0, 0).Err(), tensor.ErrFreed, "diagonal")
}

// diagonal takes a diagonal of axis with the next one, in step with the oracle.
func (s *script) diagonal(x *tensor.Tensor, o oracle, axis int) (*tensor.Tensor, oracle) {
	rank := len(o.sizes)
	other := (axis + 1) % rank
	offset := s.next(7) - 3
	n := 0
	for i := range o.sizes[axis] {
		if i+offset >= 0 && i+offset < o.sizes[other] {
			n++
		}
	}
	var rest, sizes []int // the axes that stay
	for i, size := range o.sizes {
		if i != axis && i != other {
			rest, sizes = append(rest, i), append(sizes, size)
		}
	}
	return x.Diagonal(offset, axis, other), o.pick(append(sizes, n), func(to, from []int) {
		for i, a := range rest {
			from[a] = to[i]
		}
		from[axis] = to[rank-2] + max(0, -offset)
		from[other] = to[rank-2] + max(0, offset)
	})
}

// windows takes windows along axis, in step with the oracle.
func (s *script) windows(x *tensor.Tensor, o oracle, axis int) (*tensor.Tensor, oracle) {
	size, step := s.next(o.sizes[axis]+1), 1+s.next(3)
	sizes := append(slices.Clone(o.sizes), size)
	sizes[axis] = 0
	for first := 0; first+size <= o.sizes[axis]; first += step {
		sizes[axis]++
	}
	return x.Windows(axis, size, step), o.pick(sizes, func(to, from []int) {
		copy(from, to[:len(from)])
		from[axis] = to[axis]*step + to[len(from)]
	})
}

// repeats reports whether two elements are equal.
func repeats(data []int64) bool {
	seen := map[int64]bool{}
	for _, v := range data {
		seen[v] = true
	}
	return len(seen) < len(data)
}
