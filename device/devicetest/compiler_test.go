package devicetest

import (
	"slices"
	"strings"
	"testing"
)

// compilingSim is a sim whose kernels count as expensive.
type compilingSim struct{ *sim }

func (compilingSim) Compiles() {}

// compilerChecks returns what Run makes of a device that compiles.
func compilerChecks(t *testing.T, bug string) (*suite, []check) {
	t.Helper()
	s := &suite{dev: compilingSim{newSim(bug)}, declined: map[string]bool{}}
	checks, err := s.checks()
	if err != nil {
		t.Fatal(err)
	}
	return s, checks
}

// Every row at every dtype is in one batch, or tested apart.
func TestBatchesLeaveNothingOut(t *testing.T) {
	_, checks := compilerChecks(t, "")
	apps, err := applications()
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]int{}
	for _, c := range checks {
		if names, ok := strings.CutPrefix(c.name, "ops "); ok {
			for _, name := range strings.Fields(names) {
				tested[name]++
			}
		}
	}
	for _, a := range apps {
		apart := slices.ContainsFunc(checks, func(c check) bool { return c.name == "op "+a.row.Name })
		if n := tested[a.name]; n > 1 || (n == 1) == (apart && (a.reduces() || !a.whole)) {
			t.Errorf("%s is in %d batches", a.name, n)
		}
	}
}

// Batches of one Program find what is wrong with one of its operations.
func TestBatchesFindPlantedBugs(t *testing.T) {
	for bug, op := range map[string]string{
		"swaps operands":                  "sub_float32",
		"drops NaN":                       "maximum_float64",
		"flushes subnormals":              "copy_float32",
		"writes one element beyond":       "add_int32",
		"repeats the first output":        "cast_int64_int32",
		"starts from the first element":   "op sum",
		"takes the last of ties":          "op argmax",
		"skips the last element reduced":  "forms sum_uint8_uint64",
		"swaps two strides":               "forms sub_float64",
		"counts positions within a block": "forms argmax_float64_int64",
	} {
		t.Run(bug, func(t *testing.T) {
			s, checks := compilerChecks(t, bug)
			for _, c := range checks {
				if c.name == op || strings.HasPrefix(c.name, "ops ") && slices.Contains(strings.Fields(c.name), op) {
					if c.run(s) == nil {
						t.Errorf("%q passes a device with this bug", c.name)
					}
					return
				}
			}
			t.Fatalf("nothing checks %s", op)
		})
	}
}

// A device without one dtype is tested in the others, op by op.
func TestDeclinedBatchIsTakenApart(t *testing.T) {
	if testing.Short() {
		t.Skip("a test of the tests, which is slow")
	}
	s, checks := compilerChecks(t, "supports nothing")
	for _, c := range checks {
		if strings.HasPrefix(c.name, "ops ") {
			if err := c.run(s); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			for _, name := range strings.Fields(c.name)[1:] {
				if !s.declined[name] {
					t.Errorf("%s was declined and is not listed", name)
				}
			}
			if s.declined[strings.TrimPrefix(c.name, "ops ")] != (len(strings.Fields(c.name)) == 2) {
				t.Errorf("a batch is listed: %s", c.name)
			}
		}
	}
}

func TestSoundCompilerPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("a test of the tests, which is slow")
	}
	s := &suite{dev: compilingSim{newSim("")}, thin: 4, declined: map[string]bool{}}
	checks, err := s.checks()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if c.name == "in place" || strings.HasPrefix(c.name, "op") {
			if err := c.run(s); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}
