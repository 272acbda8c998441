package cpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// BenchmarkVectorAgainstGo runs the loops of the best instruction set and the
// Go loops they replace in turn, so that both see the same machine, and reports
// the time of an element and how many times faster the first are (medians).
func BenchmarkVectorAgainstGo(b *testing.B) {
	best := -1
	for i, s := range vectorSets {
		if s.usable {
			best = i
		}
	}
	if best < 0 {
		b.Skip("no instruction set with loops in assembly")
	}
	const n = 4096
	for _, v := range vectorSets[best].loops {
		l := mapTable[v.op][v.from][v.to]
		plain, ok := goLoops[l]
		if !ok || v.op == kernels.Cast || v.from == dtype.BFloat16 || v.from == dtype.Float16 {
			continue
		}
		b.Run(fmt.Sprintf("%s/n=%d", l.name, n), func(b *testing.B) { compareLoops(b, &v, l, n, v.flat, plain.flat) })
	}
}

func compareLoops(b *testing.B, v *vectorLoops, l *mapLoops, n int, asm, plain mapLoop) {
	r := rand.New(rand.NewPCG(1, 2))
	out := newVector(v.to, n)
	p := [4]unsafe.Pointer{out.p()}
	for k, d := range l.args[:v.op.Row().Arity] {
		in := newVector(d, n)
		for i := range n {
			in.set(i, benchPattern(r, d))
		}
		p[k+1] = in.p()
	}
	var times [2][]float64
	for b.Loop() {
		for i, loop := range []mapLoop{asm, plain} {
			start := time.Now()
			loop(n, &p)
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds())/float64(n))
		}
	}
	slices.Sort(times[0])
	slices.Sort(times[1])
	fast, slow := times[0][len(times[0])/2], times[1][len(times[1])/2]
	b.ReportMetric(fast, "ns/elem")
	b.ReportMetric(slow, "go-ns/elem")
	b.ReportMetric(slow/fast, "x")
	b.ReportMetric(0, "ns/op")
}

// benchPattern returns a number as programs have them: no NaN, no subnormals.
func benchPattern(r *rand.Rand, d dtype.DType) uint64 {
	switch d {
	case dtype.Bool:
		return r.Uint64() & 1
	case dtype.Float32, dtype.Float64:
		bits, _ := dtype.FloatNumber(r.Float64() * 4).Bits(d)
		return bits
	}
	return r.Uint64() >> (64 - 8*d.Size())
}
