package archtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Package is one package of the module.
type Package struct {
	Path  string // in the module; "" is the root
	Name  string // "main" for a command
	Files []File // by name
}

// A File is a Go file of a package, also one that build tags exclude here.
type File struct {
	Name      string
	Lines     int
	Longest   Func     // the function with the most lines
	Test      bool     // the name ends in _test.go
	Generated bool     // has the "Code generated" line that Go's tools look for
	Example   bool     // is a test file with an example function
	Imports   []string // as written
}

// A Func is a function or method of a file.
type Func struct {
	Name  string
	Lines int
}

var (
	generatedLine = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	exampleFunc   = regexp.MustCompile(`(?m)^func Example\w*\(\)`)
)

// Load lists the packages of the module in the folder root, by path. It runs
// go list, so nested modules, testdata and folders that start with _ are not
// part of it.
func Load(root string) ([]Package, error) {
	cmd := exec.Command("go", "list", "-e", "-find",
		"-json=ImportPath,Name,Dir,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles", "./...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, stderr.Bytes())
	}
	var packages []Package
	for list := json.NewDecoder(bytes.NewReader(out)); list.More(); {
		p, err := decodePackage(list)
		if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// decodePackage reads the next package of go list's output and its files.
func decodePackage(list *json.Decoder) (Package, error) {
	var l struct {
		ImportPath, Name, Dir                                        string
		GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
	}
	if err := list.Decode(&l); err != nil {
		return Package{}, fmt.Errorf("go list: %w", err)
	}
	p := Package{Path: strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, Module), "/"), Name: l.Name}
	names := slices.Concat(l.GoFiles, l.CgoFiles, l.IgnoredGoFiles, l.TestGoFiles, l.XTestGoFiles)
	slices.Sort(names)
	for _, name := range names {
		f, err := loadFile(filepath.Join(l.Dir, name))
		if err != nil {
			return Package{}, err
		}
		p.Files = append(p.Files, f)
	}
	return p, nil
}

// loadFile reads one Go file.
func loadFile(path string) (File, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return File{}, err
	}
	files := token.NewFileSet()
	syntax, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return File{}, err
	}
	f := File{
		Name:      filepath.Base(path),
		Lines:     bytes.Count(source, []byte("\n")),
		Longest:   longest(files, syntax),
		Test:      strings.HasSuffix(path, "_test.go"),
		Generated: generatedLine.Match(source),
	}
	f.Example = f.Test && exampleFunc.Match(source)
	for _, spec := range syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return File{}, fmt.Errorf("%s: import %s: %w", path, spec.Path.Value, err)
		}
		f.Imports = append(f.Imports, imported)
	}
	return f, nil
}

// longest returns the function of a file that has the most lines.
func longest(files *token.FileSet, syntax *ast.File) (most Func) {
	for _, decl := range syntax.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; n > most.Lines {
			most = Func{f.Name.Name, n}
		}
	}
	return most
}
