package main

import (
	"fmt"
	"strings"

	"github.com/stride0/stride0/kernels"
)

// unrolled is the greatest length of rows that have a loop of their own, for
// states of one part: two numbers, three colours, four of anything.
const unrolled = 4

// writeRows writes the canonical tree of short rows: each lane has one element
// at most, so that a row is folded where a block would first clear 32 lanes.
func (l *reduceLoop) writeRows(b *strings.Builder) {
	l.open(b, "rows", "reduces n rows of index <= 32 elements, one after another, to n states.")
	l.states(b, "s", 0)
	fmt.Fprintf(b, "m := int(index)\nxs := unsafe.Slice((*%s)(p[2]), n*m)\n", l.r.Elem)
	writeLines(b, l.identity.Consts)
	writeLines(b, l.identity.Lines)
	l.consts(b)
	if len(l.r.State) == 1 {
		b.WriteString("switch m {\n")
		for m := 2; m <= unrolled; m++ {
			l.unrolledRows(b, m)
		}
		b.WriteString("}\n")
	}
	for k, d := range l.r.State {
		fmt.Fprintf(b, "var lanes%d [%d]%s\n", k, kernels.Lanes, d)
	}
	b.WriteString("for o := range s0s {\nrow := xs[o*m:][:m]\n")
	fmt.Fprintf(b, "for i, x := range row {\ni %%= %d\n", kernels.Lanes)
	for k, out := range l.identity.Outs {
		fmt.Fprintf(b, "s%d := %s\n", k, out)
	}
	l.step(b, l.state("s"), "x", "int64(i)")
	for k := range l.r.State {
		fmt.Fprintf(b, "lanes%d[i] = s%d\n", k, k)
	}
	b.WriteString("}\nlive := m\n")
	fmt.Fprintf(b, "for h := %d; h > 0; h /= 2 {\nfor i := range min(live, 2*h) - h {\n", kernels.Lanes/2)
	for k := range l.r.State {
		fmt.Fprintf(b, "s%d, t%d := lanes%d[i%%%d], lanes%d[(i+h)%%%d]\n", k, k, k, kernels.Lanes, k, kernels.Lanes)
	}
	writeInto(b, l.merge, l.cells("i%%%d")...)
	b.WriteString("}\nlive = min(live, h)\n}\n")
	for k := range l.r.State {
		fmt.Fprintf(b, "s%ds[o] = lanes%d[0]\n", k, k)
	}
	b.WriteString("}\n}\n\n")
}

// cells names the parts of a lane.
func (l *reduceLoop) cells(index string) []string {
	at := fmt.Sprintf(index, kernels.Lanes)
	return []string{"lanes0[" + at + "]", "lanes1[" + at + "]"}[:len(l.r.State)]
}

// unrolledRows writes the loop over rows of m elements, in registers. Lanes l
// and l+h fold for h from the greatest power of two below m.
func (l *reduceLoop) unrolledRows(b *strings.Builder, m int) {
	fmt.Fprintf(b, "case %d:\nfor o := range s0s {\nrow := (*[%d]%s)(xs[%d*o:])\n", m, m, l.r.Elem, m)
	for j := range m {
		fmt.Fprintf(b, "s0_%d := %s\n", j, l.identity.Outs[0])
		l.step(b, l.lane(j), fmt.Sprintf("row[%d]", j), "")
	}
	live := m
	for h := kernels.Lanes / 2; h > 0; h /= 2 {
		for j := range max(live-h, 0) {
			fmt.Fprintf(b, "{\ns0, t0 := s0_%d, s0_%d\n", j, j+h)
			writeInto(b, l.merge, fmt.Sprintf("s0_%d", j))
			b.WriteString("}\n")
		}
		live = min(live, h)
	}
	b.WriteString("s0s[o] = s0_0\n}\nreturn\n")
}
