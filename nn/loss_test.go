package nn_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/nn"
	"github.com/stride0/stride0/tensor"
)

var (
	none  = nn.LossOpts{Reduction: nn.None}
	total = nn.LossOpts{Reduction: nn.Sum}
)

// A loss of (N, 1) against (N) would train on all N×N differences.
func TestLossesNeverBroadcast(t *testing.T) {
	column, row := new32(tensor.Shape{4, 1}, 1, 2, 3, 4), new32(tensor.Shape{4}, 1, 2, 3, 4)
	for name, loss := range map[string]func(x, t *tensor.Tensor, o nn.LossOpts) *tensor.Tensor{"mse": nn.MSE, "bce": nn.BCE, "bcewithlogits": nn.BCEWithLogits} {
		wantError(t, loss(column, row, nn.LossOpts{}), nil, name+": the prediction (4, 1) and the target (4) differ", "call Squeeze(1) on the prediction to make it (4)")
		wantError(t, loss(row, column, none), nil, "call Squeeze(1) on the target to make it (4)")
		wantError(t, loss(row, row.Slice(tensor.R(0, 1)), none), nil, "call BroadcastTo first")
		wantError(t, loss(row, nil, none), tensor.ErrEmpty, name+": operand 2 of 2")
		wantError(t, loss(nil, row, none), tensor.ErrEmpty, name+": operand 1 of 2")
		wantError(t, loss(row, row, nn.LossOpts{Reduction: 9}), nil, "there is no reduction 9")
	}
	wantError(t, nn.MSE(tensor.Ones(dtype.Float32, 2, 1), tensor.Ones(dtype.Float32, 2, 1, 1, 1), total), nil, "call Squeeze(2, 3) on the target")
	wantError(t, nn.MSE(tensor.Ones(dtype.Float32, 1, 3, 1), tensor.Ones(dtype.Float32, 3), total), nil, "call Squeeze(0, 2) on the prediction")
	wantData(t, nn.MSE(column.Squeeze(1), row, nn.LossOpts{}), tensor.Shape{}, float32(0))
}

func TestMSE(t *testing.T) {
	x, y := new32(tensor.Shape{2, 2}, 1, 2, 3, 4), new32(tensor.Shape{2, 2}, 1, 4, 0, 4)
	wantData(t, nn.MSE(x, y, nn.LossOpts{}), tensor.Shape{}, float32(3.25))
	wantData(t, nn.MSE(x, y, total), tensor.Shape{}, float32(13))
	wantData(t, nn.MSE(x, y, none), tensor.Shape{2, 2}, float32(0), 4, 9, 0)
	wantData(t, nn.MSE(x.T(), y.T(), none), tensor.Shape{2, 2}, float32(0), 9, 4, 0)
	wantData(t, nn.MSE(x.Cast(dtype.Int8), y.Cast(dtype.Bool), none), tensor.Shape{2, 2}, float32(0), 1, 9, 9)
	wantData(t, nn.MSE(tensor.Zeros(dtype.Float32, 0), tensor.Zeros(dtype.Float32, 0), nn.LossOpts{}), tensor.Shape{}, nan)
	wantData(t, nn.MSE(x, tensor.Zeros(dtype.Float64, 2, 2), total), tensor.Shape{}, 30.0)
}

