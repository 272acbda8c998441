package tensor_test

import (
	"math"
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// accumulate calls CumSum or its like.
func (p *player) accumulate() {
	scans := []struct {
		name   string
		method func(t *tensor.Tensor, axis int, o ...tensor.CumOpts) *tensor.Tensor
	}{{"CumSum", (*tensor.Tensor).CumSum}, {"CumProd", (*tensor.Tensor).CumProd}, {"CumMax", (*tensor.Tensor).CumMax}, {"CumMin", (*tensor.Tensor).CumMin}}
	s := scans[p.next(len(scans))]
	t := p.any()
	axis := p.axis(len(t.sizes))
	opts := make([]tensor.CumOpts, p.next(2))
	if p.rarely(64) {
		opts = make([]tensor.CumOpts, 2)
	}
	for i := range opts {
		opts[i] = tensor.CumOpts{Exclusive: p.rarely(2), Reverse: p.rarely(2)}
	}
	p.note(s.name, t, axis, opts)
	got := s.method(t.real, axis, opts...)
	dev, want := p.operands(t)
	if want == nil {
		want = p.accumulated(got, s.name, t, t.based(dev), axis, opts, dev)
	}
	p.result(got, want)
}

func (p *player) accumulated(got *tensor.Tensor, name string, t, base *twin, axis int, opts []tensor.CumOpts, dev device.Device) *twin {
	a, ok := from(axis, len(base.sizes))
	if base.dead || !ok || len(opts) > 1 {
		return failing(nil)
	}
	r := newRunning(name, base.store.dtype)
	if len(opts) == 1 {
		r.exclusive, r.reverse = opts[0].Exclusive, opts[0].Reverse
	}
	if len(base.at) > 0 && !able[device.Scanner](dev) {
		return failing(device.ErrUnsupported)
	}
	if err := got.Err(); err != nil {
		p.faultf("failed: %v", err)
	}
	in, bits := base.bits(), make([]uint64, len(base.at))
	if r.exact() {
		onLine(base.sizes, a, func(line []int) { r.along(line, in, bits) })
		return derived(dev, r.result, base.sizes, bits, t)
	}
	bits, err := readBits(got, r.result) // checked by the bound, then taken as it is
	if err != nil || len(bits) != len(base.at) {
		p.faultf("%d running elements of %v, %v", len(bits), t, err)
	}
	onLine(base.sizes, a, func(line []int) {
		if msg := r.within(line, in, bits); msg != "" {
			p.faultf("%s of %v: %s", name, t, msg)
		}
	})
	return derived(dev, r.result, base.sizes, bits, t)
}

// running is a running sum or its like over elements of dtype from.
type running struct {
	name               string
	from, result       dtype.DType
	exclusive, reverse bool
	op                 kernels.Op
	identity           uint64
}

func newRunning(name string, d dtype.DType) *running {
	r := &running{name: name, from: d, result: d}
	switch name {
	case "CumMax":
		r.op, r.identity = greater(d), limitOf(d, false)
		return r
	case "CumMin":
		r.op, r.identity = lesser(d), limitOf(d, true)
		return r
	case "CumSum":
		r.op = kernels.Add
	case "CumProd":
		r.op = kernels.Mul
	}
	sig, err := kernels.Resolve(kernels.Sum, kernels.Attr{}, []kernels.Arg{{DType: d}})
	if err != nil {
		panic(err)
	}
	if r.result = sig.Result; name == "CumProd" {
		r.identity, _ = dtype.IntNumber(1).Bits(r.result)
	}
	return r
}

// limitOf returns the least or the greatest value of d.
func limitOf(d dtype.DType, greatest bool) uint64 {
	ones := uint64(math.MaxUint64) >> (64 - 8*d.Size())
	switch {
	case d.IsFloat():
		sign := 1
		if !greatest {
			sign = -1
		}
		bits, _ := dtype.FloatNumber(math.Inf(sign)).Bits(d)
		return bits
	case d == dtype.Bool && greatest:
		return 1
	case d == dtype.Bool || d.Kind() == dtype.UintKind && !greatest:
		return 0
	case d.Kind() == dtype.UintKind:
		return ones
	case greatest:
		return ones >> 1
	}
	return ones ^ ones>>1
}

// exact reports whether the bits are promised, not a bound.
func (r *running) exact() bool {
	return !r.result.IsFloat() || r.name == "CumMax" || r.name == "CumMin"
}

// order returns the line in the order in which it runs.
func (r *running) order(line []int) []int {
	if r.reverse {
		line = slices.Clone(line)
		slices.Reverse(line)
	}
	return line
}

// along fills out along a line.
func (r *running) along(line []int, in, out []uint64) {
	step, acc := pairwise(r.op, r.result), r.identity
	for _, i := range r.order(line) {
		before := acc
		if acc = step(acc, convert(r.from, r.result, in[i])); !r.exclusive {
			before = acc
		}
		out[i] = before
	}
}

// within checks floats against the bound of the documentation, with room for
// the roundings of the float64 sum here.
func (r *running) within(line []int, in, out []uint64) string {
	unit, tiny, largest := math.Ldexp(1, -24), 0x1p-149, math.MaxFloat32
	switch r.result {
	case dtype.Float64:
		unit, tiny, largest = 0, 0x1p-1074, math.MaxFloat64
	case dtype.Float16:
		unit, tiny, largest = math.Ldexp(1.01, -11), 0x1p-24, 65504
	case dtype.BFloat16:
		unit, tiny, largest = math.Ldexp(1.01, -8), 0x1p-133, math.MaxFloat32
	}
	sum, magnitude, scale, n := numberOfBits(r.result, r.identity).Float64(), 0.0, 0.0, 0.0
	for _, i := range r.order(line) {
		before := [...]float64{sum, magnitude, scale}
		x := numberOfBits(r.from, in[i]).Float64()
		if n++; r.op == kernels.Add {
			sum += x
			magnitude += math.Abs(x)
		} else if sum *= x; x != 0 {
			magnitude = math.Abs(sum)
			scale += math.Abs(math.Log(math.Abs(x)))
		}
		want, size := sum, magnitude
		if r.exclusive {
			want, size = before[0], before[1]
		}
		got := numberOfBits(r.result, out[i]).Float64()
		switch {
		case scale > 60: // may leave the range on the way
		case math.IsNaN(want):
			if !math.IsNaN(got) {
				return "is not NaN"
			}
		case math.IsInf(want, 0) && math.IsInf(size, 0):
			if got != want && r.op == kernels.Add {
				return "is not infinite"
			}
		case !(size < largest/4):
		case !(math.Abs(got-want) <= unit*math.Abs(want)+2*n*0x1p-53*size+tiny):
			return numberOfBits(r.result, out[i]).String() + " is too far off"
		}
	}
	return ""
}
