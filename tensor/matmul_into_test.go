package tensor_test

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// withinMemory runs f in that many bytes of the CPU's memory beyond what is in
// use, that of keep among it, and makes sure that the same limit refuses twice as much.
func withinMemory(t *testing.T, name string, bytes int64, f func() *tensor.Tensor, keep ...*tensor.Tensor) {
	t.Helper()
	defer runtime.KeepAlive(keep) // operands that are dropped meanwhile would make room
	dev := cpu.Default()
	before := device.Stats(dev).Pool
	for still := 0; still < 3; { // what earlier tests dropped goes first
		runtime.GC()
		time.Sleep(time.Millisecond)
		now := device.Stats(dev).Pool
		if still++; now.Live != before.Live {
			before, still = now, 0
		}
	}
	must(t, device.SetLimit(dev, before.Live+bytes))
	defer func() { must(t, device.SetLimit(dev, before.Limit)) }()
	if r := f(); r.Err() != nil {
		t.Errorf("%s: %v", name, r.Err())
	} else {
		_ = r.Free()
	}
	if r := tensor.Zeros(dtype.Uint8, int(2*bytes)); r.Err() == nil {
		t.Errorf("%s: the limit of %d bytes does not hold", name, bytes)
	}
}

// The kind of product that asks for gigabytes where the stretched operand is
// materialised: here at a scale of 1:1000.
func TestMatMulNeverMaterialisesABroadcastOperand(t *testing.T) {
	const slack = 16 << 10
	a, b := tensor.Ones(dtype.Float32, 512, 16, 1, 20), tensor.Ones(dtype.Float32, 16, 20, 20)
	for _, d := range []dtype.DType{dtype.Float32, dtype.Int64, dtype.Float16, dtype.Bool} {
		x, y := a.Cast(d), b.Cast(d)
		result := int64(512 * 16 * 20 * d.Size())
		withinMemory(t, d.String(), result+result/8+slack, func() *tensor.Tensor { return x.MatMul(y) }, a, b)
		_, _ = x.Free(), y.Free()
	}
	m, columns := tensor.Ones(dtype.Float32, 400, 400), tensor.Ones(dtype.Float32, 96, 400, 1)
	withinMemory(t, "columns", 96*400*4*9/8+slack, func() *tensor.Tensor { return m.MatMul(columns) }, a, b, m, columns)
	row := tensor.Ones(dtype.Float32, 1, 400).BroadcastTo(3000, 400)
	withinMemory(t, "vecdot", 3000*4*9/8+slack, func() *tensor.Tensor { return row.VecDot(row, -1) }, a, b, m, columns, row)
}

// A broadcast operand goes through the host once, not once for every batch.
func TestMatMulThroughTheHostMovesNoElementTwice(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{DropAbilities: true})
	device.AllowHost(dev)
	a, b := iota32(50, 1, 2, 3).To(dev).BroadcastTo(50, 8, 2, 3), iota32(3, 4).To(dev).BroadcastTo(50, 8, 3, 4)
	before := device.Stats(dev).HostBytes
	got := a.MatMul(b)
	if moved, want := device.Stats(dev).HostBytes-before, int64(4*(50*2*3+3*4+50*8*2*4)); moved != want {
		t.Errorf("moved %d bytes, want %d", moved, want)
	}
	wantData(t, got, tensor.Shape{50, 8, 2, 4}, data[float32](t, iota32(50, 1, 2, 3).BroadcastTo(50, 8, 2, 3).MatMul(iota32(3, 4)))...)
}

