package devicetest

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stride0/stride0/device"
)

var full = flag.Bool("full", os.Getenv("STRIDE0_FULL") == "1", "devicetest: every operation in every form")

// Run tests dev against the contract of device.Device, the oracle and the
// abilities it has. It leaves dev open and with no more live buffers than it
// had. What the device declines with ErrUnsupported is logged; a device of
// HostKind must support everything.
func Run(t *testing.T, dev device.Device) {
	t.Helper()
	s := &suite{dev: dev, full: *full, declined: map[string]bool{}}
	if _, late := dev.(interface{ late() }); late {
		s.thin = 8 // another device computes: what matters is when
	}
	if testing.Short() {
		s.thin = 40
	}
	checks, err := s.checks()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(s); err != nil {
				t.Error(err)
			}
		})
	}
	if len(s.declined) == 0 {
		return
	}
	list := strings.Join(slices.Sorted(maps.Keys(s.declined)), ", ")
	if dev.Info().Kind == device.HostKind {
		t.Errorf("%s does not support %s", dev.Info().Name, list)
	}
	t.Logf("%s does not support %s", dev.Info().Name, list)
}

// check is one test of a device. It reports what is wrong as an error, so that
// devicetest can be tested itself.
type check struct {
	name string
	run  func(s *suite) error
}

// suite is the state of testing one device.
type suite struct {
	dev      device.Device
	full     bool
	thin     int             // above 1, and unless full, one in so many applications is tested, and those of formOps
	declined map[string]bool // names of what the device does not support
}

// thinned returns one in s.thin applications, and those of formOps.
func (s *suite) thinned(apps []application) []application {
	kept := make([]application, 0, len(apps))
	for i, a := range apps {
		if i%s.thin == 0 || slices.Contains(s.formOps(), a.name) {
			kept = append(kept, a)
		}
	}
	return kept
}

// checks returns all tests of the device, the destructive one last.
func (s *suite) checks() ([]check, error) {
	apps, err := applications()
	if err != nil {
		return nil, err
	}
	if s.thin > 1 && !s.full {
		apps = s.thinned(apps)
	}
	return slices.Concat(
		contractChecks(),
		orderChecks(),
		s.opChecks(apps),
		s.formChecks(apps),
		programChecks(),
		bigChecks(),
		s.pieceChecks(apps),
		s.matMulChecks(),
		s.gatherChecks(),
		s.scanChecks(),
		s.sortChecks(),
		[]check{{"close while busy", (*suite).checkCloseBusy}},
	), nil
}

// try runs a case. Where the device declines it, the name is noted and there
// are no results.
func (s *suite) try(name string, c *launchCase) ([][]uint64, error) {
	got, err := c.run(s.dev)
	if errors.Is(err, device.ErrUnsupported) {
		s.declined[name] = true
		return nil, nil
	}
	return got, err
}

// collector joins the first few errors of a check.
type collector struct {
	errs    []error
	dropped int
}

const reported = 3

func (c *collector) add(err error) {
	switch {
	case err == nil:
	case len(c.errs) < reported:
		c.errs = append(c.errs, err)
	default:
		c.dropped++
	}
}

func (c *collector) err() error {
	if c.dropped > 0 {
		c.errs = append(c.errs, fmt.Errorf("and %d more", c.dropped))
	}
	return errors.Join(c.errs...)
}
