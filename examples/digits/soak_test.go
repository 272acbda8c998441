//go:build !race

// The race detector's own memory grows with the work that it watches.

package main

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// TestMemoryStaysFlat is the soak of -steps: short here, 100,000 steps with
// STRIDE0_FULL=1.
func TestMemoryStaysFlat(t *testing.T) {
	steps := 3 * warmUp
	if full() {
		steps = 100 * warmUp
	}
	train, _ := load(t)
	var report bytes.Buffer
	if err := soak(&report, newTrainer(open(t), train, 32, 1), steps); err != nil {
		t.Errorf("%v\n%s", err, report.String())
	}
}

func TestMeasureSeesATensor(t *testing.T) {
	const size = 50_000_000
	dev := open(t)
	before, err := measure(dev)
	if err != nil {
		t.Fatal(err)
	}
	x := tensor.Ones(dtype.Float32, size/4)
	with, err := measure(dev)
	if err != nil {
		t.Fatal(err)
	}
	if grown := with.live - before.live; grown < size || grown > size*3/2 {
		t.Errorf("a tensor of %d bytes shows as %d live ones", size, grown)
	}
	if runtime.GOOS == "linux" && with.resident < size {
		t.Errorf("a tensor of %d bytes is in a process of %d", size, with.resident)
	}
	runtime.KeepAlive(x)
	after, err := measure(dev)
	if err != nil {
		t.Fatal(err)
	}
	if left := after.live - before.live; left > size/10 {
		t.Errorf("a dropped tensor leaves %d live bytes", left)
	}
}

func TestCheckFindsGrowth(t *testing.T) {
	const first = 1 << 40
	tests := []struct {
		name        string
		first, last int64
		grew        bool
	}{
		{"same", first, first, false},
		{"less", first, first / 2, false},
		{"just_below_the_limit", first, first/100*105 - 1, false},
		{"above_the_limit", first, first/100*105 + 100, true},
		{"twice", first, 2 * first, true},
		{"twice_of_little", scratch / 2, scratch, false},
		{"system_does_not_say", 0, 0, false},
	}
	for _, test := range tests {
		if err := check("live", test.first, test.last); (err != nil) != test.grew {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
