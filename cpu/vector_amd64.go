//go:build !noasm

package cpu

import "golang.org/x/sys/cpu"

// vectorSets are the instruction sets that have loops, each after those that
// it implies.
var vectorSets = []vectorSet{
	{"avx2", cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasF16C, avx2Loops, avx2Halves, streamer{stream_avx2, fence_avx2}, avx2Moves, avx2Reduces},
}
