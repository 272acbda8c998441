package main

import (
	"fmt"
	"go/format"
	"maps"
	"strings"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// reductions writes the loops of the hot reductions, zasmreduce_<row>_amd64.s,
// and the table of them, zasmreduce_amd64.go.
func (g *generator) reductions() error {
	var table, stubs strings.Builder
	for _, op := range kernels.Ops() {
		row := op.Row()
		if !row.Hot || row.Reduce == nil {
			continue
		}
		var funcs []function
		for d := dtype.Invalid + 1; int(d) < dtype.Count; d++ {
			if !row.Kinds.Has(d) || row.Computes(d) != d {
				continue
			}
			made, err := reduceLoops(op, row, d)
			if err != nil {
				g.left = append(g.left, fmt.Sprintf("%s of %v: %v", row.Name, d, err))
				continue
			}
			fmt.Fprintf(&table, "{%d, %#v, %s, %s, %s}, // %v\n", op, d, made[0].name, made[1].name, made[2].name, op)
			funcs = append(funcs, made...)
		}
		if len(funcs) > 0 {
			g.files["zasmreduce_"+row.Name+"_amd64.s"] = reduceAssembly(funcs)
		}
		for _, f := range funcs {
			fmt.Fprintf(&stubs, "// %s: %s.\n//\n//go:noescape\nfunc %s%s\n\n", f.name, f.doc, f.name, goReduceSignature)
		}
	}
	out, err := format.Source([]byte(header + "package cpu\n\nimport (\n\"unsafe\"\n\n\"github.com/stride0/stride0/dtype\"\n)\n\n" + stubs.String() +
		"// avx2Reduces replace the loops of reduceTable on processors with AVX2.\nvar avx2Reduces = []vectorReduces{\n" + table.String() + "}\n"))
	g.files["zasmreduce_amd64.go"] = out
	return err
}

// reduceAssembly returns the text of a file.
func reduceAssembly(funcs []function) []byte {
	var b strings.Builder
	consts := map[constant]bool{}
	for _, f := range funcs {
		maps.Copy(consts, f.consts)
	}
	b.WriteString(header + "#include \"textflag.h\"\n\n")
	writeConsts(&b, consts, true)
	for _, f := range funcs {
		fmt.Fprintf(&b, "// func %s%s\n%s\n", f.name, goReduceSignature, strings.TrimRight(f.text, "\n")+"\n")
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n")
}

const goReduceSignature = "(n int, index int64, p *[6]unsafe.Pointer)"

// reduceLoops returns the loops block, lead and lead4 of a reduction. Errors:
// it has none.
func reduceLoops(op kernels.Op, row *kernels.Row, d dtype.DType) ([]function, error) {
	var made []function
	for _, l := range []struct {
		form, doc string
		emit      func(x *reducer, name string) (function, error)
	}{
		{"block", "reduces n <= 1024 elements to one state", (*reducer).block},
		{"lead", "combines state i with element i of one row", func(x *reducer, name string) (function, error) { return x.lead(name, 1) }},
		{"lead4", "combines state i with element i of four rows of one lane", func(x *reducer, name string) (function, error) { return x.lead(name, 4) }},
	} {
		x, err := newReducer(op, d)
		if err != nil {
			return nil, err
		}
		f, err := l.emit(x, fmt.Sprintf("%s_%v_%s_avx2", row.Name, d, l.form))
		if err != nil {
			return nil, err
		}
		f.doc = l.doc + ", " + row.Doc
		made = append(made, f)
	}
	return made, nil
}
