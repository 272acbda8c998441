package tensor_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// Every operation on every dtype reads views as it reads their copies, bit for
// bit.
func TestFaultOperationsIgnoreStrides(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		checked := 0
		for _, d := range dtype.All() {
			if p.Device != cpu.Default() && d != dtype.Float32 {
				continue // devices prove every dtype against package devicetest
			}
			other := p.put(ramp(d)(6))
			for name, v := range views(p, ramp(d)) {
				for _, op := range kernels.Ops() {
					checked += checkRow(t, op, name, v, other)
				}
			}
		}
		if checked < 500 {
			t.Errorf("%d results were compared", checked)
		}
	})
}

// checkRow applies an operation to a view, beside an operand that broadcasts,
// and to copies, and counts what it has compared.
func checkRow(t *testing.T, op kernels.Op, name string, v, other *tensor.Tensor) (checked int) {
	t.Helper()
	row := op.Row()
	attrs := []kernels.Attr{{}}
	if row.Reduce != nil || row.Expand != nil {
		attrs = append(attrs, kernels.Attr{Axes: kernels.Axes(0)}, kernels.Attr{Axes: kernels.Axes(-1), Keep: true})
	}
	for _, in := range map[int][][]*tensor.Tensor{
		1: {{v}}, 2: {{v, other}, {other, v}, {v, v}}, 3: {{v.Ne(other), v, other}, {v.Ne(other), other, v}},
	}[row.Arity] {
		copies := make([]*tensor.Tensor, len(in))
		for i, x := range in {
			copies[i] = x.Clone()
		}
		for _, attr := range attrs {
			want := tensor.Apply(op, attr, copies...)
			if want.Err() != nil {
				continue // not defined for this dtype
			}
			checked++
			got := tensor.Apply(op, attr, in...)
			if !sameElements(t, got, want) {
				t.Errorf("%v of %v, %s: %v, want %v", op, v.DType(), name, got, want)
			}
		}
	}
	return checked
}

// sameElements reports whether two tensors hold the same bits, any NaN being
// equal to any other.
func sameElements(t *testing.T, got, want *tensor.Tensor) bool {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) || got.DType() != want.DType() {
		return false
	}
	d := got.DType()
	a, err := readBits(got, d)
	if err != nil {
		t.Fatal(err)
	}
	b, err := readBits(want, d)
	if err != nil {
		t.Fatal(err)
	}
	return slices.EqualFunc(a, b, func(x, y uint64) bool { return x == y || isNaNBits(d, x) && isNaNBits(d, y) })
}

// The examples of the reports.
func TestFaultStridedExamples(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		even := tensor.R(0, tensor.End, 2)
		exp := data[float32](t, p.iota(4).Slice(even).Exp())
		if exp[0] != 1 || math.Abs(float64(exp[1])-math.Exp(2)) > 1e-6 {
			t.Errorf("exp of every second number is %v", exp)
		}
		m := p.put(tensor.New([]float32{1, 2, 3, 4, 5, 6}, 2, 3))
		wantData(t, m.T().Sum(1), tensor.Shape{3}, float32(5), 7, 9)
		wantData(t, m.T().Reciprocal().Mul(m.T()).Max(), tensor.Shape{}, float32(1))
		wantData(t, m.Flip(0).Sum(1), tensor.Shape{2}, float32(15), 6)
		wantData(t, m.Slice(tensor.All, even).Sum(0), tensor.Shape{2}, float32(5), 9)
		v := p.iota(4) // two reductions over different parts of one buffer
		wantData(t, v.Slice(tensor.R(1, 4)).Max().Sub(v.Slice(tensor.R(1, 3)).Min()), tensor.Shape{}, float32(2))
		x := p.iota(3, 4).T() // rows 3 and 1 of a transposed matrix
		wantData(t, x.Index(0, 3), tensor.Shape{3}, float32(3), 7, 11)
		wantData(t, x.Slice(tensor.R(3, 0, -2)), tensor.Shape{2, 3}, float32(3), 7, 11, 1, 5, 9)
	})
}

