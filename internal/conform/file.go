package conform

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"

	"github.com/stride0/stride0/broadcast"
)

// A Case is one test.
type Case struct {
	Name         string         `json:"name"`
	Op           string         `json:"op"`    // "graph" when there are several nodes
	Opset        map[string]int `json:"opset"` // version of the operators, under ""
	Nodes        []Node         `json:"nodes"` // in an order in which they can run
	InNames      []string       `json:"in_names"`
	OutNames     []string       `json:"out_names"`
	Initializers []Value        `json:"initializers"` // constants of the graph
	Inputs       []Value        `json:"inputs"`
	Outputs      []Value        `json:"outputs"` // what must come out, in the order of OutNames
}

// A Node applies an operator to named values. An empty name is an optional
// input that is left out, or an output that nobody wants.
type Node struct {
	Op    string          `json:"op"`
	In    []string        `json:"in"`
	Out   []string        `json:"out"`
	Attrs map[string]Attr `json:"attrs"`
}

// An Attr is an attribute of a Node. Type is int, ints, float, floats, string
// or tensor.
type Attr struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// A Value is a tensor as the file holds it.
type Value struct {
	Name  string `json:"name"`
	DType string `json:"dtype"` // "f32", see value.go
	Shape []int  `json:"shape"`
	Raw   []byte `json:"raw"` // the elements, little-endian, in row-major order
}

// Read returns the cases of a gzipped JSON file. Errors name the file and, for
// a damaged case, the case and the value.
func Read(path string) ([]*Case, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var cases []*Case
	if err := json.NewDecoder(z).Decode(&cases); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, c := range cases {
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, c.Name, err)
		}
	}
	return cases, nil
}

// check makes sure that the parts of c fit together.
func (c *Case) check() error {
	if len(c.Inputs) != len(c.InNames) || len(c.Outputs) != len(c.OutNames) {
		return fmt.Errorf("%d inputs for %d names, %d outputs for %d", len(c.Inputs), len(c.InNames), len(c.Outputs), len(c.OutNames))
	}
	for _, values := range [][]Value{c.Initializers, c.Inputs, c.Outputs} {
		for _, v := range values {
			if err := v.check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// check makes sure that v has the bytes of its elements. A dtype that no
// tensor holds passes: only the case that uses it is unsupported.
func (v Value) check() error {
	t, ok := elementTypes[v.DType]
	if !ok {
		return nil
	}
	shape := broadcast.Shape(v.Shape)
	size := t.dtype.Size()
	if err := shape.Check(size); err != nil {
		return fmt.Errorf("value %q: %w", v.Name, err)
	}
	if want := shape.Size() * size; len(v.Raw) != want {
		return fmt.Errorf("value %q, %s of %v: %d bytes, want %d", v.Name, v.DType, shape, len(v.Raw), want)
	}
	return nil
}
