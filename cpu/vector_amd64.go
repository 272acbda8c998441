//go:build !noasm

package cpu

import "golang.org/x/sys/cpu"

// vectorSets are the instruction sets that have loops, each after those that
// it implies.
var vectorSets = []vectorSet{
	{"avx2", cpu.X86.HasAVX2 && cpu.X86.HasFMA, avx2Loops, avx2Moves, avx2Reduces},
}
