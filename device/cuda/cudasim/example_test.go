package cudasim_test

import (
	"fmt"
	"testing"

	"github.com/stride0/stride0/device/cuda/cudasim"
)

// A test opens the library at Path in place of libcuda.so.1 and asks, when it
// is done, what kernels did wrong.
func Example() {
	test := func(t *testing.T) {
		sim := cudasim.Open(t)
		t.Setenv("STRIDE0_CUDA_LIBRARY", sim.Path())
		if reports := sim.Reports(); reports != "" {
			t.Error(reports)
		}
	}
	fmt.Println(test != nil)
	// Output: true
}
