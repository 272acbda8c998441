package main

import (
	"fmt"
	"strings"

	"github.com/stride0/stride0/kernels"
)

// writeBlock writes the canonical tree's block: lane l of 32 combines elements
// l, l+32, ... in order, starting from the identity; then the lanes fold.
//
// Lanes are independent, so a group of them lives in registers and the block
// is walked once a group: it is in the first-level cache, and no lane waits
// for a store to come back.
func (l *reduceLoop) writeBlock(b *strings.Builder) {
	l.open(b, "block", "reduces n <= 1024 elements, the first at position index, to one state.")
	fmt.Fprintf(b, "x := unsafe.Slice((*%s)(p[2]), n)\n", l.r.Elem)
	// A shorter run must not even be addressed as rows: checkptr, which -race
	// turns on, refuses a pointer to an array that ends outside its allocation.
	fmt.Fprintf(b, "var rows [][%d]%s\n", kernels.Lanes, l.r.Elem)
	fmt.Fprintf(b, "if n >= %d {\nrows = unsafe.Slice((*[%[1]d]%s)(p[2]), n/%[1]d)\n}\n", kernels.Lanes, l.r.Elem)
	writeLines(b, l.identity.Consts)
	writeLines(b, l.identity.Lines)
	l.consts(b)
	for k, d := range l.r.State {
		fmt.Fprintf(b, "var lanes%d [%d]%s\n", k, kernels.Lanes, d)
	}
	l.groups(b)
	l.tail(b)
	l.fold(b)
	for k, d := range l.r.State {
		fmt.Fprintf(b, "*(*%s)(p[%d]) = lanes%d[0]\n", d, k, k)
	}
	b.WriteString("}\n\n")
}

// group returns how many lanes fit into registers.
func (l *reduceLoop) group() int {
	if len(l.r.State) > 1 || len(l.merge.Lines) > 2 {
		return 4
	}
	return 8
}

// lane names the parts of the state of lane j of a group.
func (l *reduceLoop) lane(j int) []string {
	names := l.state("s")
	for k := range names {
		names[k] += fmt.Sprintf("_%d", j)
	}
	return names
}

// groups writes the walk over the full rows of 32 elements.
func (l *reduceLoop) groups(b *strings.Builder) {
	group := l.group()
	fmt.Fprintf(b, "for g := 0; g < %d; g += %d {\n", kernels.Lanes, group)
	for j := range group {
		for k, out := range l.identity.Outs {
			fmt.Fprintf(b, "s%d_%d := %s\n", k, j, out)
		}
	}
	fmt.Fprintf(b, "for i := range rows {\nr := (*[%d]%s)(unsafe.Pointer(&rows[i][g]))\n", group, l.r.Elem)
	if l.at {
		fmt.Fprintf(b, "first := index + int64(%d*i+g)\n", kernels.Lanes)
	}
	for j := range group {
		l.step(b, l.lane(j), fmt.Sprintf("r[%d]", j), fmt.Sprintf("first + %d", j))
	}
	b.WriteString("}\n")
	for j := range group {
		for k := range l.r.State {
			fmt.Fprintf(b, "lanes%d[g+%d] = s%d_%d\n", k, j, k, j)
		}
	}
	b.WriteString("}\n")
}

// tail writes the last n%32 elements: one for each of the first lanes.
func (l *reduceLoop) tail(b *strings.Builder) {
	fmt.Fprintf(b, "done := n / %d * %d\nfor i, x := range x[done:] {\ni %%= %d\n", kernels.Lanes, kernels.Lanes, kernels.Lanes)
	for k := range l.r.State {
		fmt.Fprintf(b, "s%d := lanes%d[i]\n", k, k)
	}
	l.step(b, l.state("s"), "x", "index + int64(done+i)")
	for k := range l.r.State {
		fmt.Fprintf(b, "lanes%d[i] = s%d\n", k, k)
	}
	b.WriteString("}\n")
}

// fold writes the folding of lanes l with l+16, +8, +4, +2, +1. Lanes without
// elements hold the identity. Its constants are those of combine, the same
// expression.
func (l *reduceLoop) fold(b *strings.Builder) {
	fmt.Fprintf(b, "for h := %d; h > 0; h /= 2 {\nfor i := range h {\n", kernels.Lanes/2)
	for k := range l.r.State {
		fmt.Fprintf(b, "s%d, t%d := lanes%d[i], lanes%d[(i+h)%%%d]\n", k, k, k, k, kernels.Lanes)
	}
	writeInto(b, l.merge, []string{"lanes0[i]", "lanes1[i]"}[:len(l.r.State)]...)
	b.WriteString("}\n}\n")
}
