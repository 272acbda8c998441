package tensor_test

import (
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

func TestViews(t *testing.T) {
	x := iota32(2, 3)
	for _, c := range []struct {
		name  string
		got   *tensor.Tensor
		shape tensor.Shape
		want  []float32
	}{
		{"T", x.T(), tensor.Shape{3, 2}, []float32{0, 3, 1, 4, 2, 5}},
		{"T of a batch", iota32(1, 2, 3).T(), tensor.Shape{1, 3, 2}, []float32{0, 3, 1, 4, 2, 5}},
		{"Transpose reverses all", iota32(1, 2, 3).Transpose(), tensor.Shape{3, 2, 1}, []float32{0, 3, 1, 4, 2, 5}},
		{"Permute", x.Permute(-1, 0), tensor.Shape{3, 2}, []float32{0, 3, 1, 4, 2, 5}},
		{"Slice with a step", x.Slice(tensor.All, tensor.R(tensor.Begin, tensor.End, 2)), tensor.Shape{2, 2}, []float32{0, 2, 3, 5}},
		{"Slice backwards", x.Slice(tensor.R(tensor.Begin, tensor.End, -1)), tensor.Shape{2, 3}, []float32{3, 4, 5, 0, 1, 2}},
		{"Slice clips", x.Slice(tensor.R(1, 9), tensor.R(-2, 99)), tensor.Shape{1, 2}, []float32{4, 5}},
		{"Slice empty", x.Slice(tensor.R(2, 1)), tensor.Shape{0, 3}, []float32{}},
		{"Index", x.Index(1, -1), tensor.Shape{2}, []float32{2, 5}},
		{"Unsqueeze", x.Index(0, 1).Unsqueeze(-1), tensor.Shape{3, 1}, []float32{3, 4, 5}},
		{"Squeeze", iota32(1, 3, 1).Squeeze(), tensor.Shape{3}, []float32{0, 1, 2}},
		{"Squeeze one", iota32(1, 3, 1).Squeeze(-1), tensor.Shape{1, 3}, []float32{0, 1, 2}},
		{"BroadcastTo", iota32(3).BroadcastTo(2, 3), tensor.Shape{2, 3}, []float32{0, 1, 2, 0, 1, 2}},
		{"BroadcastTo nothing", iota32(1, 2).BroadcastTo(0, 2), tensor.Shape{0, 2}, []float32{}},
		{"Expand keeps -1", iota32(2, 1).Expand(-1, 2), tensor.Shape{2, 2}, []float32{0, 0, 1, 1}},
		{"Flip", x.Flip(-1), tensor.Shape{2, 3}, []float32{2, 1, 0, 5, 4, 3}},
		{"Reshape infers", x.Reshape(3, -1), tensor.Shape{3, 2}, []float32{0, 1, 2, 3, 4, 5}},
		{"Reshape copies if it must", x.T().Reshape(6), tensor.Shape{6}, []float32{0, 3, 1, 4, 2, 5}},
		{"Reshape to rank 0", iota32(1, 1).Reshape(), tensor.Shape{}, []float32{0}},
		{"View", x.View(6), tensor.Shape{6}, []float32{0, 1, 2, 3, 4, 5}},
		{"Contiguous", x.T().Contiguous(), tensor.Shape{3, 2}, []float32{0, 3, 1, 4, 2, 5}},
		{"expand, transpose, slice", iota32(2, 1).Expand(2, 3).T().Slice(tensor.R(1, 3), tensor.R(1, 2)), tensor.Shape{2, 1}, []float32{1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) { wantData(t, c.got, c.shape, c.want...) })
	}
}

func TestViewsRefuse(t *testing.T) {
	x := iota32(2, 3)
	for name, c := range map[string]struct {
		got  *tensor.Tensor
		text string
	}{
		"permute names an axis twice":   {x.Permute(0, 0), "permute"},
		"permute leaves one out":        {x.Permute(0), "permute"},
		"step 0":                        {x.Slice(tensor.R(0, 1, 0)), "step 0"},
		"too many ranges":               {x.Slice(tensor.All, tensor.All, tensor.All), "3 ranges"},
		"index beyond":                  {x.Index(0, 2), "index 2"},
		"axis beyond":                   {x.Index(2, 0), "axis 2"},
		"squeeze of many":               {x.Squeeze(0), "squeeze"},
		"broadcast cannot drop an axis": {iota32(1, 1).BroadcastTo(1), "broadcastto"},
		"broadcast cannot shrink":       {iota32(3).BroadcastTo(1), "broadcastto"},
		"broadcast to negative":         {iota32(1).BroadcastTo(-1), "broadcastto"},
		"expand a new axis by -1":       {iota32(2).Expand(-1, 2), "expand"},
		"reshape to another size":       {x.Reshape(4), "reshape"},
		"reshape with two unknown":      {x.Reshape(-1, -1), "reshape"},
		"view that strides cannot give": {x.T().View(6), "use Reshape"},
		"T of a vector":                 {iota32(3).T(), "Unsqueeze"},
		"flip twice":                    {x.Flip(0, -2), "flip"},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, c.got.Err(), nil, c.text) })
	}
}

// A view sees writes to its base and the base those to a view; a copy neither.
func TestViewsShareCopiesDoNot(t *testing.T) {
	for name, c := range map[string]struct {
		view   func(x *tensor.Tensor) *tensor.Tensor
		shares bool
	}{
		"Reshape":              {func(x *tensor.Tensor) *tensor.Tensor { return x.Reshape(6) }, true},
		"Reshape that copies":  {func(x *tensor.Tensor) *tensor.Tensor { return x.T().Reshape(6) }, false},
		"Contiguous of such":   {func(x *tensor.Tensor) *tensor.Tensor { return x.Contiguous() }, true},
		"Contiguous of others": {func(x *tensor.Tensor) *tensor.Tensor { return x.T().Contiguous() }, false},
		"Clone":                {func(x *tensor.Tensor) *tensor.Tensor { return x.Clone() }, false},
		"Slice":                {func(x *tensor.Tensor) *tensor.Tensor { return x.Slice(tensor.R(0, 1)) }, true},
		"SumTo its own shape":  {func(x *tensor.Tensor) *tensor.Tensor { return x.SumTo(2, 3) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			x := tensor.Zeros(dtype.Float32, 2, 3)
			v := c.view(x)
			into(t, x, kernels.Copy, tensor.Scalar(1))
			if got := data[float32](t, v)[0] == 1; got != c.shares {
				t.Errorf("the view sees a write: %v, want %v", got, c.shares)
			}
		})
	}
}

func TestDims(t *testing.T) {
	x := iota32(2, 3)
	if x.Rank() != 2 || x.Size() != 6 || x.Dim(0) != 2 || x.Dim(-1) != 3 || x.Dim(2) != 0 || x.Dim(-3) != 0 {
		t.Errorf("rank %d size %d", x.Rank(), x.Size())
	}
	if !x.IsContiguous() || x.T().IsContiguous() || (*tensor.Tensor)(nil).IsContiguous() {
		t.Error("IsContiguous is wrong")
	}
	x.Shape()[0] = 9
	if x.Dim(0) != 2 {
		t.Error("Shape lends the tensor's own sizes")
	}
}
