package tensor_test

import (
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

func itoa(n int) string { return strconv.Itoa(n) }

// An Op is a number: none may be accepted that Into does not carry out.
func TestIntoRefusesWhatIsNoRow(t *testing.T) {
	x, y := tensor.Ones(dtype.Float32, 2, 2), tensor.Zeros(dtype.Float32, 2, 2)
	for op := range kernels.Op(1<<16 - 1) {
		if op.Row() != nil {
			continue
		}
		if err := tensor.Into(y, op, x, x); err == nil {
			t.Fatalf("%v did nothing, and said nothing", op)
		}
	}
	wantError(t, tensor.Into(y, kernels.Op(1<<15), x, x), nil, "op(32768): no such operation")
	wantData[float32](t, y, tensor.Shape{2, 2}, 0, 0, 0, 0)
}

// A row with parameters takes its last operands for numbers: where there are no
// others, nothing must mistake them for the rest.
func TestTooFewScalars(t *testing.T) {
	x, one := tensor.Zeros(dtype.Float32, 2), tensor.Scalar(1)
	for _, op := range kernels.Ops() {
		arity := op.Row().Arity
		for n := range arity + 2 {
			in := slices.Repeat([]*tensor.Tensor{one}, n)
			into, price := tensor.Into(x, op, in...), error(nil)
			if _, price = tensor.PriceInto(x, op, in...); n == arity {
				continue
			}
			wantError(t, into, nil, op.String()+": takes "+itoa(arity)+" operand")
			wantError(t, price, nil, op.String()+": takes "+itoa(arity)+" operand")
		}
	}
}

// What fails while a result is brought to its place is named as the operation
// that was asked for.
func TestErrorsNameTheOperationAskedFor(t *testing.T) {
	bytes, one := tensor.Zeros(dtype.Uint8, 1), tensor.Scalar(1)
	wantError(t, tensor.Into(bytes, kernels.Add, one, tensor.Scalar(255)), nil, "add: 256 is outside the range of uint8")
	wantError(t, tensor.Into(bytes, kernels.Add, one, tensor.Scalar(1.5)), nil, "add: uint8 cannot hold the float 2.5")
	wantError(t, tensor.Into(bytes.BroadcastTo(3), kernels.Mul, one, one), tensor.ErrShared, "mul: cannot write")

	pairs := tensor.Ones(dtype.Float32, 2).BroadcastTo(math.MaxInt/8, 2)
	wantError(t, pairs.Reshape(-1).Err(), device.ErrOutOfMemory, "reshape: ")
	nothing := tensor.Zeros(dtype.Float64, 0, 1).BroadcastTo(0, math.MaxInt/8)
	wantError(t, nothing.SumTo(math.MaxInt/8).Err(), device.ErrOutOfMemory, "sumto: ")
}

func TestLendingToNobody(t *testing.T) {
	x := tensor.Ones(dtype.Float32, 2)
	wantError(t, tensor.WithData[float32](x, nil), nil, "withdata: nil function")
	wantError(t, tensor.WithMutableData[float32](x, nil), nil, "withmutabledata: nil function")
}

// A named type is not converted behind the caller's back.
func TestNumbersOfOtherTypes(t *testing.T) {
	x := tensor.Ones(dtype.Float32, 2)
	wantError(t, x.AddScalar(time.Second).Err(), nil, "add: time.Duration is not a number type; convert it")
	wantError(t, tensor.Full(dtype.Float32, nil).Err(), nil, "full: <nil> is not a number type")
	wantError(t, tensor.FullLike(x, "1").Err(), nil, "full: string is not a number type")
	wantError(t, tensor.Arange(dtype.Float32, 0, x, 1).Err(), nil, "arange: *tensor.Tensor is not a number type")
}

func TestInAScopeThatIsNotOpen(t *testing.T) {
	x := tensor.Ones(dtype.Float32, 2)
	closed := tensor.NewScope()
	closed.Close()
	for name, s := range map[string]*tensor.Scope{"nil": nil, "zero": {}, "closed": closed} {
		t.Run(name, func(t *testing.T) {
			wantError(t, x.In(s).Err(), nil, "in: ", "open one with NewScope")
			s.Keep(x, nil)
			s.Close()
		})
	}
	wantData[float32](t, x, tensor.Shape{2}, 1, 1)
}

func TestAxesOfRank0(t *testing.T) {
	x := tensor.Full(dtype.Float32, 3)
	wantData[float32](t, x.Sum(0), tensor.Shape{}, 3)
	wantData[float32](t, x.Max(-1), tensor.Shape{}, 3)
	wantError(t, x.Sum(1).Err(), nil, "axis 1 is out of range for rank 0; valid axes are -1..0")
	wantError(t, x.Sum(99).Err(), nil, "an axis is outside -1..0")
	wantError(t, x.Sum(0, -1).Err(), nil, "axis 0 is named twice")
	wantError(t, x.Sum(-1, -1).Err(), nil, "named twice")
}

// Counting in float64 would lose the odd numbers.
func TestArangeBeyondTheIntegersOfAFloat64(t *testing.T) {
	const start = int64(1)<<53 + 1
	wantData(t, tensor.Arange(dtype.Int64, start, start+3, 1), tensor.Shape{3}, start, start+1, start+2)
	wantData(t, tensor.Arange(dtype.Int64, start, start-3, -2), tensor.Shape{2}, start, start-2)
	wantError(t, tensor.Arange(dtype.Uint8, 0, 300, 1).Err(), nil, "arange: 299 is outside the range of uint8")
}
