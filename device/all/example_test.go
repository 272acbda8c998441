package all_test

import (
	"fmt"
	"strings"

	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/all"
)

// Importing the package adds its drivers to what List tells about, whether or
// not they find a device here.
func Example() {
	found := false
	for _, l := range device.List() {
		found = found || strings.HasPrefix(l.Name, "opencl")
	}
	fmt.Println(found)
	// Output: true
}
