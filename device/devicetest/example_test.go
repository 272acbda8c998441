package devicetest_test

import (
	"errors"
	"fmt"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
)

// A test of how a program meets the end of memory.
func ExampleLagging() {
	dev := devicetest.Lagging(cpu.Default(), devicetest.LagOptions{FailAlloc: 2})
	fmt.Println(dev.Info().Name)

	first, err := dev.Alloc(1024)
	fmt.Println(err)
	_, err = dev.Alloc(1024)
	fmt.Println(errors.Is(err, device.ErrOutOfMemory))

	fmt.Println(errors.Is(dev.Close(), device.ErrBusy))
	first.Free()
	fmt.Println(dev.Close())
	// Output:
	// lagging(cpu)
	// <nil>
	// true
	// true
	// <nil>
}
