package devicetest

import (
	"testing"
	"time"

	_ "github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
)

func TestCPU(t *testing.T) {
	dev, err := device.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	Run(t, dev)
}

func TestLaggingCPU(t *testing.T) {
	inner, err := device.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	dev := Lagging(inner, LagOptions{Delay: 20 * time.Microsecond, Seed: 7})
	Run(t, dev)
	if err := dev.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func TestRegisterLagging(t *testing.T) {
	RegisterLagging()
	dev, err := device.Open("lagging")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := device.Open("lagging:0"); err != nil || again != dev {
		t.Errorf("a second Open returned %v, %v, want the same handle", again, err)
	}
	if _, ok := dev.(device.MatMuler); !ok {
		t.Error("the lagging CPU does not multiply matrices, the CPU does")
	}
	if err := dev.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if again, err := device.Open("lagging"); err != nil || again == dev {
		t.Errorf("Open after Close returned %v, %v, want a new handle", again, err)
	}
}
