package kernels

import (
	"fmt"
	"math/bits"
)

// Stage says which end of a reduction's tree a kernel works at. Element-wise
// forms have stage 0 only.
type Stage uint8

// The bits of a Stage.
const (
	FromStates Stage = 1 << iota // reduces states in scratch, not elements
	ToStates                     // yields states into scratch, not outputs
)

// Stages returns the stages that kernels of l may have, in the order in which a
// long reduction runs them after the one that does a short one.
func (l *Lowered) Stages() []Stage {
	if l.Reduce == nil {
		return []Stage{0}
	}
	return []Stage{0, ToStates, FromStates | ToStates, FromStates}
}

// stageNames end the names of kernels.
var stageNames = [...]string{0: "", ToStates: "_part", FromStates | ToStates: "_fold", FromStates: "_last"}

// KernelName returns the name of a kernel of p: operations, the dtype they
// compute in, the form, the stage: "add_float32_nd3", "sum_float32_rows_part".
func KernelName(p *Program, f Form, s Stage) string {
	return KernelGroup(p) + "_" + f.String() + stageNames[s]
}

// KernelGroup returns what the names of all kernels of p begin with: operations
// and the dtype they compute in, "add_float32".
func KernelGroup(p *Program) string {
	name, kept := "", 0
	var last Instr
	for _, in := range p.Instrs {
		if in.NArg == 0 {
			continue
		}
		last = in
		if kept++; kept <= 4 {
			name += in.Op.String() + "_"
		}
	}
	if kept > 4 {
		name += fmt.Sprintf("and%d_", kept-4)
	}
	name += p.Instrs[last.Args[last.NArg-1]].Type.String()
	if last.Op == Cast {
		name += "_" + last.Type.String()
	}
	return name
}

// Divisor returns the numbers with which a kernel divides n < 2³¹ by d,
// 0 < d < 2³¹: n / d = (mulhi(n, mul) + n) >> shift. It is the round-up
// method of Granlund and Montgomery, "Division by Invariant Integers using
// Multiplication" (1994), section 4, for 32 bits: shift = ⌈log₂ d⌉,
// mul = ⌊2³²(2^shift - d)/d⌋ + 1. The sum cannot wrap since n has 31 bits.
func Divisor(d uint32) (mul, shift uint32) {
	shift = uint32(bits.Len32(d - 1))
	return uint32((uint64(1)<<shift-uint64(d))<<32/uint64(d)) + 1, shift
}
