package kernels

import (
	"fmt"
	"strings"

	"github.com/stride0/stride0/dtype"
)

// Spell returns the source of the kernels of p, lowered to l, in form f for
// the given stages; an element-wise form has stage 0 only. KernelName has their
// names, Step the order of their arguments.
func Spell(d *Dialect, p *Program, l *Lowered, f Form, stages ...Stage) (string, error) {
	k := cKernel{d: d, p: p, l: l, f: f}
	k.b.WriteString(d.Header(l.UsesFloat64(p)))
	k.b.WriteString(spellGeometry(d, geometryFields(l, f, len(p.Inputs), len(p.Outputs), nil), f.Wide))
	for i, s := range stages {
		if i > 0 {
			k.b.WriteByte('\n')
		}
		switch f.Kind {
		case FlatForm:
			k.flat()
		case GridForm:
			k.grid()
		default:
			k.reduce(s)
		}
	}
	return k.b.String(), k.err
}

// cKernel writes the kernels of one form.
type cKernel struct {
	cText
	d *Dialect
	p *Program
	l *Lowered
	f Form
}

// begin opens the kernel of a stage; see Step for the parameters.
func (k *cKernel) begin(s Stage) {
	var params []string
	add := func(format string, args ...any) { params = append(params, fmt.Sprintf(format, args...)) }
	if s&FromStates == 0 {
		for i, t := range k.p.Inputs {
			add("%sin%d", k.d.global("const "+k.d.Types[t]), i)
		}
	}
	if s&ToStates == 0 {
		for i, v := range k.p.Outputs {
			add("%sout%d", k.d.global(k.d.Types[k.p.Instrs[v].Type]), i)
		}
	}
	if s != 0 {
		add("%sscratch", k.d.global(k.cellType()))
	}
	if s != FromStates|ToStates {
		for i, t := range k.p.Scalars {
			add("const %s scalar%d", k.d.Types[t], i)
		}
	}
	add("const geometry g")
	k.open("%s %s(%s)", k.d.Kernel, KernelName(k.p, k.f, s), strings.Join(params, ", "))
	if k.d.Begin != "" {
		k.line("%s", k.d.Begin)
	}
}

// cellType is the element type of scratch: that of a state's only part, or 8
// bytes.
func (k *cKernel) cellType() string {
	if r := k.l.Reduce; len(r.State) == 1 {
		return k.d.Types[r.State[0]]
	}
	return k.d.Ulong
}

// mapped spells the loads and the Map body at one element. place spells the
// element of input i, index the plan axis of code c. It returns the names of
// what Map yields.
func (k *cKernel) mapped(place func(input int) string, index func(code int8) string) []string {
	args := make([]string, len(k.l.Leaves))
	n := 0
	for i, leaf := range k.l.Leaves {
		switch leaf.Op {
		case OpInput:
			args[i] = fmt.Sprintf("x%d", leaf.Slot)
			k.line("const %s x%d = in%d[%s];", k.d.Types[leaf.Type], leaf.Slot, leaf.Slot, place(int(leaf.Slot)))
		case OpScalar:
			args[i] = fmt.Sprintf("scalar%d", leaf.Slot)
		default:
			args[i] = fmt.Sprintf("at%d", n)
			k.line("const %s at%d = g.index[%d]%s;", k.d.Types[dtype.Int64], n, n, index(k.f.index[n]))
			n++
		}
	}
	return k.body(k.d, k.l.Map, "m", args...)
}

// store spells the stores of the outputs.
func (k *cKernel) store(values []string, place func(output int) string) {
	for i, v := range values {
		k.line("out%d[%s] = %s;", i, place(i), v)
	}
}

// flat: out[i] = map(in[i] or in[0]).
func (k *cKernel) flat() {
	k.begin(0)
	k.line("const %s i = %s;", k.d.Uint, k.d.GlobalID[0])
	k.line("if (i >= g.items[0]) return;")
	values := k.mapped(func(input int) string {
		if input < 64 && k.f.Scalars>>input&1 == 1 {
			return fmt.Sprintf("g.base[%d]", input)
		}
		return fmt.Sprintf("g.base[%d] + i", input)
	}, func(code int8) string {
		if code == 0 {
			return ""
		}
		return " + i"
	})
	k.store(values, func(output int) string { return fmt.Sprintf("g.base[%d] + i", len(k.p.Inputs)+output) })
	k.close()
}

// grid: the two innermost axes are x and y of the grid, all others together z.
func (k *cKernel) grid() {
	axes := int(k.f.Kept)
	k.begin(0)
	k.line("const %s k0 = %s, k1 = %s + g.origin[0], z = %s + g.origin[1];", k.d.Uint, k.d.GlobalID[0], k.d.GlobalID[1], k.d.GlobalID[2])
	k.line("if (k0 >= g.items[0] || k1 >= g.items[1] || z >= g.items[2]) return;")
	k.divide("k", "z", "", 2, axes)
	for o := range len(k.p.Inputs) + len(k.p.Outputs) {
		k.line("const %s p%d = g.base[%d]%s;", k.d.Long, o, o, offset("k", fmt.Sprintf("stride%d", o), axes))
	}
	values := k.mapped(func(input int) string { return fmt.Sprintf("p%d", input) }, k.axisIndex)
	k.store(values, func(output int) string { return fmt.Sprintf("p%d", len(k.p.Inputs)+output) })
	k.close()
}

// divide splits the linear index called from into indices called
// name+first ... name+(axes-1), counted from the inside, by the Divisors in
// the geometry.
func (k *cKernel) divide(name, from, prefix string, first, axes int) {
	rest := from
	for a := first; a < axes-1; a++ {
		i := a - first
		quotient := fmt.Sprintf("q%s%d", name, a)
		k.line("const %s %s = (%s + %s) >> g.%sshift[%d];", k.d.Uint, quotient,
			k.d.MulHi(rest, fmt.Sprintf("g.%smul[%d]", prefix, i)), rest, prefix, i)
		k.line("const %s %s%d = %s - %s * g.%ssize[%d];", k.d.Uint, name, a, rest, quotient, prefix, i)
		rest = quotient
	}
	if axes > first {
		k.line("const %s %s%d = %s;", k.d.Uint, name, axes-1, rest)
	}
}

// offset spells what the indices name0, name1, ... add to a base.
func offset(name, strides string, axes int) string {
	if axes == 0 {
		return ""
	}
	terms := make([]string, axes)
	for a := range axes {
		terms[a] = fmt.Sprintf("(off)%s%d * g.%s[%d]", name, a, strides, a)
	}
	return " + (" + strings.Join(terms, " + ") + ")"
}

// axisIndex spells what the index of a plan axis adds to its base.
func (k *cKernel) axisIndex(code int8) string {
	switch {
	case code > 0:
		return fmt.Sprintf(" + k%d", code-1)
	case code < 0:
		return fmt.Sprintf(" + r%d", -code-1)
	}
	return ""
}
