package tensor_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// sumOf is a sum of products as a loop over all indices computes it. An index
// is a letter; where the axes of an operand have size 1 they stretch.
func sumOf(t *testing.T, terms []string, result string, in []*tensor.Tensor) (shape tensor.Shape, sums []float64) {
	t.Helper()
	size := map[byte]int{}
	values := make([][]float64, len(in))
	var all []byte
	for i, term := range terms {
		values[i] = data[float64](t, in[i].Cast(dtype.Float64))
		for axis := range len(term) {
			l := term[axis]
			if _, known := size[l]; !known {
				all = append(all, l)
				size[l] = 1
			}
			if n := in[i].Dim(axis); n != 1 {
				size[l] = n
			}
		}
	}
	shape = tensor.Shape{}
	for _, l := range []byte(result) {
		shape = append(shape, size[l])
	}
	sums = make([]float64, shape.Size())
	var space []int
	for _, l := range all {
		space = append(space, size[l])
	}
	each(space, func(index []int) {
		at := func(l byte) int { return index[slices.Index(all, l)] }
		product := 1.0
		for i, term := range terms {
			pos := 0
			for axis := range len(term) {
				n := in[i].Dim(axis)
				pos = pos*n + min(at(term[axis]), n-1)
			}
			product *= values[i][pos]
		}
		out := 0
		for i := range len(result) {
			out = out*shape[i] + at(result[i])
		}
		sums[out] += product
	})
	return shape, sums
}

// small returns a tensor of small integers, all of which any dtype holds.
func small(rng *rand.Rand, d dtype.DType, sizes ...int) *tensor.Tensor {
	v := make([]float32, tensor.Shape(sizes).Size())
	for i := range v {
		v[i] = float32(rng.IntN(3))
	}
	return tensor.New(v).Reshape(sizes...).Cast(d)
}

