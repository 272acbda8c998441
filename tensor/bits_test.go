package tensor_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// layouts returns the same logical tensor in several layouts.
func layouts(t *testing.T, x *tensor.Tensor) map[string]*tensor.Tensor {
	sizes := x.Shape()
	last := len(sizes) - 1
	reversed := make([]int, len(sizes))
	for i := range reversed {
		reversed[i] = last - i
	}
	// A copy of x inside a larger tensor with gaps along every axis.
	spaced, inside := make([]int, len(sizes)), make([]tensor.Range, len(sizes))
	for i, n := range sizes {
		spaced[i], inside[i] = 3*n+2, tensor.R(1, 3*n+1, 3)
	}
	sliced := tensor.Zeros(x.DType(), spaced...).Slice(inside...)
	into(t, sliced, kernels.Copy, x)
	all := map[string]*tensor.Tensor{
		"row-major":    x,
		"column-major": x.Transpose().Clone().Transpose(),
		"sliced":       sliced,
		"reversed":     x.Flip(reversed...).Clone().Flip(reversed...),
		"flipped last": x.Flip(-1).Clone().Flip(-1),
	}
	for name, y := range all {
		if !y.Shape().Equal(sizes) {
			t.Fatalf("%s has shape %v", name, y.Shape())
		}
	}
	return all
}

// Sums depend on values and logical order alone, to the last bit.
func TestSumsHaveTheSameBitsInEveryLayout(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	sizes := []int{7, 50, 61}
	if raced {
		sizes = []int{5, 21, 22}
	}
	x := tensor.NewRand(3).Uniform(dtype.Float32, sizes...).SubScalar(0.5)
	for _, axes := range [][]int{{}, {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}} {
		var want []float32
		for _, n := range []int{1, 2, 7} {
			runtime.GOMAXPROCS(n)
			for name, y := range layouts(t, x) {
				got := data[float32](t, y.Sum(axes...))
				if want == nil {
					want = got
				}
				if !slices.Equal(got, want) {
					t.Errorf("axes %v, %s, GOMAXPROCS %d: %v, want %v", axes, name, n, got[:1], want[:1])
				}
			}
		}
	}
}

func TestSumsOfStretchedTensors(t *testing.T) {
	row := tensor.NewRand(5).Uniform(dtype.Float32, 1, 33)
	v := row.BroadcastTo(70, 33)
	for _, axes := range [][]int{{}, {0}, {1}} {
		got, want := data[float32](t, v.Sum(axes...)), data[float32](t, v.Clone().Sum(axes...))
		if !slices.Equal(got, want) {
			t.Errorf("axes %v: %v, want %v", axes, got, want)
		}
	}
}

// canonical is the tree of SEMANTICS.md over one sequence.
func canonical(seq []float32) float32 {
	for {
		var blocks []float32
		for start := 0; start < max(len(seq), 1); start += 1024 {
			var lanes [32]float32
			for i, v := range seq[start:min(start+1024, len(seq))] {
				lanes[i%32] += v
			}
			for half := 16; half > 0; half /= 2 {
				for l := range half {
					lanes[l] += lanes[l+half]
				}
			}
			blocks = append(blocks, lanes[0])
		}
		if seq = blocks; len(seq) == 1 {
			return seq[0]
		}
	}
}

func TestSumsFollowTheCanonicalTree(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 1023, 1024, 1025, 5000} {
		x := tensor.NewRand(uint64(n)).Uniform(dtype.Float32, n)
		want := canonical(data[float32](t, x))
		wantData(t, x.Sum(), tensor.Shape{}, want)
		wantData(t, x.Unsqueeze(-1).BroadcastTo(n, 2).Sum(0), tensor.Shape{2}, want, want)
		if n > 0 {
			wantData(t, x.Mean(), tensor.Shape{}, want/float32(n))
		}
	}
}

func TestMeanOfManyOnes(t *testing.T) {
	rows := 20_000_000
	if raced {
		rows = 20_000
	}
	x := tensor.Ones(dtype.Float32, 1, 1).BroadcastTo(rows, 2)
	wantData(t, x.Mean(0), tensor.Shape{2}, float32(1), 1)
}

// Element-wise results are those of the contiguous copy, bit for bit.
func TestElementwiseBitsInEveryLayout(t *testing.T) {
	x := tensor.NewRand(9).Uniform(dtype.Float32, 3, 5, 37).SubScalar(0.5).MulScalar(40)
	into(t, x.Index(0, 0).Index(0, 0).Slice(tensor.R(0, 3)), kernels.Copy,
		tensor.New([]float32{float32(math.NaN()), float32(math.Inf(-1)), minus0}))
	for _, op := range kernels.Ops() {
		row := op.Row()
		if row.Arity != 1 || row.Reduce != nil || row.Rule == kernels.RuleCast {
			continue
		}
		want := tensor.ZerosLike(x)
		if tensor.Into(want, op, x) != nil {
			continue
		}
		for name, y := range layouts(t, x) {
			got := tensor.ZerosLike(x)
			into(t, got, op, y)
			if !slices.EqualFunc(data[float32](t, got), data[float32](t, want), sameBits[float32]) {
				t.Errorf("%v of the %s layout differs", op, name)
			}
		}
	}
}
