package tensor_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func f16s(v ...float64) []dtype.F16 {
	h := make([]dtype.F16, len(v))
	for i, x := range v {
		h[i] = dtype.NewF16(x)
	}
	return h
}

func bf16s(v ...float64) []dtype.BF16 {
	h := make([]dtype.BF16, len(v))
	for i, x := range v {
		h[i] = dtype.NewBF16(x)
	}
	return h
}

// TestEveryPairOfDTypes adds, compares and selects among tensors of all pairs
// of dtypes and ranks 0, 1 and 2: the result is what Promote says, whatever the
// order and the ranks.
func TestEveryPairOfDTypes(t *testing.T) {
	mask := tensor.New([]bool{true})
	for _, a := range dtype.All() {
		for _, b := range dtype.All() {
			want, err := dtype.Promote(a, b)
			for rank := range 3 {
				x, y := tensor.Ones(a, make1s(rank)...), tensor.Ones(b, 1)
				for _, sum := range []*tensor.Tensor{x.Add(y), y.Add(x)} {
					if (sum.Err() != nil) != (err != nil) || err == nil && sum.DType() != want {
						t.Errorf("%v + %v of rank %d is %v (%v), want %v (%v)", a, b, rank, sum.DType(), sum.Err(), want, err)
					}
				}
				if w := mask.Where(x, y); err == nil && w.DType() != want {
					t.Errorf("where of %v and %v is %v, want %v", a, b, w.DType(), want)
				}
				if eq := x.Eq(y); err == nil && (eq.DType() != dtype.Bool || eq.Err() != nil) {
					t.Errorf("%v == %v is %v (%v)", a, b, eq.DType(), eq.Err())
				}
			}
		}
	}
}

func make1s(rank int) []int { return []int{1, 1, 1}[:rank] }

// TestScalarsBesideEveryDType: a number lifts the kind and never the width.
func TestScalarsBesideEveryDType(t *testing.T) {
	for _, d := range dtype.All() {
		x := tensor.Ones(d, 2)
		integer, float := d, d
		if d == dtype.Bool {
			integer = dtype.Int64
		}
		if !d.IsFloat() {
			float = dtype.Float32
		}
		if got := x.AddScalar(2).DType(); got != integer {
			t.Errorf("%v + 2 is %v, want %v", d, got, integer)
		}
		if got := x.MulScalar(2.5).DType(); got != float {
			t.Errorf("%v * 2.5 is %v, want %v", d, got, float)
		}
	}
}

func TestHalfArithmeticRoundsOnce(t *testing.T) {
	wantData(t, tensor.New(f16s(2048)).AddScalar(1), tensor.Shape{1}, f16s(2048)...)
	wantData(t, tensor.New(f16s(65504)).AddScalar(16), tensor.Shape{1}, f16s(math.Inf(1))...)
	wantData(t, tensor.New(f16s(1)).MulScalar(70000), tensor.Shape{1}, f16s(math.Inf(1))...)
	wantData(t, tensor.New(f16s(1)).MulScalar(0.1), tensor.Shape{1}, f16s(0.1)...)
	wantData(t, tensor.New(f16s(3)).MulScalar(0.1), tensor.Shape{1}, f16s(3*float64(dtype.NewF16(0.1).Float32()))...)
	wantData(t, tensor.New(bf16s(257)), tensor.Shape{1}, bf16s(256)...)
	wantData(t, tensor.New(bf16s(256)).AddScalar(1), tensor.Shape{1}, bf16s(256)...)
	wantData(t, tensor.New(f16s(6e-8)).DivScalar(2), tensor.Shape{1}, f16s(0)...)
	wantData(t, tensor.New(f16s(12e-8)).DivScalar(2), tensor.Shape{1}, f16s(6e-8)...)
	wantData(t, tensor.New(f16s(1)).Add(tensor.New(bf16s(0x1p-20))), tensor.Shape{1}, float32(1+0x1p-20))
	wantData(t, tensor.New([]int32{3}).Mul(tensor.New(f16s(0.5))), tensor.Shape{1}, f16s(1.5)...)
	wantData(t, tensor.New(f16s(math.Inf(-1), -1, math.Copysign(0, -1), math.NaN())).Relu(), tensor.Shape{4}, f16s(0, 0, 0, math.NaN())...)
}

func TestHalfReductionsAccumulateWide(t *testing.T) {
	wantData(t, tensor.Ones(dtype.BFloat16, 1000).Sum(), tensor.Shape{}, bf16s(1000)...)
	wantData(t, tensor.New(f16s(32000, 32000, 32000, 32000, -32000, -32000, -32000, -32000)).Sum(), tensor.Shape{}, f16s(0)...)
	wantData(t, tensor.Full(dtype.Float16, 60000, 5000).Mean(), tensor.Shape{}, f16s(60000)...)
	wantData(t, tensor.Full(dtype.Float16, 60000, 2).Sum(), tensor.Shape{}, f16s(math.Inf(1))...)
	wantData(t, tensor.New(f16s(1, math.NaN(), 3)).ArgMax(), tensor.Shape{}, int64(1))
	wantData(t, tensor.New(bf16s(-3, -1, -2)).Max(), tensor.Shape{}, bf16s(-1)...)
}