// The square of 300 does not fit float16, the mean of squares does.
func TestLossesOfHalvesRoundOnce(t *testing.T) {
	x := tensor.Zeros(dtype.Float16, 100)
	must(t, x.Set(300, 7))
	got := nn.MSE(x, tensor.ZerosLike(x), nn.LossOpts{})
	if got.DType() != dtype.Float16 {
		t.Errorf("a loss of float16 is %v", got.DType())
	}
	wantNear(t, got, 0, 900)
	small := tensor.Full(dtype.BFloat16, 1, 1000)
	wantNear(t, nn.MSE(small, tensor.ZerosLike(small), total), 0, 1000)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestBCEAtTheEnds(t *testing.T) {
	x, y := new32(tensor.Shape{5}, 0, 1, 0, 1, 0.5), new32(tensor.Shape{5}, 0, 1, 1, 0, 0.5)
	wantData(t, nn.BCE(x, y, none), tensor.Shape{5}, float32(0), 0, inf, inf, math.Ln2)
	// A tiny probability keeps its digits on both sides.
	wantNear(t, nn.BCE(new32(tensor.Shape{1}, 1e-10), new32(tensor.Shape{1}, 0), none), 1e-17, 1e-10)
}

func TestBCEWithLogitsIsStable(t *testing.T) {
	x := new32(tensor.Shape{8}, 100, 100, -100, -1e30, 1e30, inf, -inf, nan)
	y := new32(tensor.Shape{8}, 1, 0, 1, 1, 0, 1, 0, 1)
	wantNear(t, nn.BCEWithLogits(x, y, none), 1e-6, math.Exp(-100), 100, 100, 1e30, 1e30, 0, 0, math.NaN())
	if v, err := tensor.Item[float32](nn.BCEWithLogits(x, y, none).Index(0, 0)); v == 0 || err != nil {
		t.Errorf("the loss of a sure and right logit is %v, want e^-100 (%v)", v, err)
	}
}

func TestCrossEntropyOfIndicesIsThatOfOneHot(t *testing.T) {
	logits := normal(3, 4, 5, 3).MulScalar(4)
	labels := tensor.New([]int64{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1}, 4, 3)
	hot := labels.OneHot(5, dtype.Float32).Permute(0, 2, 1)
	for _, r := range []nn.Reduction{nn.Mean, nn.Sum, nn.None} {
		want := nn.CrossEntropy(logits, labels, nn.ClassOpts{Reduction: r})
		wantSame(t, nn.CrossEntropy(logits, hot, nn.ClassOpts{Reduction: r}), want)
		wantSame(t, nn.CrossEntropy(logits, hot.Cast(dtype.Bool), nn.ClassOpts{Reduction: r}), want)
		wantSame(t, nn.CrossEntropy(logits, labels.Cast(dtype.Uint8), nn.ClassOpts{Reduction: r}), want)
		wantSame(t, nn.NLL(logits.LogSoftmax(1), labels, nn.ClassOpts{Reduction: r}), want)
		wantSame(t, nn.CrossEntropy(logits.Permute(0, 2, 1), labels, nn.ClassOpts{Reduction: r, Axis: -1}), want)
	}
	wantData(t, nn.CrossEntropy(new32(tensor.Shape{3}, 1000, 1000, -inf), tensor.New([]int32{1}).Reshape(), nn.ClassOpts{}), tensor.Shape{}, float32(math.Ln2))
}

func TestCrossEntropyAtTheEnds(t *testing.T) {
	logits := new32(tensor.Shape{4, 2}, 1000, -1000, 1000, -1000, 0, -inf, -1e30, 1e30)
	wantData(t, nn.CrossEntropy(logits, tensor.New([]int{0, 1, 0, 0}), nn.ClassOpts{Reduction: nn.None}), tensor.Shape{4}, float32(0), 2000, 0, 2e30)
	// A class of probability 0 may have a logit of -Inf.
	wantData(t, nn.CrossEntropy(logits, new32(tensor.Shape{4, 2}, 1, 0, 0, 1, 1, 0, 0.5, 0.5), nn.ClassOpts{Reduction: nn.None}), tensor.Shape{4}, float32(0), 2000, 0, 1e30)
	half := logits.Slice(tensor.R(0, 2)).Cast(dtype.Float16)
	wantNear(t, nn.CrossEntropy(half, tensor.New([]int{0, 1}), nn.ClassOpts{}), 0, 1000)
}

func TestCrossEntropyIgnoresAndWeighs(t *testing.T) {
	logits, w := new32(tensor.Shape{3, 2}, 0, 0, 0, 0, 5, 0), new32(tensor.Shape{2}, 1, 3)
	ln2 := float32(math.Ln2)
	o := nn.ClassOpts{Weight: w, Ignore: []int{-100, 7}}
	wantNear(t, nn.CrossEntropy(logits, tensor.New([]int{0, 1, -100}), o), 1e-6, math.Ln2)
	o.Reduction = nn.None
	wantData(t, nn.CrossEntropy(logits, tensor.New([]int{0, 1, 7}), o), tensor.Shape{3}, ln2, 3*ln2, 0)
	o.Reduction = nn.Sum
	wantNear(t, nn.CrossEntropy(logits, tensor.New([]int{-100, 1, 7}), o), 1e-6, 3*math.Ln2)
	wantNear(t, nn.CrossEntropy(logits, tensor.New([]int{-100, 1, -100}), nn.ClassOpts{Ignore: []int{-100}}), 1e-6, math.Ln2)
	wantData(t, nn.CrossEntropy(logits, tensor.New([]int{7, 7, 7}), nn.ClassOpts{Ignore: []int{7}}), tensor.Shape{}, nan)
	wantData(t, nn.CrossEntropy(new32(tensor.Shape{1, 2}, nan, nan), tensor.New([]int{7}), nn.ClassOpts{Ignore: []int{7}, Reduction: nn.None}), tensor.Shape{1}, float32(0))
}

func TestCrossEntropyRefuses(t *testing.T) {
	x := normal(1, 4, 3)
	labels := tensor.New([]int{0, 1, 2, 0})
	wantError(t, nn.CrossEntropy(x, labels.Unsqueeze(1), nn.ClassOpts{}), nil, "crossentropy: the target (4, 1)", "call Squeeze(1) on the target to make it (4)")
	wantError(t, nn.CrossEntropy(x, labels.Slice(tensor.R(0, 3)), nn.ClassOpts{}), nil, "give indices of shape (4), or probabilities of shape (4, 3)")
	wantError(t, nn.CrossEntropy(x, labels.Cast(dtype.Float32), nn.ClassOpts{}), nil, "indices of classes are integers, not float32", "Cast(dtype.Int64)")
	wantError(t, nn.NLL(x, x, nn.ClassOpts{}), nil, "nll: the target (4, 3)", "give indices of shape (4)")
	wantError(t, nn.CrossEntropy(x, tensor.New([]int{0, 1, 3, 0}), nn.ClassOpts{}), device.ErrIndex, "crossentropy")
	wantError(t, nn.CrossEntropy(x, labels, nn.ClassOpts{Axis: 2}), nil, "no class axis 2 in (4, 3)")
	wantError(t, nn.CrossEntropy(tensor.Ones(dtype.Float32), labels, nn.ClassOpts{}), nil, "no class axis 0 in ()")
	wantError(t, nn.CrossEntropy(x, labels, nn.ClassOpts{Weight: tensor.Ones(dtype.Float32, 4)}), nil, "the weight (4) is not one for each class", "(3)")
	wantError(t, nn.CrossEntropy(x, x, nn.ClassOpts{Ignore: []int{1}}), nil, "Ignore lists labels")
	wantError(t, nn.CrossEntropy(x, labels, nn.ClassOpts{Reduction: 3}), nil, "there is no reduction 3")
	wantError(t, nn.CrossEntropy(x, nil, nn.ClassOpts{}), tensor.ErrEmpty)
}
