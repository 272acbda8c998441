package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// generator collects the functions of all rows.
type generator struct {
	files map[string][]byte
	left  []string          // rows that keep their Go loops
	names map[string]string // by text: functions that several dtypes share
	funcs []function
	table []entry
	half  []entry // rows that compute halves in float32
	past  []entry // those of table whose loops can store past the cache
}

// function is the text of one function and the constants it reads.
type function struct {
	name, doc, text string
	consts          map[constant]bool
}

// entry names the loops of a row, of which mapTable has the signature.
type entry struct {
	op       kernels.Op
	from, to dtype.DType
	loops    [3]string // flat, ls, rs; "" for none
}

// generate writes the loops of the hot rows.
func generate() (*generator, error) {
	g := &generator{files: map[string][]byte{}, names: map[string]string{}}
	for _, add := range []func(kernels.Op, *kernels.Row, kernels.Signature) error{g.row, g.halves, g.storesPast} {
		for _, op := range kernels.Ops() {
			row := op.Row()
			if !row.Hot || row.Reduce != nil || row.Expand != nil {
				continue
			}
			for _, s := range kernels.Signatures(op) {
				if err := add(op, row, s); err != nil {
					g.left = append(g.left, fmt.Sprintf("%s of %v to %v: %v", row.Name, s.Args[:row.Arity], s.Result, err))
				}
			}
		}
	}
	return g, errors.Join(g.streams(), g.write(), g.moves(), g.reductions())
}

// row adds the loops of a row at one signature. Errors: it has none.
func (g *generator) row(op kernels.Op, row *kernels.Row, s kernels.Signature) error {
	args := s.Args[:row.Arity]
	body, err := kernels.RowBody(op, args, s.Result)
	if err != nil {
		return err
	}
	from := args[len(args)-1]
	name := row.Name + "_" + from.String()
	if s.Result != from && !(s.Result == dtype.Bool && row.Arity > 1) {
		name += "_" + s.Result.String()
	}
	if row.Rule == kernels.RuleCast {
		if f, ok, err := castRow(name+"_flat_avx2", from, s.Result); ok || err != nil {
			f.doc = row.Doc
			g.table = append(g.table, entry{op: op, from: from, to: s.Result, loops: [3]string{g.add(f)}})
			return err
		}
	}
	e, made := entry{op: op, from: from, to: s.Result}, []function{}
	for k, form := range forms(row) {
		f, err := best(body, loop{args: args, result: s.Result, scalar: k - 1}, name+"_"+form+"_avx2")
		if err != nil {
			return err
		}
		made = append(made, f)
	}
	for k, f := range made {
		f.doc = row.Doc + formDoc[k]
		e.loops[k] = g.add(f)
	}
	g.table = append(g.table, e)
	return nil
}

// forms returns the forms of the loops of a row.
func forms(row *kernels.Row) []string {
	if row.Arity != 2 {
		return []string{"flat"}
	}
	return []string{"flat", "ls", "rs"}
}

var formDoc = [...]string{"", ", the left operand one element", ", the right operand one element"}

// add keeps f unless a function with the same instructions is there already,
// as that of the unsigned integers of a width is for the signed, and returns
// its name.
func (g *generator) add(f function) string {
	_, text, _ := strings.Cut(f.text, "\n")
	if name, ok := g.names[text]; ok {
		return name
	}
	g.names[text] = f.name
	g.funcs = append(g.funcs, f)
	return f.name
}

// cheap is up to how many instructions of arithmetic a loop waits for memory
// and is unrolled more.
const cheap = 6

// work counts the instructions of arithmetic in a body.
func work(body kernels.Body) (n int) {
	for _, node := range body.Nodes {
		if node.NArg > 0 {
			n++
		}
	}
	return n
}

// best returns the loop like like with as many vectors a step, and then as
// many constants in registers, as these hold.
func best(body kernels.Body, like loop, name string) (function, error) {
	var consts []kernels.V
	for i, n := range body.Nodes {
		if n.Prim == kernels.PrimConst && n.Type != dtype.Bool {
			consts = append(consts, kernels.V(i))
		}
	}
	slices.SortStableFunc(consts, func(a, b kernels.V) int { return reads(body, b) - reads(body, a) })
	most := 2
	if work(body) <= cheap && like.half == dtype.Invalid {
		most = 4
	}
	for lanes := most; lanes > 0; lanes /= 2 {
		for held := len(consts); held >= 0; held-- {
			e, err := newEmitter(body)
			if err != nil {
				return function{}, err
			}
			f := like
			f.emitter = e
			if err = f.build(name, lanes, consts[:held]); err == nil {
				return f.text(name)
			}
			if !errors.Is(err, errPressure) {
				return function{}, err
			}
		}
	}
	return function{}, errPressure
}

// reads counts how often v is read.
func reads(body kernels.Body, v kernels.V) (n int) {
	for _, node := range body.Nodes {
		for _, a := range node.Args[:node.NArg] {
			if a == v {
				n++
			}
		}
	}
	return n
}

// text returns what avo makes of f.
func (f *loop) text(name string) (function, error) {
	file, err := f.Result()
	if err != nil {
		return function{}, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return function{}, err
	}
	out, err := printer.NewGoAsm(printer.Config{}).Print(&ir.File{Sections: file.Sections})
	if err != nil {
		return function{}, err
	}
	text := string(out)
	start := strings.Index(text, "TEXT ")
	if start < 0 || strings.Contains(text, "Y16") {
		return function{}, fmt.Errorf("no function for AVX2: %s", text)
	}
	return function{name: name, text: text[start:], consts: f.consts}, nil
}
