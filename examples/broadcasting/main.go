package main

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"strings"
)

// source holds the lessons. Their tests prove that they print what they say.
//
//go:embed stretch_test.go reduce_test.go mistakes_test.go
var source embed.FS

// files lists the files of lessons in the order in which to read them.
var files = []string{"stretch_test.go", "reduce_test.go", "mistakes_test.go"}

// A lesson is an Example function.
type lesson struct {
	name    string // "outer" of Example_outer
	text    string // its comment
	program string // its body
	output  string // what the body prints
}

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command prints the lessons named, all without names. It returns the exit
// code: 0, 1 when printing failed, 2 when there is no such lesson.
func command(names []string, stdout, stderr io.Writer) int {
	lessons, err := load()
	if err != nil {
		fmt.Fprintln(stderr, "broadcasting:", err)
		return 1
	}
	chosen, err := choose(lessons, names)
	if err != nil {
		fmt.Fprintln(stderr, "broadcasting:", err)
		return 2
	}
	for _, l := range chosen {
		if err := l.print(stdout); err != nil {
			fmt.Fprintln(stderr, "broadcasting:", err)
			return 1
		}
	}
	return 0
}

// choose returns the lessons of those names, all for none.
func choose(lessons []lesson, names []string) ([]lesson, error) {
	if len(names) == 0 {
		return lessons, nil
	}
	byName := map[string]lesson{}
	var all []string
	for _, l := range lessons {
		byName[l.name] = l
		all = append(all, l.name)
	}
	var chosen []lesson
	for _, name := range names {
		l, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("there is no lesson %q; there are %s", name, strings.Join(all, ", "))
		}
		chosen = append(chosen, l)
	}
	return chosen, nil
}

// load reads all lessons, in order.
func load() ([]lesson, error) {
	var lessons []lesson
	for _, name := range files {
		text, err := source.ReadFile(name)
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example_") {
				body := string(text[fset.Position(f.Body.Lbrace).Offset+1 : fset.Position(f.Body.Rbrace).Offset])
				lessons = append(lessons, newLesson(f.Name.Name, f.Doc.Text(), body))
			}
		}
	}
	return lessons, nil
}

// newLesson takes the parts of an Example function apart.
func newLesson(name, text, body string) lesson {
	program, output, _ := strings.Cut(body, "\n\t// Output:")
	return lesson{
		name:    strings.TrimPrefix(name, "Example_"),
		text:    text,
		program: strings.Trim(strings.ReplaceAll(program, "\n\t", "\n"), "\n"),
		output:  uncomment(output),
	}
}

// uncomment takes the // off every line.
func uncomment(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(line, "\t//")
		b.WriteString(strings.TrimPrefix(line, " "))
	}
	return strings.Trim(b.String(), "\n")
}

// print writes the lesson: what it is about, the program, what that prints.
func (l lesson) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "== %s ==\n\n%s\n%s\n\nprints\n\n%s\n\n\n",
		l.name, l.text, indent(l.program), indent(l.output))
	return err
}

// indent moves every line that is not empty to the right.
func indent(text string) string {
	return strings.ReplaceAll("    "+strings.ReplaceAll(text, "\n", "\n    "), "    \n", "\n")
}
