package tensor_test

import (
	"errors"
	"math"
	"os"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// Every operation over no elements gives a tensor of the right shape, and what
// comes after it on the device is not disturbed.
func TestFaultOperationsOverNothing(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		one := p.put(tensor.New([]float32{1, 2, 3}, 1, 3))
		for _, sizes := range [][]int{{0, 3}, {0, 1}, {2, 0, 3}, {0}} {
			if sizes[len(sizes)-1] == 0 {
				one = one.Slice(tensor.All, tensor.R(0, 1))
			}
			e := p.put(tensor.Zeros(dtype.Float32, sizes...))
			want, _ := stretch(sizes, one.Shape())
			for _, op := range kernels.Ops() {
				row, in := op.Row(), []*tensor.Tensor{e}
				if row.Reduce != nil || row.Expand != nil || row.Rule == kernels.RuleCast {
					continue
				}
				shape := tensor.Shape(sizes)
				switch row.Arity {
				case 2:
					in, shape = []*tensor.Tensor{e, one}, want
				case 3:
					in, shape = []*tensor.Tensor{e.Gt(one), e, one}, want
				}
				if r := tensor.Apply(op, kernels.Attr{}, in...); r.Err() == nil && !r.Shape().Equal(shape) {
					t.Errorf("%v over %v has shape %v, want %v", op, sizes, r.Shape(), shape)
				}
			}
			must(t, e.AddAssign(e))
			must(t, e.Fill(1))
			wantData(t, one.Add(one).Index(0, 0).Slice(tensor.R(0, 1)), tensor.Shape{1}, float32(2))
		}
		wantData[float32](t, p.put(tensor.Zeros(dtype.Float32, 0, 2)).Max(1), tensor.Shape{0})
		wantData(t, p.put(tensor.Zeros(dtype.Float32, 0, 2)).Sum(0), tensor.Shape{2}, float32(0), 0)
		wantError(t, p.put(tensor.Zeros(dtype.Float32, 0, 2)).Max(0).Err(), nil, "max: no elements to choose from: axis -2 of (0, 2) has size 0")
		wantError(t, p.put(tensor.Zeros(dtype.Float32, 0, 0, 5)).ArgMax(1).Err(), nil, "axis -2")
		must(t, p.Sync())
	})
}

func TestFaultProductsOfNothing(t *testing.T) {
	wantData[float32](t, iota32(0, 4).MatMul(iota32(4, 3)), tensor.Shape{0, 3})
	wantData(t, iota32(2, 0).MatMul(iota32(0, 3)), tensor.Shape{2, 3}, float32(0), 0, 0, 0, 0, 0)
	wantData[float32](t, iota32(0, 2, 2).MatMul(iota32(2, 2)), tensor.Shape{0, 2, 2})
	wantData[float32](t, iota32(2, 2, 2).MatMul(iota32(2, 0)), tensor.Shape{2, 2, 0})
}

// Shapes whose product is beyond an int, also beside an axis of size 0.
func TestFaultShapesBeyondAnInt(t *testing.T) {
	const half = math.MaxInt/2 + 1
	for _, sizes := range [][]int{{half, half}, {half, half, 0}, {0, half, 4}, {math.MaxInt, 2}} {
		var s *broadcast.ShapeError
		for name, x := range map[string]*tensor.Tensor{
			"zeros": tensor.Zeros(dtype.Uint8, sizes...), "broadcastto": tensor.Zeros(dtype.Uint8, 1).BroadcastTo(sizes...),
			"reshape": iota32(4).Reshape(sizes...), "new": tensor.New([]uint8{}, sizes...),
		} {
			if !errors.As(x.Err(), &s) {
				t.Errorf("%s%v: %v", name, sizes, x.Err())
			}
		}
	}
}

