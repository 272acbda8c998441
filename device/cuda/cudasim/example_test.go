package cudasim_test

import (
	"testing"

	"github.com/stride0/stride0/device/cuda/cudasim"
	"github.com/stride0/stride0/internal/dl"
)

// A test opens the simulator in place of the driver, and looks at the end for
// what went wrong on the device.
func Example() {
	_ = func(t *testing.T) {
		sim := cudasim.Open(t)
		if err := sim.Set("devices", "2"); err != nil {
			t.Fatal(err)
		}
		driver, err := dl.Open(sim.Path()) // instead of libcuda.so.1
		if err != nil {
			t.Fatal(err)
		}
		_ = driver // ... bind cuInit and the rest, run kernels ...
		if reports := sim.Reports(); reports != "" {
			t.Error(reports)
		}
		if leaks := sim.Leaks(); leaks != "" {
			t.Error(leaks)
		}
	}
}
