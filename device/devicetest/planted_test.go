package devicetest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// planted lists bugs with the checks that must find them.
var planted = []struct{ bug, found string }{
	{"no name", "info"},
	{"accepts negative sizes", "alloc negative"},
	{"a Write ignores its offset", "write and read at offsets"},
	{"keeps the slice of a Write", "write takes a copy"},
	{"a Copy goes the wrong way", "copy"},
	{"clamps ranges", "out of bounds"},
	{"clamps ranges", "launch out of bounds"},
	{"buffers overlap", "buffers apart"},
	{"a second Free frees again", "free twice"},
	{"use after free", "use after free"},
	{"takes foreign buffers", "foreign buffers"},
	{"out of memory without a type", "out of memory"},
	{"ignores its limit", "limit"},
	{"forgets its first limit", "limit"},
	{"closes while busy", "close while busy"},
	{"a Write overtakes a launch", "order of writes, launches and copies"},
	{"a Read does not wait", "many goroutines"},
	{"keeps the Launch", "op neg"},
	{"writes one element beyond", "op add"},
	{"writes one element before", "op add"},
	{"writes the gaps", "forms neg_float32"},
	{"modifies an input", "op sub"},
	{"ignores the byte offset", "op neg"},
	{"ignores the layout's offset", "forms neg_float32"},
	{"swaps two strides", "forms sub_float64"},
	{"stretches nothing but scalars", "forms sub_float32"},
	{"swaps operands", "op sub"},
	{"swaps operands", "op lt"},
	{"drops NaN", "op maximum"},
	{"drops NaN", "op max"},
	{"flushes subnormals", "op copy"},
	{"clears the result first", "op neg"},
	{"repeats the first output", "program chain with three outputs"},
	{"swaps index axes", "program indices"},
	{"swaps index axes", "program sum beyond an index"},
	{"adds in order", "op sum"},
	{"adds in order", "forms sum_float64"},
	{"starts from the first element", "op sum"},
	{"skips the last element reduced", "forms sum_uint8_uint64"},
	{"takes the last of ties", "op argmax"},
	{"ignores where a piece starts", "pieces"},
	{"counts positions within a block", "forms argmax_float64_int64"},
}

func TestPlantedBugsAreFound(t *testing.T) {
	for _, p := range planted {
		t.Run(fmt.Sprintf("%s, by %s", p.bug, p.found), func(t *testing.T) {
			t.Parallel()
			if err := runCheck(t, newSim(p.bug), p.found); err == nil {
				t.Error("the check passes a device with this bug")
			} else if testing.Verbose() {
				t.Log(firstLine(err))
			}
		})
	}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// runCheck runs one check, found by name, on dev.
func runCheck(t *testing.T, dev *sim, name string) error {
	t.Helper()
	s := &suite{dev: dev, declined: map[string]bool{}}
	checks, err := s.checks()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if c.name == name {
			return c.run(s)
		}
	}
	t.Fatalf("there is no check %q", name)
	return nil
}

func TestSoundDevicePasses(t *testing.T) {
	if testing.Short() {
		t.Skip("a test of the tests, which is slow")
	}
	dev := newSim("")
	s := &suite{dev: dev, thin: 8, declined: map[string]bool{}}
	checks, err := s.checks()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if strings.HasSuffix(c.name, "2^20+1 float32") || strings.HasSuffix(c.name, "2^20+1") {
			continue // an interpreter takes too long
		}
		if err := c.run(s); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for range 100 {
		if runtime.GC(); dev.liveNow() == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("the checks leave %d buffers behind", dev.liveNow())
}

func TestDeclinedIsListed(t *testing.T) {
	if testing.Short() {
		t.Skip("a test of the tests, which is slow")
	}
	s := &suite{dev: newSim("supports nothing"), declined: map[string]bool{}}
	apps, err := applications()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range opChecks(apps) {
		if err := c.run(s); err != nil {
			t.Errorf("%s: a declined launch is a failure: %v", c.name, err)
		}
	}
	for _, a := range apps {
		if !s.declined[a.name] {
			t.Errorf("%s was declined and is not listed", a.name)
		}
	}
}
