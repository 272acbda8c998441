package main

import (
	"fmt"

	"github.com/stride0/stride0/cpu"
)

// Two grey pixels, 10 and 30, have the mean 20 and the spread 10: they become
// 128 - 64 and 128 + 64, and then a quarter redder and a quarter less blue.
func Example() {
	pixels := []uint8{
		10, 10, 10, 255,
		30, 30, 30, 99,
	}
	for _, l := range layouts {
		warmed, err := developRGBA(cpu.Default(), pixels, 1, 2, l, 0.25)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(l.name, warmed[:4], warmed[4:])
	}
	// Output:
	// nhwc [80 64 48 255] [240 192 144 99]
	// nchw [80 64 48 255] [240 192 144 99]
}
