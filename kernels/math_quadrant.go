package kernels

import (
	"math/big"

	"github.com/stride0/stride0/dtype"
)

// twoOverPi are the first 1,280 bits of 2/π behind the point.
var twoOverPi = []uint64{
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
}

// twoOverPiDigits returns n digits of 2/π of the given width in bits, as
// constants: digit k is the lowest of the integer part of 2/π * 2^(first + k width).
func twoOverPiDigits(e *Emit, n, width, first int) []V {
	all := new(big.Int)
	for _, w := range twoOverPi {
		all.Or(all.Lsh(all, 64), new(big.Int).SetUint64(w))
	}
	mask := new(big.Int).SetUint64(1<<width - 1)
	digits := make([]V, n)
	for k := range digits {
		d := new(big.Int).Rsh(all, uint(64*len(twoOverPi)-first-k*width))
		digits[k] = e.Bits(dtype.Uint64, d.And(d, mask).Uint64())
	}
	return digits
}

// window returns digits j, j+1, ... j+n-1, where j (uint64) has the given
// number of bits: for each bit of it, from the highest, the digits are left or
// shifted by its weight. Digits that j cannot reach are not looked at.
func window(e *Emit, digits []V, j V, bits, n int) []V {
	for b := bits - 1; b >= 0; b-- {
		weight := 1 << b
		bit := e.Bits(dtype.Uint64, uint64(weight))
		set := e.Eq(e.And(j, bit), bit)
		moved := make([]V, min(len(digits), weight-1+n))
		for k := range moved {
			moved[k] = digits[k]
			if k+weight < len(digits) {
				moved[k] = e.Select(set, digits[k+weight], digits[k])
			}
		}
		digits = moved
	}
	return digits
}

// quadrantsFloat32 divides a by π/2, for finite a >= 1/2: q quadrants and a
// rest of (hi + lo) * 2^-63 of one, from -1/2 to 1/2. (Below 1/2 the rest is
// meaningless.)
//
// This is the reduction of Payne and Hanek (1983): of the product a * 2/π only
// the digits near the point matter, since whole turns fall away. With
// a = A * 2^(32j-24), where A is an integer below 2^56, the product in units of
// 2^-62 modulo 2^64 is A times digits of 2/π from j on. The error is below
// 2^-59; no float32 is nearer to a multiple of π/2 than 2^-30.
func quadrantsFloat32(e *Emit, a V) (hi, lo, q V) {
	const f32, u32, i64, u64 = dtype.Float32, dtype.Uint32, dtype.Int64, dtype.Uint64
	bits := e.Cast(u32, a)
	one := e.Cast(u32, e.Const(f32, 1))
	j := e.Shr(e.Sub(e.Select(e.Lt(bits, one), one, bits), one), 23+5)
	scaled := e.Cast(f32, e.Sub(e.Add(bits, e.Bits(u32, 24<<23)), e.Shl(j, 23+5)))
	digits := window(e, twoOverPiDigits(e, 7, 32, 6), e.Convert(u64, j), 2, 4)

	integer := e.Convert(u64, e.Convert(i64, scaled))
	a1, a0 := e.Shr(integer, 32), e.And(integer, e.Bits(u64, 1<<32-1))
	sum := func(k int) V { return e.Add(e.Mul(a0, digits[k]), e.Mul(a1, digits[k+1])) }
	guard := e.Add(e.Shr(e.Mul(a0, digits[2]), 32), e.Shr(e.Mul(a1, digits[3]), 32))
	p := e.Add(e.Add(e.Shl(sum(0), 32), sum(1)), guard)

	rest := e.Shr(e.Cast(i64, e.Shl(p, 2)), 1)
	hi = e.Convert(f32, rest)
	lo = e.Convert(f32, e.Sub(rest, e.Convert(i64, hi)))
	return hi, lo, nearestQuadrant(e, p)
}

