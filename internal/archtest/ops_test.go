package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stride0/stride0/kernels"
)

// maxOps is how many operations of the table a hand-written file may name: for
// a meaning of its own (what a scatter adds with), not to list them again.
const maxOps = 6

// namesOps are the packages that may name more: the table, what tests devices
// and what measures the workloads of others, and the generator that says which
// rows package tensor offers in a form of its own.
var namesOps = []string{"kernels", "device/devicetest", "bench", "internal/gen/tensorgen"}

// TestOpsAreListedInTheTableOnly reads all hand-written files outside package
// kernels. None may name many operations, by constant or by name.
func TestOpsAreListedInTheTableOnly(t *testing.T) {
	constants := constantsOfRows(t)
	files := 0
	for _, p := range load(t) {
		for _, f := range p.Files {
			if slices.Contains(namesOps, p.Path) || f.Test || f.Generated {
				continue
			}
			files++
			if ops := opsNamed(t, filepath.Join("..", "..", p.Path, f.Name), constants); len(ops) > maxOps {
				t.Errorf("%s/%s names %d operations: %v; derive them from kernels.Ops and Op.Row", p.Path, f.Name, len(ops), ops)
			}
		}
	}
	if files < 50 || len(constants) < 100 {
		t.Errorf("%d files and %d operations were read", files, len(constants))
	}
}

// constantsOfRows returns the names of the rows and of their constants, which
// are the keys of the families' tables.
func constantsOfRows(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "kernels", "optab_*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, op := range kernels.Ops() {
		names[op.String()] = op.String()
	}
	for _, path := range paths {
		file := parse(t, path)
		ast.Inspect(file, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok && ast.IsExported(key.Name) {
					if row, ok := kv.Value.(*ast.CompositeLit); ok && row.Type == nil {
						names["kernels."+key.Name] = rowName(row)
					}
				}
			}
			return true
		})
	}
	return names
}

// rowName returns the Name of a row's literal.
func rowName(row *ast.CompositeLit) string {
	for _, e := range row.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Name" {
				if name, ok := kv.Value.(*ast.BasicLit); ok {
					s, _ := strconv.Unquote(name.Value)
					return s
				}
			}
		}
	}
	return ""
}

func parse(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// opsNamed returns the operations that a file names, each once.
func opsNamed(t *testing.T, path string, names map[string]string) (ops []string) {
	t.Helper()
	ast.Inspect(parse(t, path), func(n ast.Node) bool {
		word := ""
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok {
				word = pkg.Name + "." + n.Sel.Name
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				word, _ = strconv.Unquote(n.Value)
			}
		}
		if op := names[word]; op != "" && !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
		return true
	})
	slices.Sort(ops)
	return ops
}
