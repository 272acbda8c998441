package devicetest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/stride0/stride0/dtype"
)

// Elements travel as bit patterns in the low bits of a uint64.

// mood says what kind of values a case needs.
type mood uint8

const (
	wild   mood = iota // extremes, NaN and random bits in turn
	plain              // moderate finite numbers, so that nothing drowns the result
	sparse             // plain with a rare NaN, infinity or extreme
	ties               // few distinct values, so that equal ones meet
)

// special returns the values of d at which operations go wrong.
func special(d dtype.DType) []uint64 { return specials()[d] }

var specials = sync.OnceValue(func() (all [dtype.Count][]uint64) {
	for d := dtype.Invalid + 1; int(d) < dtype.Count; d++ {
		switch d {
		case dtype.Bool:
			all[d] = []uint64{0, 1}
		case dtype.Float32:
			all[d] = append(floats(d), 0x7fc00001, 0xffc00000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x807fffff)
		case dtype.Float16:
			all[d] = append(floats(d), 0x7e01, 0xfe00, 0x0001, 0x8001, 0x03ff, 0x0400, 0x83ff, 0x7bff, 0xfbff)
		case dtype.BFloat16:
			all[d] = append(floats(d), 0x7fc1, 0xffc0, 0x0001, 0x8001, 0x007f, 0x0080, 0x807f, 0x7f7f, 0xff7f)
		case dtype.Float64:
			all[d] = append(floats(d), 0x7ff8000000000001, 0xfff8000000000000, 1, 1<<63|1, 1<<52-1, 1<<52, 1<<63|(1<<52-1))
		default:
			all[d] = integers(d)
		}
	}
	return all
})

// core is how many of the special values meet all others; the rest meet these.
const core = 24

// floats lists values that all float types share: NaN, infinities, zeros,
// the greatest and least of either type and the ranges of integer types first;
// then ties of rounding, and the arguments at which exp, tanh and their like
// change behaviour.
func floats(d dtype.DType) []uint64 {
	out := []uint64{fromFloat(d, math.NaN())}
	for _, x := range []float64{math.Inf(1), 0, 1, math.MaxFloat32, math.SmallestNonzeroFloat32, math.MaxFloat64,
		0.5, 1 << 24, 1 << 31, 1 << 63, 2.5, math.Pi,
		2, 1.5, 7.5, 3, 1e-3, 1e-10, 1e10, 1e30, 0.1, 1.0000001, 10, 20, 88.72283, 88.73, 87.33655, 103.98, 709.78, 709.79, 745.2,
		255, 256, 1<<24 + 1, 1<<31 - 1, 1 << 53, 1 << 64, math.Ln2, math.Sqrt2} {
		out = append(out, fromFloat(d, x), fromFloat(d, math.Copysign(x, -1)))
	}
	return unique(out)
}

// integers lists the ends of every integer type that d holds, small values, and
// ones that are hard to round.
func integers(d dtype.DType) []uint64 {
	var out []uint64
	for _, width := range []int{64, 32, 8, 16, 24, 53, 63, 55} {
		for _, delta := range []int64{-1, 0, 1} {
			edge := uint64(1)<<(width-1) + uint64(delta)
			out = append(out, trim(d, edge), trim(d, -edge), trim(d, edge<<1))
		}
	}
	// The last four come out wrong in float32 when they are rounded to float64
	// first, or in halves of 32 bits.
	for _, x := range []int64{0, 1, 2, 3, 7, 10, 100, 1<<62 + 1<<38 + 1, 1<<61 + 3<<37 - 1, 112207330713781, 136024247704595} {
		out = append(out, trim(d, uint64(x)), trim(d, uint64(-x)))
	}
	return unique(out)
}

func unique(values []uint64) []uint64 {
	seen := map[uint64]bool{}
	var out []uint64
	for _, v := range values {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// trim keeps the bits that an element of d has.
func trim(d dtype.DType, v uint64) uint64 {
	if d == dtype.Bool {
		return v & 1
	}
	return v & (math.MaxUint64 >> (64 - 8*d.Size()))
}

// fromFloat returns x rounded to the float type d.
func fromFloat(d dtype.DType, x float64) uint64 { return d.PatternOf(x) }

// toFloat returns the value of an element of a float type.
func toFloat(d dtype.DType, v uint64) float64 { return d.FloatOf(v) }

// toInt returns the value of an element of an integer type or bool; a uint64
// above the range of int64 wraps.
func toInt(d dtype.DType, v uint64) int64 {
	if d.Kind() == dtype.IntKind {
		unused := 64 - 8*d.Size()
		return int64(v<<unused) >> unused
	}
	return int64(trim(d, v))
}

// isNaN reports whether v is a NaN of d.
func isNaN(d dtype.DType, v uint64) bool {
	return d.IsFloat() && math.IsNaN(toFloat(d, v))
}

// same reports whether two elements count as equal: bit for bit, or both NaN.
func same(d dtype.DType, a, b uint64) bool {
	return a == b || isNaN(d, a) && isNaN(d, b)
}

// source makes values of a mood.
type source struct {
	rng  *rand.Rand
	mood mood
}

func newSource(seed uint64, m mood) *source {
	return &source{rng: rand.New(rand.NewPCG(seed, 0x5eed)), mood: m}
}

// next returns a value of d.
func (s *source) next(d dtype.DType) uint64 {
	specials := special(d)
	switch {
	case s.mood == ties:
		if n := s.rng.IntN(5) - 1; n < 3 {
			return smallest(d, n)
		}
		return negativeZero(d)
	case s.mood == wild && s.rng.IntN(3) > 0, s.mood == sparse && s.rng.IntN(40) == 0:
		return specials[s.rng.IntN(len(specials))]
	case s.mood == wild && s.rng.IntN(2) > 0:
		return trim(d, s.rng.Uint64())
	}
	if d.IsFloat() {
		return fromFloat(d, s.rng.NormFloat64()*math.Exp2(float64(s.rng.IntN(8)-4)))
	}
	if d.Kind() == dtype.UintKind {
		return trim(d, uint64(s.rng.IntN(200)))
	}
	return trim(d, uint64(s.rng.IntN(200)-100))
}

// smallest returns the small number n as an element of d.
func smallest(d dtype.DType, n int) uint64 {
	if d.IsFloat() {
		return fromFloat(d, float64(n))
	}
	return trim(d, uint64(n))
}

// negativeZero returns -0 of a float type, 0 of others.
func negativeZero(d dtype.DType) uint64 {
	if d.IsFloat() {
		return fromFloat(d, math.Copysign(0, -1))
	}
	return 0
}

// encode writes elements of size bytes in the byte order of the machine.
func encode(size int, cells []uint64) []byte {
	out := make([]byte, len(cells)*size)
	for i, v := range cells {
		at := out[i*size:]
		switch size {
		case 1:
			at[0] = byte(v)
		case 2:
			binary.NativeEndian.PutUint16(at, uint16(v))
		case 4:
			binary.NativeEndian.PutUint32(at, uint32(v))
		case 8:
			binary.NativeEndian.PutUint64(at, v)
		}
	}
	return out
}

// decode is the inverse of encode.
func decode(size int, raw []byte) []uint64 {
	out := make([]uint64, len(raw)/size)
	for i := range out {
		at := raw[i*size:]
		switch size {
		case 1:
			out[i] = uint64(at[0])
		case 2:
			out[i] = uint64(binary.NativeEndian.Uint16(at))
		case 4:
			out[i] = uint64(binary.NativeEndian.Uint32(at))
		case 8:
			out[i] = binary.NativeEndian.Uint64(at)
		}
	}
	return out
}
