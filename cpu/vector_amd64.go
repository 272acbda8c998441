//go:build !noasm

package cpu

import "golang.org/x/sys/cpu"

// vectorSets are the instruction sets that have loops, each after those that
// it implies.
//
// In the set avx512 are no instructions of AVX-512, so far: it tells processors
// on which loops store past the cache faster than blocks are copied there.
var vectorSets = []vectorSet{
	{"avx2", hasAVX2, avx2Loops, avx2Halves, streamer{stream_avx2, fence_avx2, nil}, avx2Moves, avx2Reduces},
	{name: "avx512", usable: hasAVX2 && cpu.X86.HasAVX512F, past: streamer{stream_avx2, fence_avx2, avx2Past}},
}

var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasF16C
