package cpu

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// eachReduce calls f for every usable instruction set's loops of reductions and
// the Go loops they replace.
func eachReduce(t *testing.T, f func(t *testing.T, v *vectorReduces, plain *reduceLoops)) {
	for i := range vectorSets {
		set := &vectorSets[i]
		if !set.usable {
			t.Logf("no %s here", set.name)
			continue
		}
		t.Run(set.name, func(t *testing.T) {
			for k := range set.reduces {
				v := &set.reduces[k]
				l := reduceTable[v.op][v.elem][v.elem]
				plain := *l
				if was, ok := goReduces[l]; ok {
					plain = was
				}
				f(t, v, &plain)
			}
		})
	}
}

// reduceSizes are short, round whole rows of lanes, and the longest.
func reduceSizes() (sizes []int) {
	for n := range 100 {
		sizes = append(sizes, n)
	}
	return append(sizes, 127, 128, 129, 991, 992, 1023, 1024)
}

// patterns returns n elements of type d as memory with guard bytes round it, and
// where the first one is. Half of the time floats are numbers near 1, so that
// what is made of many is not NaN.
func patterns(r *rand.Rand, d dtype.DType, n int) ([]byte, unsafe.Pointer) {
	const around = 64
	first := around + r.IntN(8)*d.Size()
	mem := bytes.Repeat([]byte{guard & 0xff}, first+n*d.Size()+around)
	tame := d.IsFloat() && r.IntN(2) == 0
	for i := range n {
		bits := anyPattern(r, d)
		if tame {
			bits, _ = dtype.FloatNumber(1 + r.NormFloat64()/4).Bits(d)
		}
		put(unsafe.Pointer(&mem[first+i*d.Size()]), d.Size(), bits)
	}
	return mem, unsafe.Pointer(&mem[first])
}

// TestReduceLoopsHaveTheBitsOfGo runs the three loops and those they replace on
// the same elements; nothing but the states may change.
func TestReduceLoopsHaveTheBitsOfGo(t *testing.T) {
	eachReduce(t, func(t *testing.T, v *vectorReduces, plain *reduceLoops) {
		r := rand.New(rand.NewPCG(uint64(v.op), uint64(v.elem)))
		size := v.elem.Size()
		for _, n := range reduceSizes() {
			for form, loops := range [][2]reduceLoop{{v.block, plain.block}, {v.lead, plain.lead}, {v.lead4, plain.lead4}} {
				states := n
				if form == 0 {
					states = 1
				}
				state, s := patterns(r, v.elem, states)
				start := slices.Clone(state)
				p, first := [6]unsafe.Pointer{0: s}, uintptr(s)-uintptr(unsafe.Pointer(&state[0]))
				var rows, before [4][]byte
				for k := range rows {
					rows[k], p[2+k] = patterns(r, v.elem, n)
					before[k] = slices.Clone(rows[k])
				}
				loops[0](n, 0, &p)
				want := slices.Clone(start)
				p[0] = unsafe.Pointer(&want[first])
				loops[1](n, 0, &p)
				for i := range states {
					at := int(first) + i*size
					a, b := pattern(state[at:], size), pattern(want[at:], size)
					require.True(t, samePattern(v.elem, a, b), "%s form %d n %d: state %d is %x, the Go loop gives %x", plain.name, form, n, i, a, b)
				}
				end := int(first) + states*size
				require.True(t, bytes.Equal(state[:first], start[:first]) && bytes.Equal(state[end:], start[end:]), "%s form %d n %d wrote outside", plain.name, form, n)
				for k := range rows {
					require.True(t, bytes.Equal(rows[k], before[k]), "%s form %d n %d changed row %d", plain.name, form, n, k)
				}
			}
		}
	})
}