func TestEinsum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	a := func(sizes ...int) *tensor.Tensor { return small(rng, dtype.Float32, sizes...) }
	for _, c := range []struct {
		expr   string
		in     []*tensor.Tensor
		terms  string // the same without ellipsis, with ->
		result string
	}{
		{"ij,jk->ik", []*tensor.Tensor{a(2, 3), a(3, 4)}, "ij,jk", "ik"},
		{"ij,jk->ki", []*tensor.Tensor{a(2, 3), a(3, 4)}, "ij,jk", "ki"},
		{"ij,jk", []*tensor.Tensor{a(2, 3), a(3, 4)}, "ij,jk", "ik"},
		{"kj,ji", []*tensor.Tensor{a(2, 3), a(3, 4)}, "kj,ji", "ik"},
		{"bA,bc", []*tensor.Tensor{a(2, 3), a(2, 4)}, "bA,bc", "Ac"},
		{" i j , j k -> i k ", []*tensor.Tensor{a(2, 3), a(3, 4)}, "ij,jk", "ik"},
		{"ii", []*tensor.Tensor{a(3, 3)}, "ii", ""},
		{"ii->i", []*tensor.Tensor{a(3, 3)}, "ii", "i"},
		{"iii->i", []*tensor.Tensor{a(3, 3, 3)}, "iii", "i"},
		{"ijij->ij", []*tensor.Tensor{a(2, 3, 2, 3)}, "ijij", "ij"},
		{"ijji->", []*tensor.Tensor{a(2, 3, 3, 2)}, "ijji", ""},
		{"ij->ji", []*tensor.Tensor{a(2, 3)}, "ij", "ji"},
		{"ji", []*tensor.Tensor{a(2, 3)}, "ji", "ij"},
		{"ij->", []*tensor.Tensor{a(2, 3)}, "ij", ""},
		{"ij->j", []*tensor.Tensor{a(2, 3)}, "ij", "j"},
		{"->", []*tensor.Tensor{a()}, "", ""},
		{",->", []*tensor.Tensor{a(), a()}, ",", ""},
		{",i->i", []*tensor.Tensor{a(), a(3)}, ",i", "i"},
		{"i,i", []*tensor.Tensor{a(4), a(4)}, "i,i", ""},
		{"i,j", []*tensor.Tensor{a(4), a(3)}, "i,j", "ij"},
		{"i,i->i", []*tensor.Tensor{a(4), a(4)}, "i,i", "i"},
		{"bij,bjk->bik", []*tensor.Tensor{a(5, 2, 3), a(5, 3, 4)}, "bij,bjk", "bik"},
		{"ibj,jk->bik", []*tensor.Tensor{a(2, 5, 3), a(3, 4)}, "ibj,jk", "bik"},
		{"ij,bjk->bik", []*tensor.Tensor{a(2, 3), a(5, 3, 4)}, "ij,bjk", "bik"},
		{"bi,bi->b", []*tensor.Tensor{a(5, 3), a(5, 3)}, "bi,bi", "b"},
		{"abcd,dcbe->ae", []*tensor.Tensor{a(2, 3, 4, 2), a(2, 4, 3, 5)}, "abcd,dcbe", "ae"},
		{"abcd,efcd->abef", []*tensor.Tensor{a(2, 3, 4, 2), a(3, 2, 4, 2)}, "abcd,efcd", "abef"},
		{"bn,anm,bm->ba", []*tensor.Tensor{a(2, 5), a(3, 5, 4), a(2, 4)}, "bn,anm,bm", "ba"},
		{"ij,jk,kl,lm->im", []*tensor.Tensor{a(2, 9), a(9, 2), a(2, 7), a(7, 3)}, "ij,jk,kl,lm", "im"},
		{"i,i,i->i", []*tensor.Tensor{a(3), a(3), a(3)}, "i,i,i", "i"},
		{"ij,kl->", []*tensor.Tensor{a(2, 3), a(4, 5)}, "ij,kl", ""},
		{"...ij,...jk->...ik", []*tensor.Tensor{a(4, 1, 2, 3), a(5, 3, 2)}, "abij,bjk", "abik"},
		{"...ij,...jk", []*tensor.Tensor{a(4, 1, 2, 3), a(5, 3, 2)}, "abij,bjk", "abik"},
		{"...ii->...i", []*tensor.Tensor{a(4, 3, 3)}, "aii", "ai"},
		{"i...->...", []*tensor.Tensor{a(4, 3, 2)}, "iab", "ab"},
		{"i...j->j...i", []*tensor.Tensor{a(4, 3, 2)}, "iaj", "jai"},
		{"...,...->", []*tensor.Tensor{a(4, 3), a(3)}, "ab,b", ""},
		{"...->...", []*tensor.Tensor{a()}, "", ""},
		{"ij,jk->ik", []*tensor.Tensor{a(2, 1), a(3, 4)}, "ij,jk", "ik"},
		{"ij,jk->ijk", []*tensor.Tensor{a(1, 3), a(1, 1)}, "ij,jk", "ijk"},
		{"ij,jk->ik", []*tensor.Tensor{a(2, 0), a(0, 4)}, "ij,jk", "ik"},
		{"ij,jk->ik", []*tensor.Tensor{a(0, 3), a(3, 4)}, "ij,jk", "ik"},
		{"ij,jk->ik", []*tensor.Tensor{a(2, 1), a(0, 4)}, "ij,jk", "ik"},
	} {
		t.Run(c.expr, func(t *testing.T) {
			shape, want := sumOf(t, strings.Split(c.terms, ","), c.result, c.in)
			got := tensor.Einsum(c.expr, c.in...)
			wantData(t, got.Cast(dtype.Float64), shape, want...)
			if !got.IsContiguous() || got.DType() != dtype.Float32 {
				t.Errorf("the result is %v, contiguous %v", got.DType(), got.IsContiguous())
			}
		})
	}
}

// Random expressions over random views, in all dtypes, on the CPU and on a
// device that multiplies through it.
func TestEinsumOfRandomExpressions(t *testing.T) {
	lag := lagging(t, devicetest.LagOptions{DropAbilities: true, Seed: 5})
	device.AllowHost(lag)
	const letters = "abcde"
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 3))
		size := map[byte]int{}
		for i := range len(letters) {
			size[letters[i]] = []int{1, 2, 2, 3, 3, 4, 0}[rng.IntN(7)]
			if seed%4 != 0 && size[letters[i]] == 0 {
				size[letters[i]] = 2
			}
		}
		d := dtype.All()[rng.IntN(len(dtype.All()))]
		var terms []string
		var in []*tensor.Tensor
		for range 1 + rng.IntN(3) {
			var term []byte
			for range rng.IntN(4) {
				term = append(term, letters[rng.IntN(len(letters))])
			}
			terms = append(terms, string(term))
			in = append(in, randomView(rng, d, term, size))
		}
		used := strings.Join(terms, "")
		var result []byte
		for _, i := range rng.Perm(len(letters)) {
			if strings.IndexByte(used, letters[i]) >= 0 && rng.IntN(2) == 0 {
				result = append(result, letters[i])
			}
		}
		expr := strings.Join(terms, ",") + "->" + string(result)
		shape, want := sumOf(t, terms, string(result), in)
		got := tensor.Einsum(expr, in...)
		if rng.IntN(4) == 0 {
			for i := range in {
				in[i] = in[i].To(lag)
			}
			got = tensor.Einsum(expr, in...)
		}
		if err := got.Err(); err != nil {
			t.Fatalf("%s of %v: %v", expr, in, err)
		}
		exact := tensor.New(want)
		if d != dtype.Bool {
			exact = exact.Cast(dtype.Int64) // then wraps
		}
		wantBits := data[float64](t, exact.Cast(d).Cast(dtype.Float64))
		if v := data[float64](t, got.Cast(dtype.Float64)); got.DType() != d || !got.Shape().Equal(shape) || !slices.Equal(v, wantBits) {
			t.Fatalf("%s of %v in %v: %v %v, want %v", expr, in, d, got.Shape(), v, wantBits)
		}
	}
}

