package goldens_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/internal/goldens"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

var (
	floats   = []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64}
	integers = []dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64}
)

// names returns the list of that name in testdata/index.json.
func names(t *testing.T, list string) (v []string) {
	t.Helper()
	entry(t, list, &v)
	if len(v) == 0 {
		t.Fatalf("index.json has no %s", list)
	}
	return v
}

var readIndex = sync.OnceValues(func() (all map[string]json.RawMessage, err error) {
	text, err := os.ReadFile(filepath.Join("testdata", "index.json"))
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(text, &all)
})

func entry(t *testing.T, name string, v any) {
	t.Helper()
	all, err := readIndex()
	if err == nil {
		err = json.Unmarshal(all[name], v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// golden returns the array of that name, as elements of d where the file has
// only their bits.
func golden(t *testing.T, name string, d dtype.DType) *tensor.Tensor {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".npy"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := goldens.Read(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if d == dtype.BFloat16 && x.DType() == dtype.Uint16 {
		x = x.BitCast(d)
	}
	return x
}

// compute applies a row over the last axis, or element by element.
func compute(t *testing.T, op kernels.Op, attr kernels.Attr, d dtype.DType, shape tensor.Shape, in ...*tensor.Tensor) *tensor.Tensor {
	t.Helper()
	args := make([]kernels.Arg, len(in))
	for i, x := range in {
		args[i].DType = x.DType()
	}
	y := tensor.Zeros(d, shape...)
	for len(in) < op.Row().Arity {
		in = append(in, tensor.Scalar(parameter(op)))
	}
	if err := tensor.Into(y, op.With(attr), in...); err != nil {
		t.Fatal(err)
	}
	return y
}

// parameter is the number that a row with one takes where PyTorch has none.
func parameter(op kernels.Op) float64 {
	if op == kernels.Var || op == kernels.Std {
		return 0
	}
	return 1
}

func opOf(t *testing.T, name string) kernels.Op {
	t.Helper()
	op, ok := kernels.OpByName(name)
	if !ok {
		t.Fatalf("there is no row %q", name)
	}
	return op
}

// values returns elements as float64, exactly for floats.
func values(t *testing.T, x *tensor.Tensor) []float64 {
	t.Helper()
	v, err := tensor.Data[float64](x.Cast(dtype.Float64))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// whole returns integers and bools as bits.
func whole(t *testing.T, x *tensor.Tensor) []uint64 {
	t.Helper()
	v, err := tensor.Data[uint64](x.Cast(dtype.Uint64))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// units returns how many units in the last place of d lie between two of its
// numbers: 0 of any two NaNs, many between ±0 and between NaN and a number.
func units(d dtype.DType, a, b float64) float64 {
	switch {
	case math.Float64bits(a) == math.Float64bits(b), a != a && b != b:
		return 0
	case a != a || b != b, a == b, math.IsInf(a, 0) || math.IsInf(b, 0):
		return math.Inf(1)
	}
	fraction, least := 52, -1074
	switch d {
	case dtype.Float16:
		fraction, least = 10, -24
	case dtype.BFloat16:
		fraction, least = 7, -133
	case dtype.Float32:
		fraction, least = 23, -149
	}
	_, e := math.Frexp(max(math.Abs(a), math.Abs(b)))
	return math.Abs(a-b) / math.Ldexp(1, max(e-1-fraction, least))
}

// allowed returns the units that a result may be off: the row's bound and 1 for
// the golden, which in float64 carries its peer's own error too. Exactly
// rounded rows have nothing to spare.
func allowed(op kernels.Op, d dtype.DType) float64 {
	b := op.Row().Bound
	switch {
	case d == dtype.Float64 && b.Float64 > 0.5:
		return b.Float64 + 4
	case b.Float32 <= 0.5 && b.Float64 <= 0.5:
		return 0
	case d.IsHalf():
		return 1
	}
	return b.Float32 + 1
}