func TestMatMulInto(t *testing.T) {
	a, b := iota32(2, 3), iota32(3, 4)
	want := []float32{20, 23, 26, 29, 56, 68, 80, 92}
	nans := func(sizes ...int) *tensor.Tensor { return tensor.Full(dtype.Float32, nan, sizes...) }
	for name, dst := range map[string]*tensor.Tensor{
		"row-major":        nans(2, 4),
		"rows with gaps":   nans(2, 9).Slice(tensor.All, tensor.R(3, 7)),
		"transposed":       nans(4, 2).T(),
		"reversed":         nans(2, 4).Flip(),
		"every second":     nans(2, 8).Slice(tensor.All, tensor.R(0, tensor.End, 2)),
		"of another dtype": tensor.Full(dtype.Float64, nan, 2, 4),
	} {
		t.Run(name, func(t *testing.T) {
			base := dst.Cast(dtype.Float32)
			must(t, tensor.MatMulInto(dst, a, b))
			wantData(t, dst.Cast(dtype.Float32), tensor.Shape{2, 4}, want...)
			for _, v := range data[float32](t, base) {
				if v == v {
					t.Error("the test begins without NaN")
				}
			}
		})
	}
	wide := nans(2, 9)
	must(t, tensor.MatMulInto(wide.Slice(tensor.All, tensor.R(3, 7)), a, b))
	for i, v := range data[float32](t, wide) {
		if inside := i%9 >= 3 && i%9 < 7; (v == v) != inside {
			t.Errorf("element %d is %v", i, v)
		}
	}
	vector := nans(2)
	must(t, tensor.MatMulInto(vector, a, iota32(3)))
	wantData(t, vector, tensor.Shape{2}, float32(5), 14)
	must(t, tensor.MatMulInto(vector, iota32(0), iota32(0, 2)))
	wantData(t, vector, tensor.Shape{2}, float32(0), 0)
	rank0 := nans()
	must(t, tensor.MatMulInto(rank0, iota32(3), iota32(3)))
	wantData(t, rank0, tensor.Shape{}, float32(5))
	batch := nans(2, 5, 2, 4).Permute(1, 0, 2, 3)
	must(t, tensor.MatMulInto(batch, iota32(5, 1, 2, 3).BroadcastTo(5, 2, 2, 3), b))
	wantData(t, batch, tensor.Shape{5, 2, 2, 4}, data[float32](t, iota32(5, 1, 2, 3).BroadcastTo(5, 2, 2, 3).MatMul(b))...)
}

// Operands count as read before the first write.
func TestMatMulIntoItsOwnOperand(t *testing.T) {
	for _, dev := range []device.Device{cpu.Default(), lagging(t, devicetest.LagOptions{Seed: 3})} {
		x := iota32(3, 3).To(dev)
		if dev == device.Device(cpu.Default()) {
			x = iota32(3, 3)
		}
		want := data[float32](t, x.MatMul(x.T()))
		before := device.Stats(dev).OverlapCopies
		must(t, tensor.MatMulInto(x, x, x.T()))
		wantData(t, x, tensor.Shape{3, 3}, want...)
		if n := device.Stats(dev).OverlapCopies - before; n != 1 {
			t.Errorf("%d copies counted, want 1", n)
		}
	}
	y := iota32(6)
	must(t, tensor.MatMulInto(y.Slice(tensor.R(0, 2)), y.Reshape(2, 3), y.Slice(tensor.R(1, 4))))
	wantData(t, y, tensor.Shape{6}, float32(8), 26, 2, 3, 4, 5)
}

func TestMatMulIntoRefuses(t *testing.T) {
	a, b := iota32(2, 3), iota32(3, 4)
	dst := tensor.Ones(dtype.Float32, 2, 4)
	for _, c := range []struct {
		err  error
		is   error
		text string
	}{
		{tensor.MatMulInto(nil, a, b), tensor.ErrEmpty, "matmul: "},
		{tensor.MatMulInto(tensor.Scalar(1), a, b), nil, "cannot write into a Scalar"},
		{tensor.MatMulInto(tensor.Ones(dtype.Float32, 1, 2, 4), a, b), nil, "the product has shape (2, 4), the destination (1, 2, 4); write into a tensor of exactly"},
		{tensor.MatMulInto(tensor.Ones(dtype.Float32, 4).BroadcastTo(2, 4), a, b), tensor.ErrShared, "matmul: "},
		{tensor.MatMulInto(tensor.Ones(dtype.Int32, 2, 4), a, b), nil, "cannot write float32 into int32"},
		{tensor.MatMulInto(dst, a, a), nil, "3 columns meet 2 rows"},
		{tensor.MatMulInto(dst, a, nil), tensor.ErrEmpty, "operand 2 of 2"},
	} {
		wantError(t, c.err, c.is, c.text, "matmul_into_test.go")
	}
	wantData(t, dst, tensor.Shape{2, 4}, slices.Repeat([]float32{1}, 8)...)
}

