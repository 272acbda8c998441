package kernels

import "github.com/stride0/stride0/dtype"

// Philox4x32-10 of J. Salmon, M. Moraes, R. Dror and D. Shaw, "Parallel random
// numbers: as easy as 1, 2, 3" (SC 2011), as in their Random123: a keyed
// bijection of 128-bit counters. The constants are theirs: two multipliers,
// and two Weyl increments of the key (from the golden ratio and sqrt(3)-1).
const (
	philoxM0, philoxM1 = 0xD2511F53, 0xCD9E8D57
	philoxW0, philoxW1 = 0x9E3779B9, 0xBB67AE85
	philoxRounds       = 10
)

// philox returns the four uint32 words of a counter of four under a key of two.
func philox(e *Emit, c [4]V, k [2]V) [4]V {
	for round := range philoxRounds {
		if round > 0 {
			k[0] = e.Add(k[0], e.Bits(dtype.Uint32, philoxW0))
			k[1] = e.Add(k[1], e.Bits(dtype.Uint32, philoxW1))
		}
		hi0, lo0 := mulWide(e, c[0], philoxM0)
		hi1, lo1 := mulWide(e, c[2], philoxM1)
		c = [4]V{e.Xor(e.Xor(hi1, c[1]), k[0]), lo1, e.Xor(e.Xor(hi0, c[3]), k[1]), lo0}
	}
	return c
}

// mulWide returns the halves of the 64-bit product of the uint32 a and m.
func mulWide(e *Emit, a V, m uint64) (hi, lo V) {
	p := e.Mul(e.Convert(dtype.Uint64, a), e.Bits(dtype.Uint64, m))
	return words(e, p)
}

// words returns the halves of a 64-bit integer as uint32.
func words(e *Emit, v V) (hi, lo V) {
	u := e.Cast(dtype.Uint64, v)
	return e.Convert(dtype.Uint32, e.Shr(u, 32)), e.Convert(dtype.Uint32, u)
}

// random returns words 0 and 1 of element index (int64) of the stream seed
// (uint64). The counter is (index, 0), the key is the seed, low words first.
func random(e *Emit, index, seed V) (w0, w1 V) {
	zero := e.Bits(dtype.Uint32, 0)
	hi, lo := words(e, index)
	keyHi, keyLo := words(e, seed)
	w := philox(e, [4]V{lo, hi, zero, zero}, [2]V{keyLo, keyHi})
	return w[0], w[1]
}

// randomWord returns a uint64 of random bits: word 0 above word 1.
func randomWord(e *Emit, index, seed V) V {
	w0, w1 := random(e, index, seed)
	return e.Or(e.Shl(e.Convert(dtype.Uint64, w0), 32), e.Convert(dtype.Uint64, w1))
}

// randomExpr returns a number of type to, uniform in [0, 1). A float32 is the
// top 24 bits of word 0, a float64 the top 53 of words 0 and 1, so the one is
// the other cut off.
func randomExpr(e *Emit, to dtype.DType, index, seed V) V {
	if to == dtype.Float32 { // as signed integers, which all devices convert in one step
		w0, _ := random(e, index, seed)
		u := e.Cast(dtype.Int32, e.Shr(w0, 8))
		return e.Mul(e.Convert(to, u), e.Const(to, 0x1p-24))
	}
	u := e.Cast(dtype.Int64, e.Shr(randomWord(e, index, seed), 11))
	return e.Mul(e.Convert(to, u), e.Const(to, 0x1p-53))
}

func randomFloat32(e *Emit, x []V) V { return randomExpr(e, dtype.Float32, x[0], x[1]) }
func randomFloat64(e *Emit, x []V) V { return randomExpr(e, dtype.Float64, x[0], x[1]) }
