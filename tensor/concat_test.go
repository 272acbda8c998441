package tensor_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// joined is Concat, element by element.
func joined(t *testing.T, axis int, xs []*tensor.Tensor) (tensor.Shape, []float32) {
	out := xs[0].Shape()
	out[axis] = 0
	var values [][]float32
	for _, x := range xs {
		out[axis] += x.Dim(axis)
		values = append(values, data[float32](t, x))
	}
	want := make([]float32, 0, out.Size())
	eachIndex(out, func(i []int) {
		at, which := i[axis], 0
		for at >= xs[which].Dim(axis) {
			at -= xs[which].Dim(axis)
			which++
		}
		flat := 0
		for a, n := range xs[which].Shape() {
			index := i[a]
			if a == axis {
				index = at
			}
			flat = flat*n + index
		}
		want = append(want, values[which][flat])
	})
	return out, want
}

func TestConcat(t *testing.T) {
	devices := map[string]device.Device{"lagging": lagging(t, devicetest.LagOptions{Seed: 4})}
	if dev, err := device.Open("opencl"); err == nil {
		devices["opencl"] = dev
	}
	devices["cpu"] = iota32(1).Device()
	for on, dev := range devices {
		for axis := range 3 {
			a := iota32(2, 3, 4)
			b := iota32(4, 3, 2).Transpose().Slice(tensor.R(tensor.End, tensor.Begin, -1))
			wide := iota32(6, 6, 6).AddScalar(1000)
			ranges := []tensor.Range{tensor.R(1, 3), tensor.R(0, 6, 2), tensor.R(2, 6)}
			ranges[axis] = tensor.R(0, 0)
			empty := wide.Slice(ranges...)
			ranges[axis] = tensor.R(5, 0, -1)
			xs := []*tensor.Tensor{a, b, empty, wide.Slice(ranges...), a}
			shape, want := joined(t, axis, xs)
			moved := make([]*tensor.Tensor, len(xs))
			for i, x := range xs {
				moved[i] = x.To(dev)
			}
			t.Run(on, func(t *testing.T) {
				wantData(t, tensor.Concat(axis, moved...), shape, want...)
				wantData(t, tensor.Concat(axis-3, moved...), shape, want...)
				wantData(t, tensor.Concat(axis, moved[:1]...), a.Shape(), data[float32](t, a)...)
			})
		}
	}
}

func TestConcatPromotesAllAtOnce(t *testing.T) {
	of := func(d dtype.DType) *tensor.Tensor { return tensor.New([]float32{3}).Cast(d) }
	for _, c := range []struct {
		want dtype.DType
		in   []dtype.DType
	}{
		{dtype.Bool, []dtype.DType{dtype.Bool, dtype.Bool}},
		{dtype.Uint8, []dtype.DType{dtype.Bool, dtype.Uint8}},
		{dtype.Int32, []dtype.DType{dtype.Uint8, dtype.Int32}},
		{dtype.Float32, []dtype.DType{dtype.Int64, dtype.Float32, dtype.Bool}},
		{dtype.Float64, []dtype.DType{dtype.Float64, dtype.Int32, dtype.Float32}},
		{dtype.Int16, []dtype.DType{dtype.Uint8, dtype.Int8}},
		{dtype.Float16, []dtype.DType{dtype.Int64, dtype.Float16}},
		{dtype.Float32, []dtype.DType{dtype.BFloat16, dtype.Float16, dtype.BFloat16}},
	} {
		var in []*tensor.Tensor
		for _, d := range c.in {
			in = append(in, of(d))
		}
		got := tensor.Concat(0, in...)
		var want []float32
		for _, d := range c.in {
			want = append(want, map[bool]float32{true: 1, false: 3}[d == dtype.Bool])
		}
		wantNumbers(t, got, c.want, tensor.Shape{len(in)}, want)
	}
}

func TestStack(t *testing.T) {
	a, b := iota32(2, 3), iota32(3, 2).T().AddScalar(10)
	wantData[float32](t, tensor.Stack(0, a, b), tensor.Shape{2, 2, 3}, 0, 1, 2, 3, 4, 5, 10, 12, 14, 11, 13, 15)
	wantData[float32](t, tensor.Stack(1, a, b), tensor.Shape{2, 2, 3}, 0, 1, 2, 10, 12, 14, 3, 4, 5, 11, 13, 15)
	wantData[float32](t, tensor.Stack(-1, a, b), tensor.Shape{2, 3, 2}, 0, 10, 1, 12, 2, 14, 3, 11, 4, 13, 5, 15)
	one := tensor.Full(dtype.Float32, 1)
	wantData[float32](t, tensor.Stack(0, one, one, one), tensor.Shape{3}, 1, 1, 1)
	wantData[float32](t, tensor.Stack(0, tensor.Zeros(dtype.Float32, 0, 2)), tensor.Shape{1, 0, 2})
}

