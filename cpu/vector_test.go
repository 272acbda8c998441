package cpu

import (
	"bytes"
	flags "flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// TestMain runs all tests once for every instruction set of the machine and
// once with Go loops only; benchmarks and fuzzing with the best set only, and
// everything with the one that STRIDE0_CPU names.
func TestMain(m *testing.M) {
	flags.Parse()
	sets := []string{os.Getenv("STRIDE0_CPU")}
	if sets[0] == "" && !flagSet("test.bench") && !flagSet("test.fuzz") && !flagSet("test.list") {
		sets = append([]string{noVectors}, usableSets()...)
	}
	code := 0
	for _, name := range sets {
		useVectors(name)
		if c := m.Run(); c != 0 {
			fmt.Printf("with the loops of %s\n", name)
			code = c
		}
	}
	os.Exit(code)
}

func flagSet(name string) bool {
	f := flags.Lookup(name)
	return f != nil && f.Value.String() != ""
}

func usableSets() (names []string) {
	for _, s := range vectorSets {
		if s.usable {
			names = append(names, s.name)
		}
	}
	return names
}

func TestRequiredInstructionSets(t *testing.T) {
	for name := range strings.SplitSeq(os.Getenv("STRIDE0_REQUIRE"), ",") {
		if strings.HasPrefix(name, "avx") {
			require.Contains(t, usableSets(), name, "STRIDE0_REQUIRE lists %s: this build or this processor lacks it", name)
		}
	}
}

// eachVector calls f for every usable instruction set's loops and the Go loops
// they replace. The expression is not asked: that the Go loops agree with it is
// tested elsewhere, and they are fast enough for many more samples.
func eachVector(t *testing.T, f func(t *testing.T, v *vectorLoops, l *mapLoops, form int, asm, plain mapLoop)) {
	for i := range vectorSets {
		set := &vectorSets[i]
		if !set.usable {
			t.Logf("no %s here", set.name)
			continue
		}
		t.Run(set.name, func(t *testing.T) {
			for k := range set.loops {
				v := &set.loops[k]
				l, plain := mapTable[v.op][v.from][v.to], goLoop(v.op, v.from, v.to)
				f(t, v, l, 0, v.flat, plain.flat)
				if v.ls != nil && plain.ls != nil {
					f(t, v, l, 1, v.ls, plain.ls)
					f(t, v, l, 2, v.rs, plain.rs)
				}
			}
			for k := range set.halves {
				v := &set.halves[k]
				l := &mapLoops{name: fmt.Sprintf("%v_%v", v.op, v.to), args: [3]dtype.DType{v.to, v.to, v.to}}
				for form, loop := range []mapLoop{v.flat, v.ls, v.rs} {
					if loop != nil {
						f(t, v, l, form, loop, halfSteps(v.op, v.to, form))
					}
				}
			}
		})
	}
}

// halfSteps returns the Go loops that a loop of halves stands for, as one.
func halfSteps(op kernels.Op, d dtype.DType, form int) mapLoop {
	arity := op.Row().Arity
	widen, row, narrow := goLoop(kernels.Cast, d, dtype.Float32), goLoop(op, dtype.Float32, dtype.Float32), goLoop(kernels.Cast, dtype.Float32, d)
	return func(n int, p *[4]unsafe.Pointer) {
		wide := [4]unsafe.Pointer{newVector(dtype.Float32, n).p()}
		for k := 1; k <= arity; k++ {
			size := n
			if form == k {
				size = 1
			}
			wide[k] = newVector(dtype.Float32, size).p()
			widen.flat(size, &[4]unsafe.Pointer{wide[k], p[k]})
		}
		[]mapLoop{row.flat, row.ls, row.rs}[form](n, &wide)
		narrow.flat(n, &[4]unsafe.Pointer{p[0], wide[0]})
	}
}

func TestVectorLoopsHaveTheBitsOfGo(t *testing.T) {
	const most, offsets = 100, 8
	eachVector(t, func(t *testing.T, v *vectorLoops, l *mapLoops, form int, asm, plain mapLoop) {
		r := rand.New(rand.NewPCG(uint64(v.op), uint64(form)))
		c := newVectorCase(r, v, l, form, most+offsets)
		for n := range most {
			for off := range offsets {
				c.run(t, asm, plain, n, off, -1)
				for k, d := range c.args {
					if d.Size() == v.to.Size() && form != k+1 {
						c.run(t, asm, plain, n, off, k)
					}
				}
			}
		}
	})
}

// eachPast calls f for every loop that stores past the cache and the Go loop
// that it stands for.
func eachPast(t *testing.T, f func(t *testing.T, v *vectorLoops, l *mapLoops, form int, asm, plain mapLoop)) {
	for i := range vectorSets {
		set := &vectorSets[i]
		if !set.usable {
			t.Logf("no %s here", set.name)
			continue
		}
		t.Run(set.name, func(t *testing.T) {
			for k := range set.past.loops {
				v := &set.past.loops[k]
				l, plain := mapTable[v.op][v.from][v.to], goLoop(v.op, v.from, v.to)
				f(t, v, l, 0, v.flat, plain.flat)
				if v.ls != nil {
					f(t, v, l, 1, v.ls, plain.ls)
					f(t, v, l, 2, v.rs, plain.rs)
				}
			}
		})
	}
}

func TestLoopsPastTheCacheHaveTheBitsOfGo(t *testing.T) {
	const lines, offsets = 12, 8
	eachPast(t, func(t *testing.T, v *vectorLoops, l *mapLoops, form int, asm, plain mapLoop) {
		line := alignment / v.to.Size()
		c := newVectorCase(rand.New(rand.NewPCG(uint64(v.op), uint64(form))), v, l, form, lines*line+offsets)
		c.lined = true
		for n := range lines {
			for off := range offsets {
				c.run(t, asm, plain, n*line, off, -1)
			}
		}
	})
}

func TestVectorLoopsHaveTheBitsOfGoOnManySamples(t *testing.T) {
	n := 20_000
	if os.Getenv("STRIDE0_FULL") != "" {
		n = 4_000_000
	}
	eachVector(t, func(t *testing.T, v *vectorLoops, l *mapLoops, form int, asm, plain mapLoop) {
		c := newVectorCase(rand.New(rand.NewPCG(uint64(v.op), 99)), v, l, form, n)
		c.run(t, asm, plain, n, 0, -1)
	})
}

// vectorCase is a loop with operands. Offsets are in elements: no two operands
// have the same, so that they do not share an alignment.
type vectorCase struct {
	name      string
	form      int
	args      []dtype.DType
	result    dtype.DType
	in        [][]byte // what the operands are
	work      [][]byte // what the loop gets
	out, want []byte
	guard     []byte // of the result before the loop
	lined     bool   // the result begins with a cache line
}

func newVectorCase(r *rand.Rand, v *vectorLoops, l *mapLoops, form, n int) *vectorCase {
	c := &vectorCase{name: fmt.Sprintf("%s form %d", l.name, form), form: form, args: l.args[:v.op.Row().Arity], result: v.to}
	for _, d := range c.args {
		in := newVector(d, n+4).fill(r)
		b := unsafe.Slice((*byte)(unsafe.Pointer(&in.mem[0])), 8*len(in.mem))
		c.in, c.work = append(c.in, b), append(c.work, slices.Clone(b))
	}
	size := (n+8)*v.to.Size() + 2*alignment
	c.guard = bytes.Repeat([]byte{guard & 0xff}, size)
	c.out, c.want = alignedBytes(size), slices.Clone(c.guard)
	return c
}

// run compares the loops on n elements that start off elements into the
// operands; into names the operand that is the result too, -1 for none.
func (c *vectorCase) run(t *testing.T, asm, plain mapLoop, n, off, into int) {
	var p, q [4]unsafe.Pointer
	first := func(b []byte, k int, d dtype.DType) unsafe.Pointer { return unsafe.Pointer(&b[8+(off+k)%8*d.Size()]) }
	for k, d := range c.args {
		copy(c.work[k], c.in[k])
		p[k+1], q[k+1] = first(c.work[k], k, d), first(c.in[k], k, d)
	}
	copy(c.out, c.guard)
	out, at := c.out, 8+(off+3)%8*c.result.Size()
	if c.lined {
		at = alignment
	}
	p[0], q[0] = unsafe.Pointer(&out[at]), unsafe.Pointer(&c.want[0])
	if into >= 0 {
		p[0], out = p[into+1], c.work[into]
		at = 8 + (off+into)%8*c.result.Size()
	}
	asm(n, &p)
	plain(n, &q)
	got, end := out[at:], n*c.result.Size()
	if !bytes.Equal(got[:end], c.want[:end]) {
		c.compare(t, got, n)
	}
	before := c.guard
	if into >= 0 {
		before = c.in[into]
	}
	if !bytes.Equal(out[:at], before[:at]) || !bytes.Equal(got[end:], before[at+end:]) {
		t.Fatalf("%s n %d offset %d into %d wrote outside", c.name, n, off, into)
	}
	for k := range c.work {
		if k != into && !bytes.Equal(c.work[k], c.in[k]) {
			t.Fatalf("%s n %d offset %d into %d changed operand %d", c.name, n, off, into, k)
		}
	}
}

// compare finds the first element that differs and is not NaN in both.
func (c *vectorCase) compare(t *testing.T, got []byte, n int) {
	t.Helper()
	size := c.result.Size()
	for i := range n {
		a, b := pattern(got[i*size:], size), pattern(c.want[i*size:], size)
		if !samePattern(c.result, a, b) {
			t.Fatalf("%s n %d: element %d is %x, the Go loop gives %x", c.name, n, i, a, b)
		}
	}
}

func pattern(b []byte, size int) (v uint64) {
	for i := range size {
		v |= uint64(b[i]) << (8 * i)
	}
	return v
}

func TestUseVectorsSwitchesTheTable(t *testing.T) {
	defer useVectors(currentSet())
	add := mapTable[kernels.Add][dtype.Float32][dtype.Float32]
	address := func() uintptr { return reflect.ValueOf(add.rs).Pointer() }
	useVectors(noVectors)
	plain := address()
	require.Equal(t, reflect.ValueOf(add_float32_rs).Pointer(), plain)
	for _, name := range usableSets() {
		useVectors(name)
		require.NotEqual(t, plain, address(), name)
		useVectors(noVectors)
		require.Equal(t, plain, address(), name)
	}
}

// currentSet returns the name of the set that add takes its loop from.
func currentSet() string {
	is := reflect.ValueOf(mapTable[kernels.Add][dtype.Float32][dtype.Float32].flat).Pointer()
	for _, s := range vectorSets {
		for _, v := range s.loops {
			if reflect.ValueOf(v.flat).Pointer() == is {
				return s.name
			}
		}
	}
	return noVectors
}

// TestHotRowsHaveVectorLoops: a generator that gives up on a row must not go
// unnoticed.
func TestHotRowsHaveVectorLoops(t *testing.T) {
	for _, s := range vectorSets {
		for _, op := range kernels.Ops() {
			row := op.Row()
			if s.loops == nil || !row.Hot || row.Reduce != nil || row.Expand != nil || row.Rule == kernels.RuleCast {
				continue
			}
			for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
				require.True(t, slices.ContainsFunc(s.loops, func(v vectorLoops) bool { return v.op == op && v.from == d }), "%s: %v of %v", s.name, op, d)
			}
		}
	}
}

// TestPlainRowsHaveLoopsPastTheCache: those that wait for memory, wherever any row has.
func TestPlainRowsHaveLoopsPastTheCache(t *testing.T) {
	for _, s := range vectorSets {
		if s.past.loops == nil {
			continue
		}
		for _, op := range []kernels.Op{kernels.Add, kernels.Sub, kernels.Mul, kernels.Div, kernels.Maximum, kernels.Minimum, kernels.Neg, kernels.Abs, kernels.Sqrt, kernels.Square, kernels.Reciprocal, kernels.Where} {
			for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
				require.True(t, slices.ContainsFunc(s.past.loops, func(v vectorLoops) bool { return v.op == op && v.from == d }), "%s: %v of %v", s.name, op, d)
			}
		}
	}
}