// Few elements far apart: strides times sizes beyond 32 bits.
func TestFaultFewElementsFarApart(t *testing.T) {
	if math.MaxInt == math.MaxInt32 || os.Getenv("STRIDE0_FULL") != "1" {
		t.Skip("takes 5 GB; set STRIDE0_FULL=1 to run it")
	}
	n := 1 << 16 // in two steps: the constant is no int of 32 bits
	n = n*n + 1
	x := tensor.Zeros(dtype.Uint8, n)
	must(t, x.Set(7, -1))
	must(t, x.Set(5, (n-1)/2))
	wantData(t, x.Max(), tensor.Shape{}, uint8(7))
	wantData(t, x.ArgMax(), tensor.Shape{}, int64(n-1))
	far := x.Slice(tensor.R(0, tensor.End, (n-1)/2))
	wantData(t, far.AddScalar(1), tensor.Shape{3}, uint8(1), 6, 8)
	wantData(t, far.Sum(), tensor.Shape{}, uint64(12))
	wantData(t, far.Flip().MulScalar(2), tensor.Shape{3}, uint8(14), 10, 0)
}

// More than 2^31 results of a broadcast of few elements.
func TestFaultManyResults(t *testing.T) {
	if math.MaxInt == math.MaxInt32 || os.Getenv("STRIDE0_FULL") != "1" {
		t.Skip("takes 2 GB; set STRIDE0_FULL=1 to run it")
	}
	sum := tensor.Ones(dtype.Uint8, 65536, 1).Add(tensor.Ones(dtype.Uint8, 1, 32769))
	for name, part := range map[string]*tensor.Tensor{"last row": sum.Index(0, -1), "last column": sum.Index(1, -1), "every 1024th row": sum.Slice(tensor.R(0, tensor.End, 1024))} {
		if least, most := data[uint8](t, part.Neg().Max())[0], data[uint8](t, part.Max())[0]; least != 254 || most != 2 {
			t.Errorf("%s: %d to %d, want 2", name, -least, most)
		}
	}
	must(t, sum.Free())
	wantData(t, tensor.Ones(dtype.Float32, 1).BroadcastTo(1_000_000_000).Sum(), tensor.Shape{}, float32(1e9))
}

// Reductions over axes of size 1, of sizes whose bytes are beyond 31 bits.
func TestFaultReductionsOverAxesOfSizeOne(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		x := p.put(tensor.Zeros(dtype.Float32, 1)).BroadcastTo(5, 14400, 14400).Slice(tensor.All, tensor.R(0, 14400, 7200), tensor.R(0, 14400, 4800))
		wantData(t, x.Sum(0), tensor.Shape{2, 3}, float32(0), 0, 0, 0, 0, 0)
		y := p.iota(8, 1, 16, 32, 4)
		wantData(t, y.Sum(1).Sub(y.Squeeze(1)).Abs().Max(), tensor.Shape{}, float32(0))
		wantData(t, y.Max(1).Ne(y.Squeeze()).Sum(), tensor.Shape{}, int64(0))
	})
}

// Grids with more than 65,535 rows.
func TestFaultManyRows(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		x, y := p.iota(65537, 1, 3), p.put(tensor.New([]float32{1, 2}, 1, 2, 1))
		r := x.Add(y)
		wantData(t, r.Index(0, -1), tensor.Shape{2, 3}, float32(196609), 196610, 196611, 196610, 196611, 196612)
		wantData(t, r.Sub(x).Sub(y).Abs().Max(), tensor.Shape{}, float32(0))
		wantData(t, x.Squeeze().Sum(1).Index(0, -1), tensor.Shape{}, float32(3*196609))
		wantData(t, p.put(tensor.Ones(dtype.Uint8, 8192, 2100)).Sum(), tensor.Shape{}, uint64(8192*2100))
	})
}

// The same operation with other shapes, strides, dtypes, numbers and patterns
// of broadcasting, in both orders: what is cached for one serves no other.
func TestFaultCachedKernelsOfAnotherPattern(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		calls := []func() error{
			func() error { return wantSum(p, p.iota(10, 1).Add(p.iota(1, 10)), 900) },
			func() error { return wantSum(p, p.iota(10, 10).Add(p.iota(10, 10)), 9900) },
			func() error { return wantSum(p, p.iota(10, 10).Add(p.iota(10)), 5400) },
			func() error { return wantSum(p, p.iota(10, 10).Add(p.iota(10, 1)), 5400) },
			func() error { return wantSum(p, p.iota(10, 10).T().Add(p.iota(10, 10)), 9900) },
			func() error { return wantSum(p, p.iota(10, 10).AddScalar(1), 5050) },
			func() error { return wantSum(p, p.iota(10, 10).AddScalar(2), 5150) },
			func() error { return wantSum(p, p.iota(100).Add(p.iota(1)), 4950) },
			func() error { return wantSum(p, p.iota(10, 10).Cast(dtype.Int32).Add(p.iota(10, 1)), 5400) },
			func() error { return wantSum(p, p.iota(101).Slice(tensor.R(1, 101)).Add(p.iota(100)), 10000) },
			func() error { return wantSum(p, p.iota(5, 2, 10).Add(p.iota(5, 1, 1)), 5150) },
		}
		for i := range calls {
			for j := range calls {
				must(t, errors.Join(calls[i](), calls[j]()))
			}
		}
	})
}

