package main

import (
	"fmt"
	"strings"

	"github.com/stride0/stride0/kernels"
)

// elementwise returns the loops of an element-wise row at all signatures.
func (t *table) elementwise(op kernels.Op, row *kernels.Row) (string, error) {
	var b strings.Builder
	for _, sig := range signatures(op, row) {
		body, err := kernels.RowBody(op, sig.args, sig.result)
		if err != nil {
			return "", err
		}
		m := mapLoop{row: row, sig: sig, body: body}
		forms := []string{"flat"}
		if row.Arity == 2 && (row.Hot || cost(body) <= scalarFormCost) {
			forms = append(forms, "ls", "rs")
		}
		for _, form := range forms {
			if err := m.write(&b, form); err != nil {
				return "", err
			}
		}
		if err := t.addMap(op, m.name(), sig, len(forms) > 1, cost(body)); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// scalarFormCost is the cost, in additions, up to which a row of two operands
// gets loops for one element on either side. Beside more work than that, the
// block that the element is spread over costs nothing.
const scalarFormCost = 16

// mapLoop is an element-wise row at one signature.
type mapLoop struct {
	row  *kernels.Row
	sig  signature
	body kernels.Body
}

func (m *mapLoop) name() string { return m.row.Name + "_" + m.sig.name() }

var vectors = [...]string{"a", "b", "c"}

// write appends the loop of one form.
func (m *mapLoop) write(b *strings.Builder, form string) error {
	scalar := map[string]int{"flat": -1, "ls": 0, "rs": 1}[form]
	names := []string{"x0", "x1", "x2"}[:m.row.Arity]
	text, err := kernels.SpellGo(m.body, names, "")
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "// %s_%s: %s%s.\n", m.name(), form, m.row.Doc, formDoc[form])
	fmt.Fprintf(b, "func %s_%s(n int, p *[4]unsafe.Pointer) {\n", m.name(), form)
	fmt.Fprintf(b, "d := unsafe.Slice((*%s)(p[0]), n)\n", kernels.GoType(m.sig.result))
	used := usedArgs(m.body)
	for i, d := range m.sig.args {
		switch {
		case !used[i]:
		case i == scalar:
			fmt.Fprintf(b, "%s := *(*%s)(p[%d])\n", names[i], kernels.GoType(d), i+1)
		default:
			fmt.Fprintf(b, "%s := unsafe.Slice((*%s)(p[%d]), n)[:len(d)]\n", vectors[i], kernels.GoType(d), i+1)
		}
	}
	writeLines(b, text.Consts)
	b.WriteString("for i := range d {\n")
	for i := range m.sig.args {
		if used[i] && i != scalar {
			fmt.Fprintf(b, "%s := %s[i]\n", names[i], vectors[i])
		}
	}
	writeInto(b, text, "d[i]")
	b.WriteString("}\n}\n\n")
	return nil
}

var formDoc = map[string]string{
	"flat": "",
	"ls":   ", the left operand one element",
	"rs":   ", the right operand one element",
}

func writeLines(b *strings.Builder, lines []string) {
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
}

// writeInto writes the lines of a text and sets targets to what it yields: in
// its last line if that can be.
func writeInto(b *strings.Builder, text kernels.GoText, targets ...string) {
	lines, values := text.Lines, text.Outs
	if n := len(lines) - 1; n >= 0 && len(targets) == 1 {
		if last, ok := strings.CutPrefix(lines[n], values[0]+" := "); ok {
			lines, values = lines[:n], []string{last}
		}
	}
	writeLines(b, lines)
	fmt.Fprintf(b, "%s = %s\n", strings.Join(targets, ", "), strings.Join(values, ", "))
}

// usedArgs reports which arguments a body reads.
func usedArgs(body kernels.Body) (used [8]bool) {
	for _, n := range body.Nodes {
		if n.Prim == kernels.PrimArg {
			used[n.Bits] = true
		}
	}
	return used
}

// cost estimates the time of one element, in additions.
func cost(body kernels.Body) int {
	total := 0
	for _, n := range body.Nodes {
		switch n.Prim {
		case kernels.PrimArg, kernels.PrimConst:
		case kernels.PrimFma, kernels.PrimDiv, kernels.PrimSqrt:
			total += 4
		case kernels.PrimQuo:
			total += 8
		default:
			total++
		}
	}
	return max(total, 1)
}