func TestNarrowIntegers(t *testing.T) {
	wantData(t, tensor.New([]int8{127, 100, -128}).AddScalar(1), tensor.Shape{3}, int8(-128), 101, -127)
	wantData(t, tensor.New([]int8{100}).MulScalar(3), tensor.Shape{1}, int8(44))
	wantData(t, tensor.New([]int8{-128}).Neg(), tensor.Shape{1}, int8(-128))
	wantData(t, tensor.New([]int8{-128}).Abs(), tensor.Shape{1}, int8(-128))
	wantData(t, tensor.New([]uint16{0}).SubScalar(1), tensor.Shape{1}, uint16(math.MaxUint16))
	wantData(t, tensor.New([]uint8{200}).Add(tensor.New([]int8{-1})), tensor.Shape{1}, int16(199))
	wantData(t, tensor.New([]uint32{math.MaxUint32}).Add(tensor.New([]int8{1})), tensor.Shape{1}, int64(math.MaxUint32)+1)
	wantData(t, tensor.New([]uint64{math.MaxUint64, 1}).Max(), tensor.Shape{}, uint64(math.MaxUint64))
	wantData(t, tensor.New([]uint64{1 << 63, 1}).Sum(), tensor.Shape{}, uint64(1<<63+1))
	wantData(t, tensor.New([]uint16{60000, 60000}).Sum(), tensor.Shape{}, uint64(120000))
	wantData(t, tensor.New([]int8{-100, -100}).Sum(), tensor.Shape{}, int64(-200))
	wantData(t, tensor.New([]int16{1, 2}).Mean(), tensor.Shape{}, float32(1.5))
	wantData(t, tensor.New([]int8{1}).Div(tensor.New([]int8{2})), tensor.Shape{1}, float32(0.5))
}

func TestCastsAmongEveryDType(t *testing.T) {
	x := tensor.New([]float64{-1.9, 300.7, math.NaN(), math.Inf(1), math.Inf(-1), -0.9})
	wantData(t, x.Cast(dtype.Int8), tensor.Shape{6}, int8(-1), 127, 0, 127, -128, 0)
	wantData(t, x.Cast(dtype.Uint16), tensor.Shape{6}, uint16(0), 300, 0, math.MaxUint16, 0, 0)
	wantData(t, x.Cast(dtype.Uint64), tensor.Shape{6}, uint64(0), 300, 0, math.MaxUint64, 0, 0)
	wantData(t, tensor.New([]float32{3e9, -3}).Cast(dtype.Int32), tensor.Shape{2}, int32(math.MaxInt32), -3)
	wantData(t, tensor.New([]float64{1 + 0x1p-11 + 0x1p-40}).Cast(dtype.Float16), tensor.Shape{1}, f16s(1+0x1p-10)...)
	wantData(t, tensor.New([]float32{65519, 65520, 0x1p-25, 0x1.000002p-25}).Cast(dtype.Float16), tensor.Shape{4}, f16s(65504, math.Inf(1), 0, 0x1p-24)...)
	wantData(t, tensor.New([]float32{257, 259, 1 + 0x1p-8, 1 + 3*0x1p-8, math.MaxFloat32}).Cast(dtype.BFloat16), tensor.Shape{5},
		bf16s(256, 260, 1, 1.015625, math.Inf(1))...)
	wantData(t, tensor.New(f16s(math.NaN(), 0, math.Copysign(0, -1), 6e-8)).Cast(dtype.Bool), tensor.Shape{4}, true, false, false, true)
	wantData(t, tensor.New([]int64{1<<62 + 1<<54 + 1, 1<<53 + 1}).Cast(dtype.BFloat16), tensor.Shape{2}, bf16s(0x1.02p62, 0x1p53)...)
	wantData(t, tensor.New([]int64{1<<53 + 1, 16777217}).Cast(dtype.Float64), tensor.Shape{2}, float64(1<<53), 16777217)
	for _, from := range dtype.All() {
		for _, to := range dtype.All() {
			if y := tensor.Ones(from, 3).Cast(to).Cast(from); !holdsOnes(y) {
				t.Errorf("ones of %v through %v are %v", from, to, y)
			}
		}
	}
}

func TestPrintingHalvesAndIntegers(t *testing.T) {
	for _, c := range []struct {
		x    *tensor.Tensor
		want string
	}{
		{tensor.New(f16s(0.1, 1, 2.5)), "[0.1 1.  2.5]"},
		{tensor.New(bf16s(0.1, 100)), "[  0.1 100. ]"},
		{tensor.New(f16s(65504, 1e-7)), "[6.55e+04 1.19e-07]"},
		{tensor.New([]int8{-128, 7}), "[-128    7]"},
		{tensor.New([]uint64{math.MaxUint64}), "[18446744073709551615]"},
	} {
		if got := c.x.String(); !strings.HasPrefix(got, c.want) || !strings.Contains(got, c.x.DType().String()) {
			t.Errorf("printed %q, want %q", got, c.want)
		}
	}
	if got := tensor.New(f16s(1, 0.333)).Index(0, 1).String(); !strings.HasPrefix(got, "0.333") {
		t.Errorf("a lone float16 prints as %q", got)
	}
}

// holdsOnes reports whether every element of x is one, or true.
func holdsOnes(x *tensor.Tensor) bool {
	n, err := tensor.Item[float64](x.Cast(dtype.Float64).Sum())
	return err == nil && n == float64(x.Size())
}
