package conform_test

import (
	"fmt"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/internal/conform"
)

func ExampleCase_Check() {
	bools := func(name string, raw ...byte) conform.Value {
		return conform.Value{Name: name, DType: "bool", Shape: []int{len(raw)}, Raw: raw}
	}
	c := &conform.Case{
		Name: "less", Op: "Less", Opset: map[string]int{"": 13},
		Nodes:   []conform.Node{{Op: "Less", In: []string{"a", "b"}, Out: []string{"y"}}},
		InNames: []string{"a", "b"}, OutNames: []string{"y"},
		Inputs:  []conform.Value{bools("a", 0, 1), bools("b", 1, 1)},
		Outputs: []conform.Value{bools("y", 1, 1)},
	}
	fmt.Println(c.Check(cpu.Default()))
	// Output: y: element 1 is 00, want 01 (little-endian bytes)
}