func TestSplitAndChunk(t *testing.T) {
	x := iota32(2, 7)
	parts, err := x.Split(-1, 3, 0, 4)
	if err != nil || len(parts) != 3 {
		t.Fatal(parts, err)
	}
	wantData[float32](t, parts[0], tensor.Shape{2, 3}, 0, 1, 2, 7, 8, 9)
	wantData[float32](t, parts[1], tensor.Shape{2, 0})
	wantData[float32](t, parts[2], tensor.Shape{2, 4}, 3, 4, 5, 6, 10, 11, 12, 13)
	wantData(t, tensor.Concat(1, parts...), x.Shape(), data[float32](t, x)...)
	if err := parts[1].Fill(5); err != nil {
		t.Error(err)
	}
	if err := parts[2].Fill(5); err != nil {
		t.Error(err)
	}
	wantData[float32](t, x, tensor.Shape{2, 7}, 0, 1, 2, 5, 5, 5, 5, 7, 8, 9, 5, 5, 5, 5)

	chunks, err := iota32(7).Chunk(0, 3)
	if err != nil || len(chunks) != 3 {
		t.Fatal(chunks, err)
	}
	wantData[float32](t, chunks[0], tensor.Shape{3}, 0, 1, 2)
	wantData[float32](t, chunks[1], tensor.Shape{2}, 3, 4)
	wantData[float32](t, chunks[2], tensor.Shape{2}, 5, 6)
	if parts, err = tensor.Zeros(dtype.Bool, 3, 0).Chunk(1, 1); err != nil || len(parts) != 1 {
		t.Error(parts, err)
	}
	if parts, err = tensor.Zeros(dtype.Bool, 0).Split(0); err != nil || len(parts) != 0 {
		t.Error(parts, err)
	}
}

func TestJoinAndSplitRefuse(t *testing.T) {
	x := iota32(2, 3)
	far := iota32(2, 3).To(lagging(t, devicetest.LagOptions{}))
	freed := iota32(2)
	_ = freed.Free()
	_, short := x.Split(1, 1, 1)
	_, long := x.Split(1, 2, 2)
	_, negative := x.Split(1, 4, -1)
	_, wraps := x.Split(1, math.MaxInt, math.MaxInt, 5)
	_, noAxis := x.Split(2, 1)
	_, scalar := tensor.Scalar(1).Split(0, 1)
	_, many := x.Chunk(0, 3)
	_, none := x.Chunk(0, 0)
	for name, c := range map[string]struct {
		err, reason error
		parts       []string
	}{
		"no tensors":          {tensor.Concat(0).Err(), nil, []string{"concat: no tensors", "concat_test.go"}},
		"no tensors to stack": {tensor.Stack(0).Err(), nil, []string{"stack: no tensors"}},
		"sizes differ":        {tensor.Concat(0, x, x, iota32(2, 4)).Err(), nil, []string{"concat: cannot join (2, 3) and operand 3, (2, 4), along axis 0: axis -1 is 3 and 4", "BroadcastTo"}},
		"ranks differ":        {tensor.Concat(1, x, iota32(3)).Err(), nil, []string{"ranks differ", "Unsqueeze"}},
		"rank 0":              {tensor.Concat(0, tensor.Full(dtype.Float32, 1)).Err(), nil, []string{"rank 0", "Stack"}},
		"no such axis":        {tensor.Concat(2, x).Err(), nil, []string{"axis 2 is out of range for (2, 3)"}},
		"a Scalar":            {tensor.Concat(0, x, tensor.Scalar(1)).Err(), nil, []string{"operand 2 of 2 is a Scalar", "Full"}},
		"devices":             {tensor.Concat(0, x, far).Err(), tensor.ErrDevices, []string{"concat", "To"}},
		"freed":               {tensor.Concat(0, x, freed).Err(), tensor.ErrFreed, []string{"concat: operand 2 of 2 was freed"}},
		"nil":                 {tensor.Stack(0, nil, x).Err(), tensor.ErrEmpty, []string{"stack: operand 1 of 2"}},
		"failed":              {tensor.Concat(0, x, x.Add(iota32(2))).Err(), nil, []string{"add: cannot broadcast"}},
		"shapes to stack":     {tensor.Stack(0, x, iota32(3, 2)).Err(), nil, []string{"stack: operand 2 is (3, 2), operand 1 is (2, 3)", "one shape"}},
		"place to stack at":   {tensor.Stack(4, x, x).Err(), nil, []string{"stack: cannot unsqueeze (2, 3) at axis 4"}},
		"too long": {tensor.Concat(0, x.Slice(tensor.R(0, 1)).BroadcastTo(math.MaxInt/3, 3), x, x.Slice(tensor.R(0, 1)).BroadcastTo(math.MaxInt/3, 3)).Err(),
			nil, []string{"concat", "too many elements"}},
		"no common dtype":    {tensor.Concat(0, x.Cast(dtype.Uint64), x.Cast(dtype.Int8)).Err(), nil, []string{"concat: no integer type holds both int8 and uint64", "cast"}},
		"parts too few":      {short, nil, []string{"split: parts of sizes (1, 1) do not make up axis 1 of (2, 3)", "add up to 3", "concat_test.go"}},
		"parts too many":     {long, nil, []string{"split"}},
		"negative part":      {negative, nil, []string{"split"}},
		"parts that wrap":    {wraps, nil, []string{"split"}},
		"split no such axis": {noAxis, nil, []string{"split: axis 2 is out of range"}},
		"split a Scalar":     {scalar, nil, []string{"split: axis 0 is out of range for ()"}},
		"too many chunks":    {many, nil, []string{"chunk: axis 0 of (2, 3) cannot be cut in 3 parts", "1 to 2"}},
		"no chunks":          {none, nil, []string{"chunk"}},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, c.err, c.reason, c.parts...) })
	}
}