// wantSum is nil if the elements of x add up to want.
func wantSum(p place, x *tensor.Tensor, want float32) error {
	v, err := tensor.Item[float32](x.Sum().Cast(dtype.Float32))
	if err == nil && v != want {
		err = errors.New("the sum is " + itoa(int(v)) + ", want " + itoa(int(want)))
	}
	return err
}

// 10^4 numbers are arguments of one kernel.
func TestFaultNumbersAreNoPartOfAKernel(t *testing.T) {
	x := tensor.Ones(dtype.Float32, 2)
	for i := range 10_000 {
		wantData(t, x.MulScalar(float64(i)), tensor.Shape{2}, float32(i), float32(i))
	}
	a, err := kernels.Single(kernels.Mul, mulSignature(t, 0.1), dtype.Float32, inputLeaf, scalarLeaf)
	b, err2 := kernels.Single(kernels.Mul, mulSignature(t, 0.2), dtype.Float32, inputLeaf, scalarLeaf)
	if errors.Join(err, err2) != nil || a.Key() != b.Key() {
		t.Errorf("two numbers make two programs (%v, %v)", err, err2)
	}
}

var (
	inputLeaf  = kernels.Leaf{Kind: kernels.OpInput, DType: dtype.Float32}
	scalarLeaf = kernels.Leaf{Kind: kernels.OpScalar, DType: dtype.Float32}
)

func mulSignature(t *testing.T, by float64) kernels.Signature {
	sig, err := kernels.Resolve(kernels.Mul, kernels.Attr{}, []kernels.Arg{{DType: dtype.Float32}, {Weak: dtype.FloatNumber(by)}})
	must(t, err)
	return sig
}

// Broadcasting copies no operand: what is allocated is the result.
func TestFaultBroadcastingMaterialisesNothing(t *testing.T) {
	dev := &counting{Device: cpu.Default(), MatMuler: cpu.Default()}
	on := tensor.On(dev)
	a, b := on.Ones(dtype.Float32, 40, 25, 1, 10), on.Ones(dtype.Float32, 25, 10, 10)
	row, column := on.Ones(dtype.Float32, 1, 500), on.Ones(dtype.Float32, 400, 1)
	vector := on.Ones(dtype.Float32, 192, 40, 1)
	square := on.Ones(dtype.Float32, 40, 40)
	for name, c := range map[string]struct {
		run   func() *tensor.Tensor
		bytes int64
	}{
		"matmul, both batches stretched": {func() *tensor.Tensor { return a.MatMul(b) }, 4 * 40 * 25 * 10},
		"one matrix by many vectors":     {func() *tensor.Tensor { return square.MatMul(vector) }, 4 * 192 * 40},
		"row and column":                 {func() *tensor.Tensor { return row.Mul(column) }, 4 * 400 * 500},
		"stretched, then summed":         {func() *tensor.Tensor { return row.BroadcastTo(1000, 500).Sum(0) }, 4 * 500},
	} {
		dev.bytes = 0
		if r := c.run(); r.Err() != nil || dev.bytes != c.bytes {
			t.Errorf("%s: %d bytes allocated (%v), want %d", name, dev.bytes, r.Err(), c.bytes)
		}
	}
	if math.MaxInt == math.MaxInt32 {
		return // there half of what an int counts is little
	}
	var oom *tensor.MemoryError // what is too large says so before it is allocated
	huge := on.Ones(dtype.Float32, 1).BroadcastTo(math.MaxInt/1024, 1).Add(on.Ones(dtype.Float32, 1).BroadcastTo(128))
	if !errors.As(huge.Err(), &oom) || !errors.Is(huge.Err(), device.ErrOutOfMemory) {
		t.Errorf("half of what an int counts: %v", huge.Err())
	}
}