// Lengths round every vector width, at offsets that no load is aligned to, with
// one special value at each place in turn.
func TestFaultLengthsOffsetsAndSpecialPlaces(t *testing.T) {
	lengths := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025}
	for _, n := range lengths {
		for offset := range 8 {
			base := iota32(n + offset)
			v := base.Slice(tensor.R(offset, tensor.End))
			want := make([]float32, n)
			for i := range want {
				want[i] = float32(2*(i+offset) + 1)
			}
			wantData(t, v.Add(v).AddScalar(1), tensor.Shape{n}, want...)
			dst := tensor.Zeros(dtype.Float32, n+offset+3)
			into(t, dst.Slice(tensor.R(offset, offset+n)), kernels.Neg, v)
			wantData(t, dst.Eq(tensor.Scalar(0)).Sum(), tensor.Shape{}, int64(offset+3+b2i(n > 0 && offset == 0)))
			if n == 0 {
				continue
			}
			at := (n*7 + offset) % n
			must(t, v.Set(math.NaN(), at))
			wantData(t, v.ArgMax(), tensor.Shape{}, int64(at))
			wantData(t, v.Max(), tensor.Shape{}, nan)
			must(t, v.Set(1e10, at))
			wantData(t, v.Max(), tensor.Shape{}, float32(1e10))
			wantData(t, v.Neg().Abs().Max(), tensor.Shape{}, float32(1e10))
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// All orders of axes, of operands of mixed layouts.
func TestFaultPermutedOperands(t *testing.T) {
	x := iota32(2, 3, 4, 5)
	want := data[float32](t, x.Add(x))
	var axes []int
	var visit func()
	visit = func() {
		if len(axes) == 4 {
			inverse := make([]int, 4)
			for i, a := range axes {
				inverse[a] = i
			}
			y := x.Permute(axes...).Clone().Permute(inverse...) // x in another order of memory
			wantData(t, y.Add(x), x.Shape(), want...)
			wantData(t, x.Add(y.Flip(1).Clone().Flip(1)), x.Shape(), want...)
			wantData(t, y.Sum(1, 3), tensor.Shape{2, 4}, data[float32](t, x.Sum(1, 3))...)
			return
		}
		for a := range 4 {
			if !slices.Contains(axes, a) {
				axes = append(axes, a)
				visit()
				axes = axes[:len(axes)-1]
			}
		}
	}
	visit()
}

// Axes of size 1 and stride 0 between others; ranks of 8, 16 and 32.
func TestFaultAxesOfSizeOneAndDeepRanks(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		x := p.iota(4, 1, 3, 1, 2)
		y := x.BroadcastTo(4, 2, 3, 3, 2).Permute(2, 0, 4, 1, 3).Slice(tensor.R(0, 3, 2), tensor.R(1, 3), tensor.R(1, 2))
		want := make([]float32, 0, 24)
		for _, k := range []int{0, 2} {
			for _, i := range []int{1, 2} {
				for range 6 {
					want = append(want, float32(i*6+k*2+1))
				}
			}
		}
		wantData(t, y.MulScalar(1), tensor.Shape{2, 2, 1, 2, 3}, want...)
		for _, rank := range []int{8, 16, 32} {
			a, b := slices.Repeat([]int{1}, rank), slices.Repeat([]int{1}, rank)
			for i := range rank {
				if i%(rank/8) == 0 && i/(rank/8)%2 == 0 {
					a[i] = 2
				} else if i%(rank/8) == 0 {
					b[i] = 2
				}
			}
			sum := p.iota(16).Reshape(a...).Add(p.iota(16).MulScalar(100).Reshape(b...))
			if sum.Size() != 256 || sum.Rank() != rank {
				t.Fatalf("rank %d: %v, %v", rank, sum.Shape(), sum.Err())
			}
			wantData(t, sum.Sum(), tensor.Shape{}, float32(256*7.5+256*750))
			wantData(t, sum.Max(), tensor.Shape{}, float32(1515))
		}
	})
}
