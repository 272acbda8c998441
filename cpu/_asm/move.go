package main

import (
	"fmt"
	"go/format"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// widths are the bytes that an element can have.
var widths = [...]int{1, 2, 4, 8}

// widthName names a function for elements of size bytes.
func widthName(what string, size int) string { return fmt.Sprintf("%s_%d_avx2", what, 8*size) }

// text returns the assembly that avo makes of the function of c. It panics if c
// is not a function: no data enters here.
func text(c *build.Context) string {
	file, err := c.Result()
	if err == nil {
		err = pass.Compile.Execute(file)
	}
	if err != nil {
		panic(err)
	}
	out, err := printer.NewGoAsm(printer.Config{}).Print(&ir.File{Sections: file.Sections})
	if err != nil {
		panic(err)
	}
	_, body, _ := strings.Cut(string(out), "TEXT ")
	return "TEXT " + body
}

// moves writes the functions that move elements whatever they mean, and the
// tables of them: zasmmove_amd64.s and zasmmove_amd64.go.
func (g *generator) moves() error {
	var asm, stubs, table strings.Builder
	asm.WriteString(header + "#include \"textflag.h\"\n\n")
	stubs.WriteString(header + "package cpu\n\nimport \"unsafe\"\n\n")
	table.WriteString("// avx2Moves move elements by their width.\nvar avx2Moves = moveLoops{\n")
	emit := func(f function, signature, doc string) {
		fmt.Fprintf(&asm, "// func %s%s\n%s\n", f.name, signature, strings.TrimRight(f.text, "\n")+"\n")
		fmt.Fprintf(&stubs, "// %s: %s.\n//\n//go:noescape\nfunc %s%s\n\n", f.name, doc, f.name, signature)
	}
	table.WriteString("transposes: [...]transposeLoop{\n")
	for _, size := range widths {
		rows, cols := tileOf(size)
		f := transpose(size)
		emit(f, "(rows, cols int, dst unsafe.Pointer, pitch int, src unsafe.Pointer, step int)",
			fmt.Sprintf("element (i, j) of dst, rows pitch bytes apart, is element (j, i) of src, rows step bytes apart; rows a multiple of %d, cols of %d", rows, cols))
		fmt.Fprintf(&table, "{%s, %d, %d},\n", f.name, rows, cols)
	}
	table.WriteString("},\npicks: [...][6]pickLoop{\n")
	for _, size := range widths {
		table.WriteString("{")
		for _, step := range pickSteps {
			f, data := pick(size, step)
			for _, d := range data {
				writeData(&asm, d.name, d.words()...)
			}
			emit(f, "(n int, dst, src unsafe.Pointer)", fmt.Sprintf("element i of dst is element %d*i of src; n a multiple of %d", step, pickVector(size)))
			fmt.Fprintf(&table, "%d: {%s, %d}, ", step+1, f.name, pickVector(size))
		}
		table.WriteString("},\n")
	}
	table.WriteString("},\n}\n")
	out, err := format.Source([]byte(stubs.String() + table.String()))
	g.files["zasmmove_amd64.go"], g.files["zasmmove_amd64.s"] = out, []byte(strings.TrimRight(asm.String(), "\n")+"\n")
	return err
}
