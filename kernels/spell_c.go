package kernels

import (
	"fmt"
	"strings"

	"github.com/stride0/stride0/dtype"
)

// cText collects C source with its indentation.
type cText struct {
	b      strings.Builder
	indent int
	err    error
}

// line writes one line of the current indentation.
func (t *cText) line(format string, args ...any) {
	for range t.indent {
		t.b.WriteByte('\t')
	}
	fmt.Fprintf(&t.b, format, args...)
	t.b.WriteByte('\n')
}

// open writes a line that ends in "{" and indents what follows.
func (t *cText) open(format string, args ...any) {
	t.line(format+" {", args...)
	t.indent++
}

// close ends what open began.
func (t *cText) close() {
	t.indent--
	t.line("}")
}

func (t *cText) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// body spells b as definitions whose names begin with prefix; args names the
// arguments. It returns the names of what b yields.
func (t *cText) body(d *Dialect, b Body, prefix string, args ...string) []string {
	names := make([]string, len(b.Nodes))
	for i, n := range b.Nodes {
		switch n.Prim {
		case PrimArg:
			if n.Bits >= uint64(len(args)) {
				t.fail(fmt.Errorf("kernels: the expression has no name for argument %d", n.Bits))
				return make([]string, len(b.Outs))
			}
			names[i] = args[n.Bits]
			continue
		case PrimConst:
			names[i] = d.Const(n.Type, n.Bits)
			continue
		}
		var a [3]string
		for j := range n.NArg {
			a[j] = names[n.Args[j]]
		}
		text, err := d.expr(n, b.Nodes[n.Args[0]].Type, a)
		if err != nil {
			t.fail(err)
		}
		names[i] = fmt.Sprintf("%s%d", prefix, i)
		t.line("const %s %s = %s;", d.Types[n.Type], names[i], text)
	}
	outs := make([]string, len(b.Outs))
	for i, v := range b.Outs {
		outs[i] = names[v]
	}
	return outs
}

// cInfix holds the primitives that are an operator of C.
var cInfix = map[Prim]string{
	PrimAdd: "+", PrimSub: "-", PrimMul: "*", PrimLt: "<", PrimLe: "<=", PrimEq: "==", PrimAnd: "&", PrimOr: "|", PrimXor: "^",
}

// expr spells one primitive; from is the type of its first argument.
func (d *Dialect) expr(n Node, from dtype.DType, a [3]string) (string, error) {
	if op, ok := cInfix[n.Prim]; ok {
		return d.infix(n, op, a[0], a[1]), nil
	}
	switch n.Prim {
	case PrimDiv:
		return d.Div(n.Type, a[0], a[1]), nil
	case PrimSqrt:
		return d.Sqrt(n.Type, a[0]), nil
	case PrimFma:
		return d.Fma(n.Type, a[0], a[1], a[2]), nil
	case PrimSelect:
		return fmt.Sprintf("%s ? %s : %s", a[0], a[1], a[2]), nil
	case PrimNot:
		if n.Type == dtype.Bool {
			return "!" + a[0], nil
		}
		return fmt.Sprintf("(%s)~%s", d.Types[n.Type], a[0]), nil
	case PrimShl:
		return fmt.Sprintf("(%s)(%s << %d)", d.Types[n.Type], d.wrapping(n.Type, a[0]), n.Bits), nil
	case PrimShr:
		return fmt.Sprintf("(%s)(%s >> %d)", d.Types[n.Type], a[0], n.Bits), nil
	case PrimQuo:
		return fmt.Sprintf("(%s)(%s / %s)", d.Types[n.Type], a[0], a[1]), nil
	case PrimShlBy:
		return fmt.Sprintf("(%s)(%s << %s)", d.Types[n.Type], d.wrapping(n.Type, a[0]), a[1]), nil
	case PrimShrBy:
		return fmt.Sprintf("(%s)(%s >> %s)", d.Types[n.Type], a[0], a[1]), nil
	case PrimConvert:
		if n.Type.IsFloat() {
			return d.Convert(n.Type, from, a[0]), nil
		}
		return fmt.Sprintf("(%s)%s", d.Types[n.Type], a[0]), nil
	case PrimBits:
		return d.Bits(n.Type, from, a[0]), nil
	}
	return "", fmt.Errorf("kernels: primitive %v has no spelling in %s", n.Prim, d.Name)
}

// infix spells an operator. Sums and products of integers are those of unsigned
// ones, which wrap; narrow types compute in 32 bits and are cut back.
func (d *Dialect) infix(n Node, op, a, b string) string {
	arithmetic := n.Prim == PrimAdd || n.Prim == PrimSub || n.Prim == PrimMul
	if arithmetic && n.Type.IsInteger() {
		return fmt.Sprintf("(%s)(%s %s %s)", d.Types[n.Type], d.wrapping(n.Type, a), op, d.wrapping(n.Type, b))
	}
	return a + " " + op + " " + b
}

// wrapping spells a as an unsigned type in which arithmetic wraps: when it is
// signed, and uint16, which C would compute in int, where 65535² overflows.
func (d *Dialect) wrapping(t dtype.DType, a string) string {
	if t.Kind() != dtype.IntKind && t != dtype.Uint16 {
		return a
	}
	return "(" + d.unsignedOf(t) + ")" + a
}

// UsesFloat64 reports whether the kernels of p, lowered to l, compute with
// float64 or store it: not every device can.
func (l *Lowered) UsesFloat64(p *Program) bool {
	for _, in := range p.Instrs {
		if in.Type == dtype.Float64 {
			return true
		}
	}
	bodies := []Body{l.Map, l.Post}
	if r := l.Reduce; r != nil {
		bodies = append(bodies, r.Lift, r.Identity, r.Combine, r.Finish)
	}
	for _, b := range bodies {
		for _, n := range b.Nodes {
			if n.Type == dtype.Float64 {
				return true
			}
		}
	}
	return false
}
