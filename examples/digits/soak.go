package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/stride0/stride0/device"
)

const (
	warmUp    = 1000 // steps after which memory should grow no more
	maxGrowth = 5    // percent; below it a difference is the collector's timing
	lines     = 10   // of progress
)

// soak trains for the given number of steps, in whole epochs, and compares the
// memory in use with that after the warm-up. Growth is an error: nothing here
// frees a tensor, so that would be a leak of the library.
func soak(w io.Writer, t *trainer, steps int) error {
	var first, last usage
	for line := 0; line <= lines; line++ {
		if err := t.trainUntil(warmUp + (steps-warmUp)*line/lines); err != nil {
			return err
		}
		var err error
		if last, err = measure(t.dev); err != nil {
			return err
		}
		if line == 0 {
			first = last
		}
		fmt.Fprintf(w, "step %6d  resident %8s (%+.1f %%)  live %8s (%+.1f %%)\n", t.steps,
			device.Bytes(last.resident), growth(first.resident, last.resident),
			device.Bytes(last.live), growth(first.live, last.live))
	}
	return errors.Join(check("resident", first.resident, last.resident), check("live", first.live, last.live))
}

// trainUntil trains whole epochs until the trainer has made that many steps.
func (t *trainer) trainUntil(steps int) error {
	for t.steps < steps {
		if _, err := t.epoch(); err != nil {
			return err
		}
	}
	return nil
}

// growth returns by how many percent last is more than first.
func growth(first, last int64) float64 {
	if first == 0 {
		return 0
	}
	return 100 * (float64(last)/float64(first) - 1)
}

// scratch bounds what a core keeps for its work, in bytes. It gets that when it
// first helps, which may be after the warm-up, and then no more. The pages of
// code and of half-used heap that come and go are fewer.
const scratch = 512 << 10

// check returns an error if memory grew by maxGrowth percent or more, and by
// more than the scratch of every core.
func check(what string, first, last int64) error {
	if growth(first, last) < maxGrowth || last-first <= scratch*int64(runtime.GOMAXPROCS(0)) {
		return nil
	}
	return fmt.Errorf("%s memory grew from %s to %s", what, device.Bytes(first), device.Bytes(last))
}

// usage is the memory of the process at one moment, in bytes, without what the
// Go heap and the device's pool keep for reuse: how much that is depends on when
// garbage was collected last, and so on what else the machine does.
type usage struct {
	resident int64 // as the system counts it; 0 where it does not say
	live     int64 // on the Go heap and in the device's pool
}

// measure returns what is in use once garbage is collected. The cleanups that
// give buffers back to the pool run some time after a collection, so it
// collects until nothing more comes back.
func measure(dev device.Device) (usage, error) {
	if err := dev.Sync(); err != nil {
		return usage{}, err
	}
	best := int64(math.MaxInt64)
	for {
		debug.FreeOSMemory()
		time.Sleep(time.Millisecond)
		device.Trim(dev)
		var heap runtime.MemStats
		runtime.ReadMemStats(&heap)
		live := int64(heap.HeapAlloc)
		if device.PoolMode() != device.ModeHeap { // else the pool's memory is on the Go heap
			live += device.Stats(dev).Pool.Live
		}
		if live >= best {
			return usage{resident(), best}, nil
		}
		best = live
	}
}

// resident returns the memory that the process occupies, where /proc tells.
func resident() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kB, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.ParseInt(kB, 10, 64)
	if err != nil {
		return 0
	}
	return n * 1024
}
