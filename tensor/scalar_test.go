package tensor_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

func TestScalarLiftsTheKindNeverTheWidth(t *testing.T) {
	for _, c := range []struct {
		d      dtype.DType
		scalar *tensor.Tensor
		want   dtype.DType
	}{
		{dtype.Uint8, tensor.Scalar(1), dtype.Uint8},
		{dtype.Int32, tensor.Scalar(1), dtype.Int32},
		{dtype.Int32, tensor.Scalar(1.5), dtype.Float32},
		{dtype.Int64, tensor.Scalar(float64(2)), dtype.Float32},
		{dtype.Bool, tensor.Scalar(1), dtype.Int64},
		{dtype.Bool, tensor.Scalar(0.5), dtype.Float32},
		{dtype.Bool, tensor.Scalar(true), dtype.Bool},
		{dtype.Float32, tensor.Scalar(1e200), dtype.Float32},
		{dtype.Float64, tensor.Scalar(float32(1)), dtype.Float64},
		{dtype.Int32, tensor.Scalar(true), dtype.Int32},
	} {
		x := tensor.Ones(c.d, 2)
		if a, b := x.Add(c.scalar).DType(), c.scalar.Add(x).DType(); a != c.want || b != c.want {
			t.Errorf("%v with %v = %v and %v, want %v", c.d, c.scalar, a, b, c.want)
		}
	}
}

func TestScalarRange(t *testing.T) {
	u := tensor.New([]uint8{0, 200})
	wantError(t, u.AddScalar(300).Err(), nil, "add", "300", "uint8")
	wantError(t, u.AddScalar(-1).Err(), nil, "add", "-1", "uint8")
	wantData(t, u.Ge(tensor.Scalar(-1)), tensor.Shape{2}, true, true)
	wantData(t, u.Eq(tensor.Scalar(300)), tensor.Shape{2}, false, false)
	wantData(t, tensor.Scalar(300).Gt(u), tensor.Shape{2}, true, true)
	wantData(t, iota32(2).MulScalar(1e200), tensor.Shape{2}, nan, inf)
	wantData(t, tensor.New([]float32{1}).MulScalar(0.1), tensor.Shape{1}, float32(0.1))
	wantData(t, tensor.New([]int64{1<<53 + 1}).Eq(tensor.Scalar(int64(1)<<53)), tensor.Shape{1}, false)
}

func TestScalarsStayWeak(t *testing.T) {
	two, three := tensor.Scalar(2), tensor.Scalar(3)
	if n, err := tensor.Item[int64](two.Mul(three)); n != 6 || err != nil {
		t.Errorf("2 * 3 = %v, %v", n, err)
	}
	third := tensor.Scalar(1).Div(three)
	if n, err := tensor.Item[float64](third); n != 1.0/3 || err != nil {
		t.Errorf("1 / 3 = %v, %v", n, err)
	}
	if n, err := tensor.Item[float64](tensor.Scalar(2).Sqrt()); n != math.Sqrt2 || err != nil {
		t.Errorf("sqrt 2 = %v, %v", n, err)
	}
	if n, err := tensor.Item[bool](two.Lt(three)); !n || err != nil {
		t.Errorf("2 < 3 = %v, %v", n, err)
	}
	x := tensor.New([]float32{3})
	if y := x.Mul(third); y.DType() != dtype.Float32 {
		t.Errorf("float32 with a scalar computed from scalars is %v", y.DType())
	}
	if y := tensor.New([]uint8{1}).Add(two.Mul(three)); y.DType() != dtype.Uint8 {
		t.Errorf("uint8 with a scalar computed from scalars is %v", y.DType())
	}
	if y := two.Neg().Square().Sum(); y.DType() != dtype.Int64 {
		t.Errorf("an integer scalar became %v", y.DType())
	}
	wantError(t, two.Sum(1).Err(), nil, "sum", "axis 1")
}

func TestScalarSettles(t *testing.T) {
	wantData(t, tensor.Scalar(2.5).BroadcastTo(2), tensor.Shape{2}, float32(2.5), 2.5)
	wantData(t, tensor.Scalar(7).Reshape(1, 1), tensor.Shape{1, 1}, int64(7))
	wantData(t, tensor.Scalar(300).Cast(dtype.Uint8), tensor.Shape{}, uint8(44))
	wantData(t, tensor.Scalar(0.1).Cast(dtype.Float32), tensor.Shape{}, float32(0.1))
	wantData(t, tensor.Scalar(0.1), tensor.Shape{}, 0.1)
	if s := tensor.Scalar(2).Reshape(); s.DType() != dtype.Int64 || s.Err() != nil {
		t.Errorf("Reshape() of a scalar is %v", s)
	}
	if c := tensor.Scalar(2).Clone(); tensor.New([]uint8{1}).Add(c).DType() != dtype.Uint8 {
		t.Error("the clone of a scalar is not weak")
	}
}

