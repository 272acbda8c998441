package main

import (
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// measure is one thing to measure.
type measure struct {
	name  string // the first word is its name for others
	bytes int64
	run   func() error
}

// measures returns a copy and W2 to W6 on 2^n elements.
func measures(dev device.Device, n int) ([]measure, error) {
	const float = 4 // bytes
	elements, side, rest := 1<<n, 1<<(n/2), 1<<(n-n/2)
	filled := func(sizes ...int) *tensor.Tensor { return tensor.On(dev).Full(dtype.Float32, 0.5, sizes...) }
	a, b, out := filled(elements), filled(elements), filled(elements)
	row, column, scale := filled(rest), filled(side, 1), filled(64, 1, 1)
	x, y := a.Reshape(side, rest), out.Reshape(side, rest)
	u, v := a.Reshape(-1, 64, 32, 32), out.Reshape(-1, 64, 32, 32)
	for _, t := range []*tensor.Tensor{a, b, out, row, column, scale, x, y, u, v} {
		if err := t.Err(); err != nil {
			return nil, err
		}
	}
	from, err := dev.Alloc(int64(elements) * float)
	if err != nil {
		return nil, err
	}
	to, err := dev.Alloc(from.Size())
	if err != nil {
		return nil, err
	}
	full := int64(elements) * float
	into := func(dst *tensor.Tensor, op kernels.Op, x, y *tensor.Tensor) func() error {
		return func() error { return tensor.Into(dst, op, x, y) }
	}
	return []measure{
		{"copy on the device", 2 * full, func() error { return dev.Copy(to, 0, from, 0, full) }},
		{"W2 add", 3 * full, into(out, kernels.Add, a, b)},
		{"W3 add of a row", 2*full + int64(rest)*float, into(y, kernels.Add, x, row)},
		{"W4 add of a column", 2*full + int64(side)*float, into(y, kernels.Add, x, column)},
		{"W5 outer sum", full + int64(side+rest)*float, into(y, kernels.Add, column, row)},
		{"W6 product with a scale for each channel", 2*full + 64*float, into(v, kernels.Mul, u, scale)},
	}, nil
}
