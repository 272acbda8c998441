package archtest

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// good returns a module of two packages that keeps every rule.
func good() ([]Package, []Rule) {
	packages := []Package{
		{Path: "low", Files: []File{
			{Name: "doc.go", Lines: 10},
			{Name: "low.go", Lines: MaxLines, Longest: Func{"low", MaxFuncLines}, Imports: []string{"fmt", "math/big"}},
			{Name: "low_test.go", Test: true, Example: true, Imports: []string{Module + "/high", "github.com/x/y"}},
			{Name: "zlow.go", Lines: MaxGeneratedLines, Generated: true},
		}},
		{Path: "high", Files: []File{
			{Name: "doc.go", Lines: 10},
			{Name: "high.go", Imports: []string{Module + "/low", "gonum.org/v1/gonum/blas"}},
			{Name: "high_test.go", Test: true, Example: true},
		}},
	}
	return packages, []Rule{{Package: "low"}, {Package: "high", Imports: []string{"low"}, External: []string{"gonum.org/v1/gonum"}}}
}

// load loads the module. It opens every folder first, because go test may
// reuse an earlier result unless a file or folder changed that the test itself
// opened; what go list opens does not count.
func load(t *testing.T) []Package {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.Name() == ".git" {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	packages, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

func TestModuleKeepsTheRules(t *testing.T) {
	packages := load(t)
	for _, violation := range Check(packages, Rules) {
		t.Error(violation)
	}
}

func TestLoadSeesTheModule(t *testing.T) {
	packages := load(t)
	i := slices.IndexFunc(packages, func(p Package) bool { return p.Path == "internal/archtest" })
	if i < 0 {
		t.Fatal("this package is not among the packages")
	}
	j := slices.IndexFunc(packages[i].Files, func(f File) bool { return f.Name == "archtest_test.go" })
	if j < 0 {
		t.Fatal("this file is not among the files")
	}
	f := packages[i].Files[j]
	if !f.Test || !f.Example || f.Generated || f.Lines < 100 || !slices.Contains(f.Imports, "testing") ||
		f.Longest.Name != "TestCheckFinds" || f.Longest.Lines < 50 {
		t.Errorf("this file is loaded as %+v", f)
	}
}

func TestCheckFinds(t *testing.T) {
	low := func(p []Package, name string) *File {
		i := slices.IndexFunc(p[0].Files, func(f File) bool { return f.Name == name })
		return &p[0].Files[i]
	}
	tests := []struct {
		name  string
		spoil func(p []Package, r []Rule) ([]Package, []Rule)
		want  string // in the one violation; empty: none
	}{
		{"nothing_in_good_module", func(p []Package, r []Rule) ([]Package, []Rule) { return p, r }, ""},
		{"import_upwards", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "low.go").Imports = []string{Module + "/high"}
			return p, r
		}, "low/low.go must not import " + Module + "/high"},
		{"import_of_root", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "low.go").Imports = []string{Module}
			return p, r
		}, "low/low.go must not import " + Module},
		{"import_from_elsewhere", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "low.go").Imports = []string{"gonum.org/v1/gonum/blas"}
			return p, r
		}, "low/low.go must not import gonum"},
		{"import_of_module_with_longer_name", func(p []Package, r []Rule) ([]Package, []Rule) {
			p[1].Files[1].Imports = []string{"gonum.org/v1/gonumber"}
			return p, r
		}, "high/high.go must not import gonum.org/v1/gonumber"},
		{"hand_written_file_too_long", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "low_test.go").Lines = MaxLines + 1
			return p, r
		}, "low/low_test.go has 351 lines"},
		{"function_too_long", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "low.go").Longest = Func{"long", MaxFuncLines + 1}
			return p, r
		}, "low/low.go has a function long of 51 lines"},
		{"long_functions_of_tests_and_generators", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "low_test.go").Longest = Func{"TestLong", MaxFuncLines + 1}
			low(p, "zlow.go").Longest = Func{"long", MaxFuncLines + 1}
			return p, r
		}, ""},
		{"generated_file_too_long", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "zlow.go").Lines = MaxGeneratedLines + 1
			return p, r
		}, "low/zlow.go has 2001 lines"},
		{"generated_file_named_otherwise", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "low.go").Generated = true
			return p, r
		}, "low/low.go is named or marked as generated, but not both"},
		{"z_file_without_mark", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "zlow.go").Generated, low(p, "zlow.go").Lines = false, 1
			return p, r
		}, "low/zlow.go is named or marked as generated, but not both"},
		{"generated_code_beside_the_table", func(p []Package, r []Rule) ([]Package, []Rule) {
			p[0].Path, r[0].Package, p[1].Files[1].Imports = "kernels", "kernels", nil
			return p, r
		}, "kernels/zlow.go is generated"},
		{"no_doc", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "doc.go").Name = "low_doc.go"
			return p, r
		}, `package "low" has no doc.go`},
		{"no_example", func(p []Package, r []Rule) ([]Package, []Rule) {
			low(p, "low_test.go").Example = false
			return p, r
		}, `package "low" has no Example test`},
		{"command_without_example", func(p []Package, r []Rule) ([]Package, []Rule) {
			p[0].Name, low(p, "low_test.go").Example = "main", false
			return p, r
		}, `package "low" has no Example test`},
		{"generator_without_example", func(p []Package, r []Rule) ([]Package, []Rule) {
			p[0].Path, r[0].Package, p[1].Files[1].Imports = "internal/gen", "internal/gen", nil
			p[0].Name, low(p, "low_test.go").Example = "main", false
			return p, r
		}, ""},
		{"package_without_rule", func(p []Package, r []Rule) ([]Package, []Rule) { return p, r[:1] }, `package "high" has no rule`},
		{"rule_before_its_package", func(p []Package, r []Rule) ([]Package, []Rule) { return p[:1], r }, ""},
		{"two_rules", func(p []Package, r []Rule) ([]Package, []Rule) { return p, append(r, r[0]) }, `two rules for "low"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Check(test.spoil(good()))
			if test.want == "" && len(got) != 0 || test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)) {
				t.Errorf("violations %q, want one with %q", got, test.want)
			}
		})
	}
}

// TestRulesGoUp proves that the import table has no cycle: every package
// imports only packages whose rules come earlier.
func TestRulesGoUp(t *testing.T) {
	earlier := map[string]bool{}
	for _, r := range Rules {
		for _, imported := range r.Imports {
			if !earlier[imported] {
				t.Errorf("%s may import %s, whose rule comes later or not at all", r.Package, imported)
			}
			if strings.HasSuffix(imported, "devicetest") {
				t.Errorf("%s may import devicetest; only tests may", r.Package)
			}
		}
		earlier[r.Package] = true
	}
}

func ExampleCheck() {
	packages := []Package{{Path: "dtype", Files: []File{
		{Name: "doc.go"},
		{Name: "dtype.go", Imports: []string{"fmt", Module + "/tensor"}},
		{Name: "dtype_test.go", Test: true, Example: true},
	}}}
	for _, violation := range Check(packages, []Rule{{Package: "dtype"}}) {
		fmt.Println(violation)
	}
	// Output:
	// dtype/dtype.go must not import github.com/stride0/stride0/tensor; move the code, or change the design and rules.go
}
