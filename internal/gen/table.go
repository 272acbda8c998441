package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// table collects the entries of ztable.go.
type table struct {
	maps, reduces []entry
}

// entry is one element of the tables: the loops of op for elements of type
// from, with results of type to.
type entry struct {
	op       kernels.Op
	from, to dtype.DType
	value    string
}

func (t *table) addMap(op kernels.Op, name string, sig signature, scalars bool, cost int) error {
	var args []string
	for _, d := range sig.args {
		args = append(args, d.GoString())
	}
	v := fmt.Sprintf("{%q, [3]dtype.DType{%s}, %d, %s_flat", name, strings.Join(args, ", "), cost, name)
	if scalars {
		v += fmt.Sprintf(", %s_ls, %s_rs}", name, name)
	} else {
		v += ", nil, nil}"
	}
	return add(&t.maps, entry{op, sig.last(), sig.result, v})
}

// add refuses two signatures that the tables of package cpu cannot tell apart.
func add(entries *[]entry, e entry) error {
	same := func(f entry) bool { return f.op == e.op && f.from == e.from && f.to == e.to }
	if slices.ContainsFunc(*entries, same) {
		return fmt.Errorf("two signatures with last operand %v and result %v", e.from, e.to)
	}
	*entries = append(*entries, e)
	return nil
}

// text returns ztable.go.
func (t *table) text(hash string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// tableHash is a hash over all generated loops.\nconst tableHash = %q\n\n", hash)
	b.WriteString("// mapTable finds the loops of an element-wise row by the dtypes of its last operand and its result.\n")
	writeTable(&b, "mapTable", "mapLoops", t.maps)
	b.WriteString("// reduceTable finds the loops of a reduction by the dtypes of its elements and its result.\n")
	writeTable(&b, "reduceTable", "reduceLoops", t.reduces)
	return b.String()
}

func writeTable(b *strings.Builder, name, typ string, entries []entry) {
	slices.SortFunc(entries, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.op, y.op), cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to))
	})
	fmt.Fprintf(b, "var %s = [kernels.OpLimit]*[dtype.Count][dtype.Count]*%s{\n", name, typ)
	for i, e := range entries {
		if i == 0 || entries[i-1].op != e.op {
			fmt.Fprintf(b, "%d: { // %v\n", e.op, e.op)
		}
		first := i == 0 || entries[i-1].op != e.op || entries[i-1].from != e.from
		last := i == len(entries)-1 || entries[i+1].op != e.op
		lastOfFrom := last || entries[i+1].from != e.from
		switch {
		case first && lastOfFrom: // one line, or the file grows too long
			fmt.Fprintf(b, "%#v: {%#v: %s},\n", e.from, e.to, e.value)
		case first:
			fmt.Fprintf(b, "%#v: {\n%#v: %s,\n", e.from, e.to, e.value)
		case lastOfFrom:
			fmt.Fprintf(b, "%#v: %s,\n},\n", e.to, e.value)
		default:
			fmt.Fprintf(b, "%#v: %s,\n", e.to, e.value)
		}
		if last {
			b.WriteString("},\n")
		}
	}
	b.WriteString("}\n\n")
}
