package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/operand"
)

// vectorBytes is the width of an AVX2 register.
const vectorBytes = 32

// constant is a pattern of size bytes, repeated over a register in memory.
type constant struct {
	size int
	bits uint64
}

func (c constant) name() string { return fmt.Sprintf("c%d_%x", 8*c.size, c.bits) }

// mem returns the operand that reads c.
func (c constant) mem() operand.Mem { return operand.NewDataAddr(operand.NewStaticSymbol(c.name()), 0) }

// tailMask is a table of 32 bytes of ones and 32 of zeros: read so that it ends
// behind the ones, it masks the elements that are left.
const tailMask = "tail_mask"

// writeConsts writes the data of one file.
func writeConsts(b *strings.Builder, consts map[constant]bool, mask bool) {
	order := slices.SortedFunc(maps.Keys(consts), func(a, b constant) int { return strings.Compare(a.name(), b.name()) })
	for _, c := range order {
		word := c.bits
		for w := c.size; w < 8; w *= 2 {
			word |= word << (8 * w)
		}
		writeData(b, c.name(), word, word, word, word)
	}
	if mask {
		ones := ^uint64(0)
		writeData(b, tailMask, ones, ones, ones, ones, 0, 0, 0, 0)
	}
}

func writeData(b *strings.Builder, name string, words ...uint64) {
	for i, w := range words {
		fmt.Fprintf(b, "DATA %s<>+%d(SB)/8, $0x%016x\n", name, 8*i, w)
	}
	fmt.Fprintf(b, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n\n", name, 8*len(words))
}
