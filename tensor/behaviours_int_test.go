package tensor_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func longs(v ...int64) *tensor.Tensor { return tensor.New(v) }

// TestIntegersWrapAtEveryWidth also computes in one chain: no step may keep
// bits that its dtype does not have.
func TestIntegersWrapAtEveryWidth(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64} {
		bits := uint(8 * d.Size())
		x := longs(100, 127, -1, 1).Cast(d)
		got := data[int64](t, x.Mul(x).Mul(x).Add(x).Sub(longs(200, 3, 9, 2).Cast(d)).Cast(dtype.Int64))
		for i, v := range []int64{100, 127, -1, 1} {
			want := uint64(v*v*v + v - []int64{200, 3, 9, 2}[i])
			if uint64(got[i])<<(64-bits) != want<<(64-bits) {
				t.Errorf("%v: element %d is %d, want %d in the low bits", d, i, got[i], int64(want))
			}
		}
	}
	wantData(t, tensor.New([]int8{127}).AddScalar(1), tensor.Shape{1}, int8(-128))
	wantData(t, tensor.New([]int8{100}).MulScalar(3), tensor.Shape{1}, int8(44))
	wantData(t, tensor.New([]int8{1}).ShiftLeft(tensor.Scalar(7)), tensor.Shape{1}, int8(-128))
	wantData(t, tensor.New([]uint8{3}).Pow(tensor.Scalar(6)), tensor.Shape{1}, uint8(217))
	wantData(t, tensor.New([]uint8{1, 0}).Neg(), tensor.Shape{2}, uint8(255), 0)
}

// TestIntegerDivisionAtItsEdges divides the least number by -1 and anything by
// zero, element by element, by a Scalar and stretched: none may trap.
func TestIntegerDivisionAtItsEdges(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64} {
		least := int64(-1) << (8*d.Size() - 1)
		row := make([]int64, 33) // the vector part of a loop, and its tail
		for i := range row {
			row[i] = least
		}
		x := tensor.New(row).Cast(d)
		for name, y := range map[string]*tensor.Tensor{
			"elements": tensor.Full(d, -1, 33), "scalar": tensor.Scalar(-1), "one element": tensor.Full(d, -1, 1),
		} {
			wantAll(t, d.String()+" // -1, "+name, x.FloorDiv(y), least)
			wantAll(t, d.String()+" % -1, "+name, x.Mod(y), 0)
			wantAll(t, d.String()+" rem -1, "+name, x.Rem(y), 0)
		}
		for name, y := range map[string]*tensor.Tensor{"elements": tensor.Zeros(d, 33), "scalar": tensor.Scalar(0)} {
			wantAll(t, d.String()+" // 0, "+name, x.FloorDiv(y), 0)
			wantAll(t, d.String()+" % 0, "+name, x.Mod(y), 0)
			wantAll(t, d.String()+" rem 0, "+name, x.Rem(y), 0)
		}
		wantAll(t, d.String()+" abs", x.Abs(), least)
		wantAll(t, d.String()+" neg", x.Neg(), least)
		wide := x.Reshape(3, 11).FloorDiv(longs(-1, -1, -1).Cast(d).Reshape(3, 1))
		wantAll(t, d.String()+" stretched", wide, least)
	}
	for _, d := range []dtype.DType{dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64} {
		wantAll(t, d.String()+" // 0", tensor.Ones(d, 33).FloorDiv(tensor.Zeros(d, 33)), 0)
		wantAll(t, d.String()+" % 0", tensor.Ones(d, 33).Mod(tensor.Scalar(0)), 0)
	}
}

func wantAll(t *testing.T, what string, x *tensor.Tensor, want int64) {
	t.Helper()
	for i, v := range data[int64](t, x.Cast(dtype.Int64)) {
		if v != want {
			t.Errorf("%s: element %d is %d, want %d", what, i, v, want)
			return
		}
	}
}