func TestScalarMethodsTakeGoNumbers(t *testing.T) {
	x := tensor.New([]int32{6})
	wantData(t, x.AddScalar(int8(1)), tensor.Shape{1}, int32(7))
	wantData(t, x.SubScalar(uint16(1)), tensor.Shape{1}, int32(5))
	wantData(t, x.MulScalar(uint32(2)), tensor.Shape{1}, int32(12))
	wantData(t, x.DivScalar(int64(4)), tensor.Shape{1}, float32(1.5))
	wantData(t, x.AddScalar(int16(1)), tensor.Shape{1}, int32(7))
	wantData(t, x.AddScalar(uint8(1)), tensor.Shape{1}, int32(7))
	wantData(t, x.AddScalar(uint(1)), tensor.Shape{1}, int32(7))
	wantData(t, x.AddScalar(uint64(1)), tensor.Shape{1}, int32(7))
	wantData(t, x.AddScalar(float32(0.5)), tensor.Shape{1}, float32(6.5))
	wantData(t, x.MulScalar(true), tensor.Shape{1}, int32(6))
	wantError(t, x.AddScalar("1").Err(), nil, "add", "not a number")
	wantError(t, x.AddScalar(uint64(math.MaxUint64)).Err(), nil, "add")
}

func TestScalarCannotBeWritten(t *testing.T) {
	wantError(t, tensor.Into(tensor.Scalar(1), kernels.Add, iota32(), iota32()), nil, "Scalar")
	wantError(t, tensor.WithData(tensor.Scalar(1), func([]int64) error { return nil }), nil, "Item")
}

func TestIntoOfScalarsAlone(t *testing.T) {
	dst := tensor.Zeros(dtype.Float32, 2)
	if err := tensor.Into(dst, kernels.Div, tensor.Scalar(1), tensor.Scalar(3)); err != nil {
		t.Fatal(err)
	}
	wantData(t, dst, tensor.Shape{2}, float32(1.0/3), float32(1.0/3))
	wantError(t, tensor.Into(tensor.Zeros(dtype.Uint8, 1), kernels.Copy, tensor.Scalar(300)), nil, "300")
	wantError(t, tensor.Into(tensor.Zeros(dtype.Int64, 1), kernels.Copy, tensor.Scalar(1.5)), nil, "1.5")
}

// A view of a Scalar is a tensor of its own: SumTo frees what it computed on
// the way, and so may anybody.
func TestFreeOfAViewLeavesTheScalar(t *testing.T) {
	scope := tensor.NewScope()
	defer scope.Close()
	for name, view := range map[string]func(s *tensor.Tensor) *tensor.Tensor{
		"reshape": func(s *tensor.Tensor) *tensor.Tensor { return s.Reshape() },
		"squeeze": func(s *tensor.Tensor) *tensor.Tensor { return s.Squeeze() },
		"expand":  func(s *tensor.Tensor) *tensor.Tensor { return s.Expand() },
		"in":      func(s *tensor.Tensor) *tensor.Tensor { return s.In(scope) },
		"sumto":   func(s *tensor.Tensor) *tensor.Tensor { return s.SumTo() },
	} {
		t.Run(name, func(t *testing.T) {
			s := tensor.Scalar(144)
			v := view(s)
			wantData[int64](t, v, tensor.Shape{}, 144)
			if err := v.Free(); err != nil {
				t.Fatal(err)
			}
			wantData[int64](t, s, tensor.Shape{}, 144)
		})
	}
}

// A number that is written has no width of its own: it need only fit what it
// is written into, and any number fits a float.
func TestNumbersBeyondInt64FitFloats(t *testing.T) {
	const v, want = uint64(1<<64 - 232), float64(1<<64 - 232)
	wantData(t, tensor.Full(dtype.Float64, v, 2), tensor.Shape{2}, want, want)
	x := tensor.Zeros(dtype.Float64, 2)
	wantData(t, tensor.FullLike(x, v), tensor.Shape{2}, want, want)
	if err := x.Fill(v); err != nil {
		t.Error(err)
	}
	wantData(t, x, tensor.Shape{2}, want, want)
	if err := x.Set(v, 0); err != nil {
		t.Error(err)
	}
	wantData(t, tensor.Scalar(1.0).AddScalar(v), tensor.Shape{}, want)
	wantData(t, tensor.Scalar(1.0).Lt(tensor.Scalar(1.0).MulScalar(v)), tensor.Shape{}, true)
	big := tensor.Scalar(v)
	wantData(t, tensor.Scalar(2).Add(big), tensor.Shape{}, v+2)
	wantData(t, tensor.Scalar(2).Div(big), tensor.Shape{}, 2/want)
	wantData(t, tensor.Scalar(2).Lt(big), tensor.Shape{}, true)
	n := tensor.Zeros(dtype.Int64, 2)
	wantError(t, n.Fill(v), nil, "fill", "18446744073709551384 is outside the range of int64")
	wantData[int64](t, n, tensor.Shape{2}, 0, 0)
}
