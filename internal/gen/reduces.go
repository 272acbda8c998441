package main

import (
	"fmt"
	"strings"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// maxParts is the greatest number of parts of a state: package cpu gives a
// loop two pointers to states.
const maxParts = 2

// reduction returns the loops of a reduction for elements of every dtype that
// it computes in.
func (t *table) reduction(op kernels.Op, row *kernels.Row) (string, error) {
	var b strings.Builder
	for d := dtype.Invalid + 1; int(d) < dtype.Count; d++ {
		if !row.Kinds.Has(d) || row.Computes(d) != d {
			continue
		}
		r, err := kernels.ReduceBody(op, d)
		if err != nil {
			return "", err
		}
		if len(r.State) > maxParts {
			return "", fmt.Errorf("a state has %d parts; widen reduceLoop in package cpu", len(r.State))
		}
		l, err := newReduceLoop(row.Name+"_"+d.String(), r)
		if err != nil {
			return "", err
		}
		for _, form := range []func(*strings.Builder){l.writeIdentity, l.writeBlock, l.writeRows, l.writeLead, l.writeLead4, l.writeMerge, l.writeFinish} {
			form(&b)
		}
		if err := add(&t.reduces, l.entry(op)); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// reduceLoop is a reduction for elements of one dtype. Its expressions are
// spelt for fixed names: the element x at position at, the states s0, s1 and
// t0, t1.
type reduceLoop struct {
	name string
	r    *kernels.Reducer

	identity, finish kernels.GoText
	merge            kernels.GoText // of s with t
	at               bool           // Lift reads the position
	short            bool           // an element's way into a state is one line
}

func newReduceLoop(name string, r *kernels.Reducer) (*reduceLoop, error) {
	l := &reduceLoop{name: name, r: r, at: usedArgs(r.Lift)[1]}
	s, t := l.state("s"), l.state("t")
	var err error
	spell := func(b kernels.Body, args []string, suffix string) kernels.GoText {
		text, e := kernels.SpellGo(b, args, suffix)
		if e != nil {
			err = e
		}
		return text
	}
	l.identity = spell(r.Identity, nil, "e")
	l.merge = spell(r.Combine, append(s[:len(s):len(s)], t...), "m")
	lift := spell(r.Lift, []string{"x", "at"}, "l")
	l.short = len(s) == 1 && len(lift.Lines) == 0 && len(l.merge.Lines) == 1
	l.finish = spell(r.Finish, s, "f")
	return l, err
}

func (l *reduceLoop) entry(op kernels.Op) entry {
	state := make([]string, len(l.r.State))
	for i, d := range l.r.State {
		state[i] = d.GoString()
	}
	n := l.name
	return entry{op, l.r.Elem, l.r.Result, fmt.Sprintf(
		"{%q, %d, [2]dtype.DType{%s}, %d, %v, %s_identity, %s_block, %s_rows, %s_lead, %s_lead4, %s_merge, %s_finish}",
		n, len(state), strings.Join(state, ", "), cost(l.r.Combine)+cost(l.r.Lift), l.at, n, n, n, n, n, n, n)}
}

func (l *reduceLoop) open(b *strings.Builder, form, doc string) {
	fmt.Fprintf(b, "// %s_%s %s\n", l.name, form, doc)
	fmt.Fprintf(b, "func %s_%s(n int, index int64, p *[6]unsafe.Pointer) {\n", l.name, form)
}

// states defines slices of the parts of n states: s.. at p[0] or t.. at p[2].
func (l *reduceLoop) states(b *strings.Builder, name string, first int) {
	for k, d := range l.r.State {
		cut := "[:len(s0s)]"
		if k == 0 && name == "s" {
			cut = ""
		}
		fmt.Fprintf(b, "%s%ds := unsafe.Slice((*%s)(p[%d]), n)%s\n", name, k, d, first+k, cut)
	}
}

// load defines s0, s1 (or t0, t1) from element i of the slices.
func (l *reduceLoop) load(b *strings.Builder, name string) {
	for k := range l.r.State {
		fmt.Fprintf(b, "%s%d := %s%ds[i]\n", name, k, name, k)
	}
}

func (l *reduceLoop) writeIdentity(b *strings.Builder) {
	l.open(b, "identity", "sets n states to the one that changes no other.")
	l.states(b, "s", 0)
	writeLines(b, l.identity.Consts)
	writeLines(b, l.identity.Lines)
	b.WriteString("for i := range s0s {\n")
	for k, out := range l.identity.Outs {
		fmt.Fprintf(b, "s%ds[i] = %s\n", k, out)
	}
	b.WriteString("}\n}\n\n")
}

// step writes one element's way into the state held by the variables s: lift
// x, combine.
func (l *reduceLoop) step(b *strings.Builder, s []string, x, at string) {
	if !l.short {
		b.WriteString("{\n")
		if x != "x" {
			fmt.Fprintf(b, "x := %s\n", x)
			x = "x"
		}
		if l.at {
			fmt.Fprintf(b, "at := %s\n", at)
		}
	}
	lift, combine := l.spellStep(s, x)
	writeLines(b, lift.Lines)
	writeInto(b, combine, s...)
	if !l.short {
		b.WriteString("}\n")
	}
}

// spellStep spells Lift of x and Combine of s with what that yields.
// newReduceLoop has seen both spelt, so that they cannot fail.
func (l *reduceLoop) spellStep(s []string, x string) (lift, combine kernels.GoText) {
	lift, _ = kernels.SpellGo(l.r.Lift, []string{x, "at"}, "l")
	combine, _ = kernels.SpellGo(l.r.Combine, append(s[:len(s):len(s)], lift.Outs...), "m")
	return lift, combine
}

func (l *reduceLoop) consts(b *strings.Builder) {
	lift, combine := l.spellStep(l.state("s"), "x")
	writeLines(b, lift.Consts)
	writeLines(b, combine.Consts)
}

// state names the parts of a state: s0, s1.
func (l *reduceLoop) state(name string) []string {
	return []string{name + "0", name + "1"}[:len(l.r.State)]
}

func (l *reduceLoop) store(b *strings.Builder) {
	for k := range l.r.State {
		fmt.Fprintf(b, "s%ds[i] = s%d\n", k, k)
	}
}

func (l *reduceLoop) writeLead(b *strings.Builder) {
	l.open(b, "lead", "combines state i with element i of one row, at position index.")
	l.lead(b, 1)
}

func (l *reduceLoop) writeLead4(b *strings.Builder) {
	l.open(b, "lead4", "combines state i with element i of four rows of one lane, 32 positions apart.")
	l.lead(b, 4)
}

func (l *reduceLoop) lead(b *strings.Builder, rows int) {
	l.states(b, "s", 0)
	for r := range rows {
		fmt.Fprintf(b, "r%d := unsafe.Slice((*%s)(p[%d]), n)[:len(s0s)]\n", r, l.r.Elem, 2+r)
	}
	l.consts(b)
	b.WriteString("for i := range s0s {\n")
	l.load(b, "s")
	for r := range rows {
		l.step(b, l.state("s"), fmt.Sprintf("r%d[i]", r), fmt.Sprintf("index + %d", kernels.Lanes*r))
	}
	l.store(b)
	b.WriteString("}\n}\n\n")
}

func (l *reduceLoop) writeMerge(b *strings.Builder) {
	l.open(b, "merge", "combines state i with state i of a second row.")
	l.states(b, "s", 0)
	l.states(b, "t", 2)
	writeLines(b, l.merge.Consts)
	b.WriteString("for i := range s0s {\n")
	l.load(b, "s")
	l.load(b, "t")
	writeInto(b, l.merge, []string{"s0s[i]", "s1s[i]"}[:len(l.r.State)]...)
	b.WriteString("}\n}\n\n")
}

func (l *reduceLoop) writeFinish(b *strings.Builder) {
	l.open(b, "finish", "turns n states into results.")
	used := usedArgs(l.r.Finish)
	fmt.Fprintf(b, "d := unsafe.Slice((*%s)(p[0]), n)\n", l.r.Result)
	for k, d := range l.r.State {
		if used[k] {
			fmt.Fprintf(b, "s%ds := unsafe.Slice((*%s)(p[%d]), n)[:len(d)]\n", k, d, 2+k)
		}
	}
	writeLines(b, l.finish.Consts)
	b.WriteString("for i := range d {\n")
	for k := range l.r.State {
		if used[k] {
			fmt.Fprintf(b, "s%d := s%ds[i]\n", k, k)
		}
	}
	writeInto(b, l.finish, "d[i]")
	b.WriteString("}\n}\n\n")
}
