package cpu_test

import (
	"fmt"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device/devicetest"
)

func TestContract(t *testing.T) { devicetest.Run(t, cpu.Default()) }

func TestPrintsAsItsName(t *testing.T) {
	for _, format := range []string{"%v", "%+v", "%s"} {
		if got := fmt.Sprintf(format, cpu.Default()); got != "cpu" {
			t.Errorf("%s prints %q", format, got)
		}
	}
}
