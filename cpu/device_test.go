package cpu_test

import (
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device/devicetest"
)

func TestContract(t *testing.T) { devicetest.Run(t, cpu.Default()) }