// nearestQuadrant rounds p, in units of 2^-62 of a quadrant, to whole ones.
func nearestQuadrant(e *Emit, p V) V {
	return e.Shr(e.Add(p, e.Bits(dtype.Uint64, 1<<61)), 62)
}

// quadrantsFloat64 is quadrantsFloat32 for float64: a = A * 2^(30j-53) with A
// of 83 bits. A and 2/π have digits of 30 bits, so that the products of three
// and their sum fit in 64. Of the product, five digits and what a sixth carries
// into them, 126 bits behind the point are kept, and of the rest 2^-115 at
// least; no float64 is nearer to a multiple of π/2 than 2^-62.
func quadrantsFloat64(e *Emit, a V) (hi, lo, q V) {
	const f64, i64, u64 = dtype.Float64, dtype.Int64, dtype.Uint64
	bits := e.Cast(u64, a)
	t := e.Sub(e.Shr(bits, 52), e.Bits(u64, 1022)) // the exponent, from that of 1/2
	t = e.Select(e.Lt(a, e.Const(f64, 0.5)), e.Bits(u64, 0), t)
	j := e.Shr(e.Mul(t, e.Bits(u64, 2185)), 16) // t/30, for t <= 1024
	s := e.Sub(t, e.Mul(j, e.Bits(u64, 30)))
	mantissa := e.And(bits, e.Bits(u64, 1<<52-1))
	rest := e.Cast(f64, e.Or(mantissa, e.Shl(e.Add(s, e.Bits(u64, 1023+52)), 52)))

	var A [3]V // digits of A, the lowest first
	for i := 2; i >= 0; i-- {
		unit := float64(uint64(1) << (30 * i))
		digit := e.Convert(i64, e.Mul(rest, e.Const(f64, 1/unit)))
		A[i] = e.Convert(u64, digit)
		rest = e.Fma(e.Convert(f64, digit), e.Const(f64, -unit), rest)
	}
	digits := window(e, twoOverPiDigits(e, 42, 30, -25), j, 6, 8)
	var p [6]V // digits of the product, the highest first
	for k := range p {
		p[k] = e.Add(e.Add(e.Mul(A[0], digits[k]), e.Mul(A[1], digits[k+1])), e.Mul(A[2], digits[k+2]))
	}
	return restFloat64(e, carried(e, p))
}

// carried brings digits 1 to 4 of p below 2^30 and adds what they carry to the
// one before. Digit 0 is left to overflow, and 5 to its last use.
func carried(e *Emit, p [6]V) [6]V {
	for k := len(p) - 1; k > 0; k-- {
		p[k-1] = e.Add(p[k-1], e.Shr(p[k], 30))
		p[k] = e.And(p[k], e.Bits(dtype.Uint64, 1<<30-1))
	}
	return p
}

// restFloat64 takes the digits of a number of quadrants, of which the first
// has two bits before the point, to the nearest quadrant and the rest.
func restFloat64(e *Emit, p [6]V) (hi, lo, q V) {
	const f64, i64, u64 = dtype.Float64, dtype.Int64, dtype.Uint64
	high := e.Or(e.Or(e.Shl(p[0], 34), e.Shl(p[1], 4)), e.Shr(p[2], 26))
	low := e.Or(e.Or(e.Shl(p[2], 38), e.Shl(p[3], 8)), e.Shr(p[4], 22))
	rest := e.Shr(e.Cast(i64, e.Shl(high, 2)), 1) // in units of 2^-63; low is in those of 2^-126
	first := e.Convert(f64, rest)
	lost := e.Convert(f64, e.Sub(rest, e.Convert(i64, first)))
	fraction := e.Convert(f64, e.Convert(i64, e.Shr(low, 11))) // the 53 bits of a float
	sum := fastTwoSum(e, first, e.Fma(fraction, e.Const(f64, 0x1p-52), lost))
	return sum.hi, sum.lo, nearestQuadrant(e, high)
}
