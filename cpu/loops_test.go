package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// specials are the patterns at which expressions go wrong: zeros of both
// signs, ones, NaN, infinities, subnormals and extremes of every dtype.
var specials = map[dtype.DType][]uint64{
	dtype.Bool:     {0, 1},
	dtype.Uint8:    {0, 1, 127, 128, 255},
	dtype.Uint16:   {0, 1, 1 << 15, math.MaxUint16},
	dtype.Int8:     {0, 1, 127, 128, 255},
	dtype.Int16:    {0, 1, 1 << 15, math.MaxInt16, math.MaxUint16},
	dtype.Float16:  {0, 1 << 15, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x8001, 0x7bff, 0x0400, 0x03ff},
	dtype.BFloat16: {0, 1 << 15, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 1, 0x8001, 0x7f7f, 0x0080, 0x007f},
	dtype.Uint32:   {0, 1, 1 << 31, math.MaxUint32},
	dtype.Uint64:   {0, 1, 1 << 63, math.MaxUint64},
	dtype.Int32:    {0, 1, 1 << 31, math.MaxInt32, math.MaxUint32},
	dtype.Int64:    {0, 1, 1 << 63, math.MaxInt64, math.MaxUint64},
	dtype.Float32:  {0, 1 << 31, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x80000001, 0x7f7fffff, 0x00800000, 0x4f000000},
	dtype.Float64: {0, 1 << 63, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000,
		0x7ff8000000000000, 1, 0x8000000000000001, 0x7fefffffffffffff, 0x0010000000000000, 0x43e0000000000000},
}

// anyPattern returns a special pattern of d, a plain number or random bits.
func anyPattern(r *rand.Rand, d dtype.DType) uint64 {
	s := specials[d]
	switch choice := r.IntN(4); {
	case choice == 0 || d == dtype.Bool:
		return s[r.IntN(len(s))]
	case choice == 1 && d == dtype.Float32:
		return uint64(math.Float32bits(float32(r.NormFloat64() * 3)))
	case choice == 1 && d == dtype.Float64:
		return math.Float64bits(r.NormFloat64() * 3)
	}
	return r.Uint64() >> (64 - 8*d.Size())
}

// vector is n elements between guard words that no loop may change.
type vector struct {
	mem   []uint64
	dtype dtype.DType
	n     int
}

const guard = 0xa5a5a5a5a5a5a5a5

func newVector(d dtype.DType, n int) *vector {
	v := &vector{make([]uint64, n*d.Size()/8+4), d, n}
	for i := range v.mem {
		v.mem[i] = guard
	}
	return v
}

func (v *vector) p() unsafe.Pointer { return unsafe.Pointer(&v.mem[1]) }

func (v *vector) set(i int, pattern uint64) {
	put(unsafe.Add(v.p(), i*v.dtype.Size()), v.dtype.Size(), pattern)
}