// randomView returns an operand for a term: permuted, reversed, stretched or
// of size 1 on some axes, all as its indices have the sizes.
func randomView(rng *rand.Rand, d dtype.DType, term []byte, size map[byte]int) *tensor.Tensor {
	sizes, made := make([]int, len(term)), make([]int, len(term))
	one := rng.IntN(3) == 0
	for i, l := range term {
		sizes[i] = size[l]
		if one && len(term) > 1 && strings.Count(string(term), string(rune(l))) == 1 && rng.IntN(3) == 0 {
			sizes[i] = 1 // broadcasts with the index elsewhere
		}
		if made[i] = sizes[i]; rng.IntN(6) == 0 && sizes[i] > 1 {
			made[i] = 1
		}
	}
	perm := rng.Perm(len(term))
	stored, back := make([]int, len(term)), make([]int, len(term))
	for i, axis := range perm {
		stored[i], back[axis] = made[axis], i
	}
	x := small(rng, d, stored...).Permute(back...)
	if len(term) > 0 && rng.IntN(3) == 0 {
		x = x.Flip(rng.IntN(len(term)))
	}
	return x.BroadcastTo(sizes...)
}

func TestEinsumPromotes(t *testing.T) {
	ones := func(d dtype.DType) *tensor.Tensor { return tensor.Ones(d, 300) }
	for _, c := range []struct {
		name string
		got  *tensor.Tensor
		d    dtype.DType
		want float64
	}{
		{"uint8 wraps", tensor.Einsum("i->", ones(dtype.Uint8)), dtype.Uint8, 300 - 256},
		{"uint8 products wrap", tensor.Einsum("i,i->", ones(dtype.Uint8), ones(dtype.Uint8)), dtype.Uint8, 300 - 256},
		{"all dtypes count at once", tensor.Einsum("i,i,i->", ones(dtype.Uint8), ones(dtype.Uint8), ones(dtype.Int32)), dtype.Int32, 300},
		{"bool", tensor.Einsum("i,i->", ones(dtype.Bool), ones(dtype.Bool)), dtype.Bool, 1},
		{"256 bools", tensor.Einsum("i->", tensor.Ones(dtype.Bool, 256)), dtype.Bool, 1},
		{"integers beside floats", tensor.Einsum("i,i", ones(dtype.Int64), ones(dtype.Float32)), dtype.Float32, 300},
		{"integers beside halves are halves first", tensor.Einsum("i,i", tensor.Full(dtype.Int16, 2049, 1), tensor.Ones(dtype.Float16, 1)), dtype.Float16, 2048},
		{"and so they are here", tensor.Einsum("ij,jk", tensor.Full(dtype.Int16, 2049, 2, 2), tensor.Full(dtype.Float16, 0.5, 2, 2)).Slice(tensor.R(0, 1), tensor.R(0, 1)), dtype.Float16, 2048},
		{"two kinds of halves", tensor.Einsum("i,i", ones(dtype.Float16), ones(dtype.BFloat16)), dtype.Float32, 300},
		// 300·300 = 90000 is no float16, its half is; in float16 the first sum would round
		{"halves round once", tensor.Einsum("i,j,k->", ones(dtype.Float16), ones(dtype.Float16), tensor.Full(dtype.Float16, 0.25, 1)), dtype.Float16, 22496},
	} {
		if v := data[float64](t, c.got.Cast(dtype.Float64)); c.got.DType() != c.d || v[0] != c.want {
			t.Errorf("%s: %v %v, want %v %v", c.name, c.got.DType(), v, c.d, c.want)
		}
	}
}

func ExampleEinsum() {
	a := tensor.New([]float32{1, 2, 3, 4}, 2, 2)
	b := tensor.New([]float32{10, 100}, 2)
	fmt.Println(tensor.Einsum("ij,j->i", a, b))
	fmt.Println(tensor.Einsum("ii", a))
	// Output:
	// [210. 430.]
	// 5.0
}
