package tensor

import (
	"sync/atomic"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Rand makes tensors of random numbers. Each number is a function of the seed,
// the call and the position, so the same program gives the same numbers on
// every device. A Rand is safe for concurrent use, but then the order of calls
// decides who gets which numbers: give each goroutine its own, by Split.
type Rand struct {
	dev  device.Device
	key  uint64
	call *atomic.Uint64 // shared by On
}

// NewRand returns a generator whose tensors are on the CPU.
func NewRand(seed uint64) *Rand { return &Rand{host(), mix(seed), new(atomic.Uint64)} }

// On returns the same generator making tensors on dev: both take turns in one
// sequence of calls.
func (g *Rand) On(dev device.Device) *Rand {
	if !g.ready() {
		return g
	}
	return &Rand{dev, g.key, g.call}
}

// Split returns a generator of other numbers on the same device, which g's
// next calls do not affect. To give goroutines numbers that do not depend on
// which of them runs first, split once for each before they start:
//
//	for range workers {
//		go work(g.Split())
//	}
func (g *Rand) Split() *Rand {
	if !g.ready() {
		return g
	}
	return &Rand{g.dev, mix(g.next() ^ splitTag), new(atomic.Uint64)}
}

// Uniform returns numbers from [0, 1), all multiples of 2^-24 in float32 and
// of 2^-53 in float64. d must be a float type.
func (g *Rand) Uniform(d dtype.DType, sizes ...int) *Tensor {
	return g.draw("uniform", kernels.Random, d, sizes)
}

// Normal returns numbers of the normal distribution with mean 0 and variance
// 1: the quantile function at 64 random bits, the same bits on every device.
// None is zero or beyond 9.08 either way. d must be a float type; for mean m
// and standard deviation s use g.Normal(d, ...).MulScalar(s).AddScalar(m).
func (g *Rand) Normal(d dtype.DType, sizes ...int) *Tensor {
	return g.draw("normal", kernels.RandomNormal, d, sizes)
}

// draw makes a tensor by a row of an index and a seed.
func (g *Rand) draw(name string, op kernels.Op, d dtype.DType, sizes []int) *Tensor {
	if !g.ready() {
		return fail(name, errorf("nil or zero Rand; make one with NewRand"))
	}
	shape := Shape(sizes).Clone()
	if err := checkNew(d, shape); err != nil {
		return fail(name, err)
	}
	if !d.IsFloat() {
		return fail(name, &dtype.Error{DTypes: []dtype.DType{d}, Msg: d.String() + " is not a float type", Hint: "ask for float32 and Cast"})
	}
	t := On(g.dev).empty(name, d, Shape{shape.Size()}).fill(name, call{Op: op,
		Attr: kernels.Attr{DType: d}}, indexAlong(0), weakScalar(dtype.UintNumber(g.next())))
	if t.failure() == nil {
		t.setLayout(broadcast.RowMajor(shape)) // t is still ours alone
	}
	return t
}

// ready reports whether NewRand made g.
func (g *Rand) ready() bool { return g != nil && g.call != nil }

// next returns the seed of one call.
func (g *Rand) next() uint64 { return mix(g.key + g.call.Add(1)*golden) }

const (
	golden   = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, odd
	splitTag = 0x5851f42d4c957f2d // keeps a Split's keys apart from seeds of calls
)

// mix is the finalizer of splitmix64 (Steele, Lea, Flood 2014): a bijection
// in which every input bit reaches every output bit.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
