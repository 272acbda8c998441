package devicetest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stride0/stride0/device"
)

// Open returns a device by its name, as device.Open does. Where there is none
// the test is skipped, but fails if STRIDE0_REQUIRE lists the driver.
func Open(t testing.TB, name string) device.Device {
	t.Helper()
	dev, err := device.Open(name)
	driver, _, _ := strings.Cut(name, ":")
	switch {
	case err == nil:
		return dev
	case Required(driver):
		t.Fatalf("STRIDE0_REQUIRE lists %s: %v", driver, err)
	}
	t.Skipf("needs %s: %v", name, err)
	return nil
}

// Required reports whether the environment variable STRIDE0_REQUIRE lists a
// word: what it lists must be there and be tested, however long that takes.
func Required(word string) bool {
	return slices.Contains(strings.Split(os.Getenv("STRIDE0_REQUIRE"), ","), word)
}
