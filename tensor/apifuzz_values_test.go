package tensor_test

import (
	"math"
	"math/rand/v2"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// goType makes and reads tensors of one Go type from bit patterns.
type goType struct {
	make func(bits []uint64, sizes []int) *tensor.Tensor
	read func(x *tensor.Tensor) ([]uint64, error)
}

func goTypeOf[T dtype.Element](from func(uint64) T, to func(T) uint64) goType {
	return goType{
		func(bits []uint64, sizes []int) *tensor.Tensor {
			v := make([]T, len(bits))
			for i, b := range bits {
				v[i] = from(b)
			}
			if len(sizes) == 0 {
				return tensor.New(v, 1).Reshape()
			}
			return tensor.New(v, sizes...)
		},
		func(x *tensor.Tensor) ([]uint64, error) {
			v, err := tensor.Data[T](x)
			bits := make([]uint64, len(v))
			for i, e := range v {
				bits[i] = to(e)
			}
			return bits, err
		},
	}
}

// goTypes are read and made directly; every other dtype, so also a new one,
// through the exact conversions from and to int64 and float64.
var goTypes = map[dtype.DType]goType{
	dtype.Bool: goTypeOf(func(b uint64) bool { return b != 0 }, func(v bool) uint64 {
		if v {
			return 1
		}
		return 0
	}),
	dtype.Uint8:    goTypeOf(func(b uint64) uint8 { return uint8(b) }, func(v uint8) uint64 { return uint64(v) }),
	dtype.Int32:    goTypeOf(func(b uint64) int32 { return int32(b) }, func(v int32) uint64 { return uint64(uint32(v)) }),
	dtype.Int64:    goTypeOf(func(b uint64) int64 { return int64(b) }, func(v int64) uint64 { return uint64(v) }),
	dtype.Uint64:   goTypeOf(func(b uint64) uint64 { return b }, func(v uint64) uint64 { return v }),
	dtype.Float16:  goTypeOf(func(b uint64) dtype.F16 { return dtype.F16(b) }, func(v dtype.F16) uint64 { return uint64(v) }),
	dtype.BFloat16: goTypeOf(func(b uint64) dtype.BF16 { return dtype.BF16(b) }, func(v dtype.BF16) uint64 { return uint64(v) }),
	dtype.Float32:  goTypeOf(func(b uint64) float32 { return math.Float32frombits(uint32(b)) }, func(v float32) uint64 { return uint64(math.Float32bits(v)) }),
	dtype.Float64:  goTypeOf(math.Float64frombits, math.Float64bits),
}

// widest returns the dtype that holds all values of d exactly and is in goTypes.
func widest(d dtype.DType) dtype.DType {
	if d.IsFloat() {
		return dtype.Float64
	}
	return dtype.Int64
}

func makeBits(d dtype.DType, bits []uint64, sizes []int) *tensor.Tensor {
	if g, ok := goTypes[d]; ok {
		return g.make(bits, sizes)
	}
	wide := make([]uint64, len(bits))
	for i, b := range bits {
		wide[i] = convert(d, widest(d), b)
	}
	return goTypes[widest(d)].make(wide, sizes).Cast(d)
}

func readBits(x *tensor.Tensor, d dtype.DType) ([]uint64, error) {
	if g, ok := goTypes[d]; ok {
		return g.read(x)
	}
	wide, err := goTypes[widest(d)].read(x.Cast(widest(d)))
	for i, b := range wide {
		wide[i] = convert(widest(d), d, b)
	}
	return wide, err
}

// element returns the bits of a random element: small numbers, where results
// are not all infinite, or the ends of ranges, or any bits.
func element(d dtype.DType, rng *rand.Rand, wild bool) uint64 {
	n := dtype.IntNumber(int64(rng.IntN(9) - 3))
	switch {
	case d == dtype.Bool:
		n = dtype.BoolNumber(rng.IntN(2) > 0)
	case wild && !d.IsFloat() && rng.IntN(2) == 0:
		return rng.Uint64() >> rng.IntN(8) & (math.MaxUint64 >> (64 - 8*d.Size()))
	case wild && d.IsFloat() && rng.IntN(2) == 0:
		special := [...]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e30, -1e-30, math.MaxFloat64,
			math.SmallestNonzeroFloat32, 1 << 31, -1 << 63, 0.5, 16777217}
		n = dtype.FloatNumber(special[rng.IntN(len(special))])
	case d.IsFloat():
		n = dtype.FloatNumber(float64(rng.IntN(64)-24) / 8)
		if rng.IntN(3) == 0 {
			n = dtype.FloatNumber(rng.NormFloat64() * 3)
		}
	case d.Kind() == dtype.UintKind:
		n = dtype.IntNumber(int64(rng.IntN(9)))
	}
	bits, err := n.Bits(d)
	if err != nil {
		panic(err)
	}
	return bits
}

// elements returns n random elements.
func (p *player) elements(d dtype.DType, n int) []uint64 {
	rng, wild := p.random(), p.rarely(4)
	bits := make([]uint64, n)
	for i := range bits {
		bits[i] = element(d, rng, wild)
	}
	return bits
}
