package nvrtc_test

import (
	"fmt"

	"github.com/stride0/stride0/internal/nvrtc"
)

// A program that can do without the compiler looks for it and goes on.
func Example() {
	c, err := nvrtc.Open(nvrtc.Libraries...)
	if err != nil {
		c = nil // err says which libraries were looked for
	}
	fmt.Println((c == nil) == (err != nil))
	// Output: true
}
