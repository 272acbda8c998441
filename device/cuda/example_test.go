package cuda_test

import (
	"errors"
	"fmt"

	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/cuda"
)

// A program that can do without the device says why it is not there and goes on.
func Example() {
	dev, err := device.Open("cuda:0")
	if errors.Is(err, device.ErrUnavailable) {
		dev, err = nil, nil // err says what was looked for
	}
	if err == nil && dev != nil {
		err = dev.Sync()
	}
	fmt.Println(err)
	// Output: <nil>
}