func TestFloorAndTruncatedQuotients(t *testing.T) {
	x, y := longs(7, -7, 7, -7), longs(2, 2, -2, -2)
	for _, d := range []dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64} {
		a, b := x.Cast(d), y.Cast(d)
		wantData(t, a.FloorDiv(b).Cast(dtype.Int64), tensor.Shape{4}, int64(3), -4, -4, 3)
		wantData(t, a.Mod(b).Cast(dtype.Int64), tensor.Shape{4}, int64(1), 1, -1, -1)
		wantData(t, a.Rem(b).Cast(dtype.Int64), tensor.Shape{4}, int64(1), -1, 1, -1)
		wantData(t, a.FloorDiv(b).Mul(b).Add(a.Mod(b)).Cast(dtype.Int64), tensor.Shape{4}, int64(7), -7, 7, -7)
	}
}

// TestDivisorsThatMultiplicationReplaces divides by the numbers at which
// division by multiplication goes wrong.
func TestDivisorsThatMultiplicationReplaces(t *testing.T) {
	dividends := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 31, -7, -1, 0, 1, 6, 7, 1<<31 - 1, 1 << 31, 1 << 62, math.MaxInt64}
	x := tensor.New(dividends)
	for _, v := range []int64{1, 2, 3, 7, 1 << 16, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1 << 62, math.MaxInt64, math.MinInt64, -3} {
		got, rest := data[int64](t, x.FloorDiv(tensor.Scalar(v))), data[int64](t, x.Rem(tensor.Scalar(v)))
		for i, n := range dividends {
			want := n / v
			if n%v != 0 && (n < 0) != (v < 0) {
				want--
			}
			if got[i] != want || rest[i] != n%v {
				t.Errorf("%d by %d is %d rest %d, want %d rest %d", n, v, got[i], rest[i], want, n%v)
			}
		}
	}
}

func TestShiftsByAnyCount(t *testing.T) {
	x := tensor.New([]int8{-128, 100, -1})
	for _, count := range []int{8, 9, 127, -1, -128} {
		wantData(t, x.ShiftLeft(tensor.Scalar(count)), tensor.Shape{3}, int8(0), 0, 0)
		wantData(t, x.ShiftRight(tensor.Scalar(count)), tensor.Shape{3}, int8(-1), 0, -1)
	}
	wantData(t, tensor.New([]uint8{1}).ShiftLeft(tensor.New([]int16{8})), tensor.Shape{1}, int16(256))
}

func TestPowersOfIntegers(t *testing.T) {
	wantData(t, longs(10, 1, -1, 2, -1, 0).Pow(longs(-1, -1, -1, -1, -2, -1)), tensor.Shape{6}, int64(0), 1, -1, 0, 1, 0)
	wantData(t, longs(0, 3, -2, 2).Pow(longs(0, 0, 63, 64)), tensor.Shape{4}, int64(1), 1, math.MinInt64, 0)
}

func TestBoolArithmetic(t *testing.T) {
	a, b := tensor.New([]bool{false, false, true, true}), tensor.New([]bool{false, true, false, true})
	wantData(t, a.Add(b), tensor.Shape{4}, false, true, true, true)
	wantData(t, a.Mul(b), tensor.Shape{4}, false, false, false, true)
	wantData(t, a.LogicalNot(), tensor.Shape{4}, true, true, false, false)
	wantData(t, a.Div(b), tensor.Shape{4}, nan, float32(0), inf, 1)
	wantData(t, a.Sum(), tensor.Shape{}, int64(2))
	wantData(t, f32(nan, minus0, 0.1).Any(), tensor.Shape{}, true)
	wantData(t, f32(minus0).Any(), tensor.Shape{}, false)
	for name, r := range map[string]*tensor.Tensor{"sub": a.Sub(b), "neg": a.Neg(), "bitnot": a.BitNot()} {
		wantError(t, r.Err(), nil, name, "is not defined for bool")
	}
}

// TestIntegersAgainstFloatsCompareAsFloats states a loss: the promoted dtype of
// int64 and a float is the float, which does not hold all integers.
func TestIntegersAgainstFloatsCompareAsFloats(t *testing.T) {
	big := longs(1<<53 + 1)
	wantData(t, big.Eq(tensor.New([]float64{1 << 53})), tensor.Shape{1}, true)
	wantData(t, big.Eq(longs(1<<53)), tensor.Shape{1}, false)
}
