package cpu_test

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// A launch adds a row to each row of a (2, 3) matrix.
func Example() {
	b := kernels.NewBuilder()
	sum, err := b.Apply(kernels.Add, kernels.Attr{}, b.Input(dtype.Float32), b.Input(dtype.Float32))
	if err != nil {
		fmt.Println(err)
		return
	}
	b.Output(sum)
	add, err := b.Program()
	if err != nil {
		fmt.Println(err)
		return
	}

	matrix, row := broadcast.RowMajor(broadcast.Shape{2, 3}), broadcast.RowMajor(broadcast.Shape{3})
	var plan broadcast.Plan
	plan.Build(broadcast.Shape{2, 3}, 0, 0, 1, &matrix, &row, &matrix)

	x, y := floats(1, 2, 3, 4, 5, 6), floats(10, 20, 30)
	err = cpu.Default().Run(&device.Launch{
		Program: add, Plan: &plan, Label: "add",
		Inputs:  []device.Operand{{Buffer: cpu.NewBuffer(x)}, {Buffer: cpu.NewBuffer(y)}},
		Outputs: []device.Operand{{Buffer: cpu.NewBuffer(x)}}, // in place
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := 0; i < len(x); i += 4 {
		fmt.Print(math.Float32frombits(binary.NativeEndian.Uint32(x[i:])), " ")
	}
	// Output: 11 22 33 14 25 36
}

// floats returns the memory of float32 values.
func floats(v ...float32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.NativeEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
