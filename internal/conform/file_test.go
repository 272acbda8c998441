package conform

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stride0/stride0/cpu"
)

// write stores cases as a file of the form that Read takes.
func write(t *testing.T, cases any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cases.json.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	if err := json.NewEncoder(z).Encode(cases); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// bytesOf returns little-endian float32 numbers: 1, 2 and 3 as "123".
func bytesOf(digits string) []byte {
	var raw []byte
	for _, d := range digits {
		raw = append(raw, map[rune][]byte{'0': {0, 0, 0, 0}, '1': {0, 0, 0x80, 0x3f}, '2': {0, 0, 0, 0x40}, '3': {0, 0, 0x40, 0x40}}[d]...)
	}
	return raw
}

func f32(name, digits string, shape ...int) Value {
	return Value{Name: name, DType: "f32", Shape: shape, Raw: bytesOf(digits)}
}

// twice is the case x + x + c, with an input that is left out and a constant.
func twice() *Case {
	return &Case{Name: "twice", Op: "graph", Opset: map[string]int{"": 13},
		Nodes: []Node{
			{Op: "Add", In: []string{"x", "x"}, Out: []string{"y"}},
			{Op: "Sum", In: []string{"y", "c"}, Out: []string{"z"}},
			{Op: "Clip", In: []string{"z", "", "three"}, Out: []string{"out"}},
		},
		InNames: []string{"x"}, OutNames: []string{"out"},
		Initializers: []Value{f32("c", "1", 1), f32("three", "3")},
		Inputs:       []Value{f32("x", "012", 3)},
		Outputs:      []Value{f32("out", "133", 3)},
	}
}

func TestReadAndCheck(t *testing.T) {
	cases, err := Read(write(t, []*Case{twice()}))
	if err != nil || len(cases) != 1 {
		t.Fatal(cases, err)
	}
	if err := cases[0].Check(cpu.Default()); err != nil {
		t.Error(err)
	}
	cases[0].Outputs[0].Raw = bytesOf("132")
	if err := cases[0].Check(cpu.Default()); err == nil || !strings.Contains(err.Error(), "element 2 is 3, want 2") {
		t.Errorf("a wrong output: %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	short, unnamed := twice(), twice()
	short.Inputs[0].Raw = short.Inputs[0].Raw[1:]
	unnamed.OutNames = nil
	plain := filepath.Join(t.TempDir(), "plain.json.gz")
	if err := os.WriteFile(plain, []byte(strings.Repeat("[]", 20)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, part string }{
		"no such file":   {"none.json.gz", "none.json.gz"},
		"not compressed": {plain, "gzip"},
		"not a list":     {write(t, "cases"), "json"},
		"bytes missing":  {write(t, []*Case{short}), `twice: value "x", f32 of (3): 11 bytes, want 12`},
		"names missing":  {write(t, []*Case{unnamed}), "1 outputs for 0"},
	} {
		if _, err := Read(c.path); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v lacks %q", name, err, c.part)
		}
	}
}

// What cannot run says whether that is the fault of the case or of the tables.
func TestRunRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(c *Case)
		unsupported bool
		part        string
	}{
		"operator":         {func(c *Case) { c.Nodes[1].Op = "Convolve" }, true, "Convolve: no such operator"},
		"dtype":            {func(c *Case) { c.Inputs[0].DType = "c64" }, true, "no tensor holds c64"},
		"attribute":        {func(c *Case) { c.Nodes[2].Attrs = map[string]Attr{"min": {"graph", []byte(`"x"`)}} }, true, "Clip: attribute min is of type graph"},
		"further output":   {func(c *Case) { c.Nodes[0].Out = []string{"y", "more"} }, true, "Add: gives 1 outputs"},
		"input from none":  {func(c *Case) { c.Nodes[0].In[1] = "w" }, false, `Add: no node gives the input "w"`},
		"output from none": {func(c *Case) { c.OutNames[0] = "w" }, false, `no node gives the output "w"`},
		"failed operation": {func(c *Case) { c.Initializers[0] = f32("c", "12", 2) }, false, "Sum: add: cannot broadcast (3) with (2)"},
		"too few inputs":   {func(c *Case) { c.Nodes[0].In = []string{"x"} }, false, "Add: add: operand 2 of 2"},
	} {
		t.Run(name, func(t *testing.T) {
			k := twice()
			c.change(k)
			err := k.Check(cpu.Default())
			if _, u := err.(*UnsupportedError); err == nil || u != c.unsupported || !strings.Contains(err.Error(), c.part) {
				t.Errorf("%T %v, want unsupported %v and %q", err, err, c.unsupported, c.part)
			}
		})
	}
}
