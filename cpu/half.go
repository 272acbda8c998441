package cpu

import (
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// halfRow is a Program that is one row of operands of a half type, each widened
// to float32, and of a result rounded to that type: what package kernels makes
// of arithmetic with halves. It has the steps of any other Program, but where
// an instruction set has a loop for all of them at once, a rowJob takes that.
type halfRow struct {
	op   kernels.Op
	kind int // halfKind of the type
	args [3]kernels.Value
	n    int // of args; 0 for a Program that is none
}

// halfKind numbers the half types.
func halfKind(d dtype.DType) int {
	if d == dtype.Float16 {
		return 0
	}
	return 1
}

// halfLoops are the loops of rows of halves, by halfKind; nil for none.
var halfLoops [kernels.OpLimit][2]*vectorLoops

// findHalf returns the halfRow that p is.
func findHalf(p *kernels.Program) (h halfRow) {
	if len(p.Outputs) != 1 {
		return halfRow{}
	}
	last := &p.Instrs[p.Outputs[0]]
	if last.Op != kernels.Cast || !last.Type.IsHalf() {
		return halfRow{}
	}
	row := &p.Instrs[last.Args[0]]
	if row.Type != dtype.Float32 || int(row.Op) >= kernels.OpLimit || row.NArg == 0 {
		return halfRow{}
	}
	h = halfRow{op: row.Op, kind: halfKind(last.Type), n: int(row.NArg)}
	for k, v := range row.Args[:row.NArg] {
		arg := &p.Instrs[v]
		if arg.Op != kernels.Cast || p.TypeOf(arg.Args[0]) != last.Type {
			return halfRow{}
		}
		h.args[k] = arg.Args[0]
		if from := p.Instrs[h.args[k]].Op; from != kernels.OpInput && from != kernels.OpScalar {
			return halfRow{}
		}
	}
	return h
}
