package tensortest

import (
	"fmt"
	"runtime"
	"time"

	"github.com/stride0/stride0/device"
)

// TB is what CheckLeaks needs of a *testing.T or *testing.B.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
}

// patience is how long a buffer that is garbage may take to come back; tests of
// leaks, which wait all of it, lower it.
var patience = 2 * time.Second

// CheckLeaks makes the test fail if more memory of a device is live when it
// ends, and everything unreachable has been collected, than is live now. Call
// it first: what the test registers with Cleanup later runs before the check.
//
// It counts what Stats calls live. Tensors of at most a kilobyte on the CPU are
// not in it: they are ordinary Go memory. No other test may use the devices
// meanwhile, so neither it nor the test may be parallel.
func CheckLeaks(t TB, devices ...device.Device) {
	t.Helper()
	if len(devices) == 0 {
		t.Errorf("tensortest: no device to watch; name those that the test uses")
	}
	for _, d := range devices {
		if _, ok := d.(device.PoolReporter); !ok {
			t.Errorf("tensortest: %s does not tell how much of its memory is live", d.Info().Name)
			continue
		}
		before := live(d, func(device.PoolStats) bool { return false }, patience/40)
		t.Cleanup(func() {
			t.Helper()
			after := live(d, func(s device.PoolStats) bool { return s.Live <= before.Live }, patience)
			if after.Live > before.Live {
				t.Errorf("%s", report(d, before, after))
			}
		})
	}
}

// report describes a leak.
func report(d device.Device, before, after device.PoolStats) string {
	return fmt.Sprintf("tensortest: the test leaves %s more live on %s than it found: %s in %d blocks, before it %s in %d; "+
		"something still refers to the tensors: Free them, Close their Scope, or drop the map or goroutine that holds them",
		device.Bytes(after.Live-before.Live), d.Info().Name, device.Bytes(after.Live), after.Blocks, device.Bytes(before.Live), before.Blocks)
}

// live returns what is live on d once garbage has been collected: as soon as
// enough says so, else when nothing has come back for as long as patience.
// Collecting once is not enough: cleanups run beside the program, and what only
// an object with a finalizer refers to takes two collections.
func live(d device.Device, enough func(device.PoolStats) bool, patience time.Duration) device.PoolStats {
	_ = d.Sync() // frees may wait in the queue; a lost device has none
	least := device.Stats(d).Pool
	wait := time.Millisecond
	for since := time.Now(); ; {
		runtime.GC()
		time.Sleep(wait)
		wait = min(2*wait, patience/8)
		_ = d.Sync()
		switch s := device.Stats(d).Pool; {
		case enough(s):
			return s
		case s.Live < least.Live:
			least, since = s, time.Now()
		case time.Since(since) > patience:
			return s
		}
	}
}
