package goldens_test

import (
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// Every pair, in both orders, against NumPy's table: where a float is among
// them PyTorch's decides, since an integer never widens a float; uint64 with a
// signed integer, which NumPy makes float64, is an error.
func TestPromotionOfPairs(t *testing.T) {
	var pairs [][4]*string
	entry(t, "promotion", &pairs)
	byName := map[string]dtype.DType{}
	for _, d := range dtype.All() {
		byName[d.String()] = d
	}
	if len(pairs) != len(byName)*len(byName) {
		t.Fatalf("%d pairs of %d dtypes", len(pairs), len(byName))
	}
	for _, p := range pairs {
		a, b := byName[*p[0]], byName[*p[1]]
		want, why := promoted(a, b, p[2], p[3])
		got, err := tensor.ResultType(tensor.Zeros(a, 2), tensor.Zeros(b))
		if (err != nil) != (want == "") || err == nil && got.String() != want {
			t.Errorf("%v with %v is %v (%v), want %q: %s", a, b, got, err, want, why)
		}
	}
}

// promoted returns the dtype, "" for an error, and who says so.
func promoted(a, b dtype.DType, numpy, torch *string) (want, why string) {
	float := a
	if !a.IsFloat() {
		float = b
	}
	switch {
	case float.IsFloat() && torch != nil:
		return *torch, "PyTorch's promote_types"
	case float.IsFloat():
		return float.String(), "an integer never widens a float (PyTorch 1.13 lacks this integer)"
	case *numpy == "float64":
		return "", "uint64 with a signed integer has no common type"
	}
	return *numpy, "NumPy's promote_types"
}

// A rank-0 tensor is as strong as any other, a Scalar is not.
func TestPromotionOfScalars(t *testing.T) {
	x := tensor.Zeros(dtype.Float16, 2)
	for want, y := range map[dtype.DType]*tensor.Tensor{dtype.Float64: tensor.Zeros(dtype.Float64), dtype.Float16: tensor.Scalar(0.1)} {
		if d, err := tensor.ResultType(x, y); d != want || err != nil {
			t.Errorf("%v, %v, want %v", d, err, want)
		}
	}
	if d, err := tensor.ResultType(tensor.Zeros(dtype.Int8, 2), tensor.Scalar(1.5)); d != dtype.Float32 || err != nil {
		t.Errorf("int8 with 1.5 is %v, %v", d, err)
	}
	if d, err := tensor.ResultType(tensor.Scalar(1), tensor.Scalar(1.5)); d != dtype.Float64 || err != nil {
		t.Errorf("1 with 1.5 is %v, %v", d, err)
	}
	if _, err := tensor.ResultType(x, nil); err == nil {
		t.Error("nil has a type")
	}
}
