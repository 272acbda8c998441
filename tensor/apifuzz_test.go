package tensor_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	_ "github.com/stride0/stride0/device/opencl"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// The files apifuzz_*_test.go call everything that package tensor offers, in
// any order, on tensors of any shape, layout and dtype, and hold what comes
// back against a model of their own: player chooses the calls, twin is the
// model, rowCall and evaluator say what an operation gives.

func init() { devicetest.RegisterLagging() }

// FuzzCalls is the same for the fuzzer of package testing, on the CPU.
func FuzzCalls(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(randomScript(rand.New(rand.NewPCG(seed, 1))))
	}
	dev := devicetest.Open(f, "cpu")
	f.Fuzz(func(t *testing.T, script []byte) {
		if err := play(script, dev, newTotals()); err != nil {
			t.Fatal(err)
		}
	})
}

// TestRandomCalls makes random calls on every kind of device. STRIDE0_CALLS
// says how many there shall be at least on each, STRIDE0_SEED where to start.
func TestRandomCalls(t *testing.T) {
	for _, d := range []struct {
		name        string
		calls, full int
	}{{"cpu", 20_000, 2_000_000}, {"lagging", 4_000, 200_000}, {"opencl:0", 200, 20_000}} {
		t.Run(strings.TrimSuffix(d.name, ":0"), func(t *testing.T) {
			n := d.calls
			if os.Getenv("STRIDE0_FULL") == "1" {
				n = d.full
			}
			randomCalls(t, devicetest.Open(t, d.name), number("STRIDE0_CALLS", n))
		})
	}
}

// number reads a number from the environment.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

func randomScript(rng *rand.Rand) []byte {
	script := make([]byte, 60+rng.IntN(600))
	for i := range script {
		script[i] = byte(rng.Uint32())
	}
	return script
}

func randomCalls(t *testing.T, dev device.Device, n int) *player {
	t.Helper()
	totals, start, said := newTotals(), time.Now(), time.Now()
	seed := uint64(number("STRIDE0_SEED", 0))
	for ; totals.calls < n; seed++ {
		if err := play(randomScript(rand.New(rand.NewPCG(seed, 0xca11))), dev, totals); err != nil {
			t.Errorf("after %d calls, seed %d: %v", totals.calls, seed, err)
			break
		}
		if time.Since(said) > time.Minute {
			said = time.Now()
			t.Logf("%s: %d calls so far, seed %d", dev.Info().Name, totals.calls, seed)
		}
	}
	t.Logf("%s: %d calls of %d functions and methods in %v, to seed %d", dev.Info().Name, totals.calls, len(totals.counts), time.Since(start).Round(time.Millisecond), seed)
	return totals
}

// notCalled are the methods of Tensor that no call of a player names, and why.
var notCalled = map[string]string{
	"DType":        "compared after every call (checkFacts)",
	"Device":       "compared after every call",
	"Dim":          "compared after every call",
	"Err":          "compared after every call",
	"IsContiguous": "compared after every call",
	"Rank":         "compared after every call",
	"Shape":        "compared after every call",
	"Size":         "compared after every call",
	"Format":       "called through fmt (print)",
}

// TestCallsReachEverything: a player calls every method of Tensor, every row
// and every dtype; a new one joins by itself or must be added.
func TestCallsReachEverything(t *testing.T) {
	totals := randomCalls(t, devicetest.Open(t, "cpu"), 60_000)
	for i := range tensorType.NumMethod() {
		name := tensorType.Method(i).Name
		if _, not := notCalled[name]; not == (totals.counts[name] > 0) {
			t.Errorf("method %s: called %d times, listed as not called: %v", name, totals.counts[name], not)
		}
	}
	for name := range notCalled {
		if _, ok := tensorType.MethodByName(name); !ok {
			t.Errorf("there is no method %s", name)
		}
	}
	for _, op := range kernels.Ops() {
		if totals.ops[op] == 0 {
			t.Errorf("row %v was never called", op)
		}
	}
	for _, d := range dtype.All() {
		if totals.dtypes[d] == 0 {
			t.Errorf("no tensor was of dtype %v", d)
		}
	}
}