func (v *vector) get(i int) uint64 {
	p := unsafe.Add(v.p(), i*v.dtype.Size())
	switch v.dtype.Size() {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

func (v *vector) fill(r *rand.Rand) *vector {
	for i := range v.n {
		v.set(i, anyPattern(r, v.dtype))
	}
	return v
}

// intact reports whether the bytes outside the elements still hold the guard.
func (v *vector) intact() bool {
	all := unsafe.Slice((*byte)(unsafe.Pointer(&v.mem[0])), 8*len(v.mem))
	for i, b := range all {
		if (i < 8 || i >= 8+v.n*v.dtype.Size()) && b != guard&0xff {
			return false
		}
	}
	return true
}

// samePattern compares bit patterns; any NaN equals any NaN.
func samePattern(d dtype.DType, a, b uint64) bool {
	if a == b {
		return true
	}
	return isNaN(d, a) && isNaN(d, b)
}

func isNaN(d dtype.DType, pattern uint64) bool {
	switch d {
	case dtype.Float16:
		return pattern&0x7fff > 0x7c00
	case dtype.BFloat16:
		return pattern&0x7fff > 0x7f80
	case dtype.Float32:
		f := math.Float32frombits(uint32(pattern))
		return f != f
	case dtype.Float64:
		f := math.Float64frombits(pattern)
		return f != f
	}
	return false
}

// eachMap calls f for every entry of the table of element-wise loops.
func eachMap(f func(op kernels.Op, result dtype.DType, l *mapLoops)) {
	for op, row := range mapTable {
		if row == nil {
			continue
		}
		for _, byResult := range row {
			for result, l := range byResult {
				if l != nil {
					f(kernels.Op(op), dtype.DType(result), l)
				}
			}
		}
	}
}

func TestMapLoopsAgreeWithTheirExpression(t *testing.T) {
	entries := 0
	eachMap(func(op kernels.Op, result dtype.DType, l *mapLoops) {
		entries++
		r := rand.New(rand.NewPCG(uint64(op), uint64(result)))
		body, err := kernels.RowBody(op, l.args[:op.Row().Arity], result)
		require.NoError(t, err)
		for _, n := range []int{0, 1, 2, 3, 7, 8, 15, 16, 31, 33, 64, 99} {
			for form, loop := range []mapLoop{l.flat, l.ls, l.rs} {
				if loop != nil {
					checkMap(t, fmt.Sprintf("%s form %d n %d", l.name, form, n), r, body, l.args[:op.Row().Arity], result, n, form, loop)
				}
			}
		}
	})
	require.Greater(t, entries, 100)
}

// checkMap runs one loop apart from its operands. form 1 and 2 have a scalar
// left or right operand.
func checkMap(t *testing.T, what string, r *rand.Rand, body kernels.Body, args []dtype.DType, result dtype.DType, n, form int, loop mapLoop) {
	t.Helper()
	d := newVector(result, n)
	p := [4]unsafe.Pointer{d.p()}
	in, before := make([]*vector, len(args)), make([]*vector, len(args))
	for k, a := range args {
		size := n
		if form == k+1 {
			size = 1
		}
		in[k] = newVector(a, size).fill(r)
		before[k] = &vector{append([]uint64(nil), in[k].mem...), a, size}
		p[k+1] = in[k].p()
	}
	loop(n, &p)
	require.True(t, d.intact(), "%s wrote outside", what)
	require.Equal(t, before, in, "%s changed an operand", what)
	for i := range n {
		x := make([]uint64, len(args))
		for k := range args {
			x[k] = in[k].get(min(i, in[k].n-1))
		}
		if want := body.Eval(x)[0]; !samePattern(result, want, d.get(i)) {
			t.Fatalf("%s: element %d of %x is %x, want %x", what, i, x, d.get(i), want)
		}
	}
}

func TestMapLoopsInPlace(t *testing.T) {
	eachMap(func(op kernels.Op, result dtype.DType, l *mapLoops) {
		arity := op.Row().Arity
		for k, a := range l.args[:arity] {
			if a.Size() != result.Size() {
				continue
			}
			r := rand.New(rand.NewPCG(uint64(op), 7))
			const n = 37
			apart := newVector(result, n)
			p := [4]unsafe.Pointer{apart.p()}
			for i, a := range l.args[:arity] {
				p[i+1] = newVector(a, n).fill(r).p()
			}
			l.flat(n, &p)
			p[0] = p[k+1]
			l.flat(n, &p)
			in := unsafe.Slice((*byte)(p[0]), n*result.Size())
			require.Equal(t, unsafe.Slice((*byte)(apart.p()), n*result.Size()), in, "%s into operand %d", l.name, k)
		}
	})
}

func TestReduceLoopsAgreeWithTheirMonoid(t *testing.T) {
	entries := 0
	for op, row := range reduceTable {
		if row == nil {
			continue
		}
		for elem, byResult := range row {
			for _, l := range byResult {
				if l != nil {
					entries++
					checkReduce(t, kernels.Op(op), dtype.DType(elem), l)
				}
			}
		}
	}
	require.Greater(t, entries, 10)
}

// checkReduce holds block, finish and the lead loops against the Reducer's
// bodies, evaluated one by one in the order of the canonical tree.
func checkReduce(t *testing.T, op kernels.Op, elem dtype.DType, l *reduceLoops) {
	t.Helper()
	red, err := kernels.ReduceBody(op, elem)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(uint64(op), uint64(elem)))
	for _, n := range []int{0, 1, 2, 31, 32, 33, 63, 64, 65, 99, 127, 128, 1000, 1023, 1024} {
		x := newVector(elem, n).fill(r)
		want := naiveTree(red, x, 500)
		s0, s1, d := newVector(l.state[0], 1), newVector(dtype.Uint64, 1), newVector(red.Result, 1)
		if l.parts == 2 {
			s1 = newVector(l.state[1], 1)
		}
		l.block(n, 500, &[6]unsafe.Pointer{s0.p(), s1.p(), x.p()})
		l.finish(1, 0, &[6]unsafe.Pointer{0: d.p(), 2: s0.p(), 3: s1.p()})
		require.True(t, s0.intact() && s1.intact() && d.intact(), "%s wrote outside", l.name)
		require.True(t, samePattern(red.Result, want, d.get(0)), "%s of %d: %x, want %x", l.name, n, d.get(0), want)
	}
}

// naiveTree reduces x as SEMANTICS.md words it, by the Reducer's bodies; the
// first element has the given position.
func naiveTree(red *kernels.Reducer, x *vector, position int) uint64 {
	seq := make([][]uint64, x.n)
	for i := range seq {
		seq[i] = red.Lift.Eval([]uint64{x.get(i), uint64(position + i)})
	}
	for {
		var next [][]uint64
		for from := 0; from == 0 || from < len(seq); from += 1024 {
			var lanes [32][]uint64
			for l := range lanes {
				lanes[l] = red.Identity.Eval(nil)
				for i := from + l; i < min(from+1024, len(seq)); i += 32 {
					lanes[l] = red.Combine.Eval(append(append([]uint64(nil), lanes[l]...), seq[i]...))
				}
			}
			for h := 16; h > 0; h /= 2 {
				for l := range h {
					lanes[l] = red.Combine.Eval(append(append([]uint64(nil), lanes[l]...), lanes[l+h]...))
				}
			}
			next = append(next, lanes[0])
		}
		if len(next) == 1 {
			return red.Finish.Eval(next[0])[0]
		}
		seq = next
	}
}