func TestMatMulIntoThroughTheHost(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{DropAbilities: true})
	a, b, dst := iota32(2, 3).To(dev), iota32(3, 2).To(dev), tensor.On(dev).Ones(dtype.Float32, 2, 2)
	wantError(t, tensor.MatMulInto(dst, a, b), device.ErrUnsupported, "matmul: ", "AllowHost")
	wantData(t, dst, tensor.Shape{2, 2}, float32(1), 1, 1, 1)
	device.AllowHost(dev)
	must(t, tensor.MatMulInto(dst.T(), a, b))
	wantData(t, dst, tensor.Shape{2, 2}, float32(10), 28, 13, 40)
}

func TestDotOuterVecDot(t *testing.T) {
	x, y := iota32(3), tensor.New([]float32{1, 2, 3}, 3)
	wantData(t, x.Dot(y), tensor.Shape{}, float32(8))
	wantData(t, x.Dot(y.Cast(dtype.Int32)), tensor.Shape{}, float32(8))
	wantData(t, x.Outer(iota32(2)), tensor.Shape{3, 2}, float32(0), 0, 0, 1, 0, 2)
	a, b := iota32(2, 3), iota32(4, 1, 3)
	wantData(t, a.VecDot(b, -1), tensor.Shape{4, 2}, float32(5), 14, 14, 50, 23, 86, 32, 122)
	wantData(t, a.VecDot(a, 0), tensor.Shape{3}, float32(9), 17, 29)
	wantData(t, a.VecDot(x, 1), tensor.Shape{2}, float32(5), 14)
	wantData(t, iota32(0, 3).VecDot(x, 1), tensor.Shape{0}, []float32{}...)
	wantData(t, iota32(0, 3).VecDot(iota32(0, 1), 0), tensor.Shape{3}, float32(0), 0, 0)
	wantData(t, tensor.New([]float32{0}, 1).Dot(tensor.New([]float32{inf}, 1)), tensor.Shape{}, nan)
	for text, err := range map[string]error{
		"dot: operand 1 of shape (2, 3) is not a vector; use MatMul":    a.Dot(x).Err(),
		"dot: operand 2 of shape () is not a vector":                    x.Dot(tensor.Scalar(2)).Err(),
		"dot: cannot multiply (3) by (2)":                               x.Dot(iota32(2)).Err(),
		"outer: operand 2 of shape (2, 3) is not a vector; make vector": x.Outer(a).Err(),
		"vecdot: axis -2 is not in both (2, 3) and (3); name one of":    a.VecDot(x, -2).Err(),
		"vecdot: axis 2 is not in both (2, 3) and (3)":                  a.VecDot(x, 2).Err(),
		"vecdot: axis -1 is 3 and 2 in (2, 3) and (4, 2); the axis":     a.VecDot(iota32(4, 2), -1).Err(),
		"vecdot: cannot broadcast":                                      a.VecDot(iota32(4, 3), -1).Err(),
		"vecdot: operand 2 of 2":                                        a.VecDot(nil, -1).Err(),
	} {
		wantError(t, err, nil, text, "matmul_into_test.go")
	}
}

// Results depend on the operands alone, whatever the number of processors.
func TestProductsHaveTheSameBitsOnAnyNumberOfProcessors(t *testing.T) {
	g := tensor.NewRand(4)
	a, b := g.Normal(dtype.Float32, 6, 130, 70), g.Normal(dtype.Float32, 70, 150)
	v := g.Normal(dtype.Float32, 70)
	products := func() [][]float32 {
		var out [][]float32
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float16, dtype.BFloat16, dtype.Int32} {
			x, y, z := a.Cast(d), b.Cast(d), v.Cast(d)
			for _, r := range []*tensor.Tensor{x.MatMul(y), x.MatMul(z), z.MatMul(y), tensor.Einsum("bij,jk,j->ki", x, y, z), x.VecDot(z, -1)} {
				out = append(out, data[float32](t, r.Cast(dtype.Float32)))
			}
		}
		return out
	}
	var want [][]float32
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	for _, n := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(n)
		got := products()
		if want == nil {
			want = got
		}
		for i := range got {
			if !slices.EqualFunc(got[i], want[i], func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
				t.Errorf("product %d on %d processors differs", i, n)
			}
		}
	}
}
