package device

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Driver finds and opens devices of one family. The registry calls it only from
// Open and List, and never twice at a time to open the same device.
type Driver interface {
	// Name is the family as Open takes it: "cpu", "opencl".
	Name() string

	// List describes the devices there are. An error is ErrUnavailable and says
	// what was looked for: "no libOpenCL.so.1".
	List() ([]Info, error)

	// Open opens the device at an index of List. It embeds a Base, and its
	// Info's Name is "name:index", or just the name in a family that never has
	// a second device, as "cpu".
	Open(index int) (Device, error)
}

// Listing is a device that is there, or the reason why a driver has none.
type Listing struct {
	Name string // as Open takes it; only the driver's name when it has no device
	Info Info   // zero when Err is set
	Err  error
}

// registry holds the drivers and the handles that are open.
var registry struct {
	mu      sync.Mutex
	drivers map[string]Driver
	handles map[string]*handle // by "name:index"
}

// handle is the place of one device. Its lock serialises opening that device
// while others can be opened.
type handle struct {
	mu  sync.Mutex
	dev Device
}

// allDrivers is what a program imports to have every driver linked.
const allDrivers = `import _ "github.com/stride0/stride0/device/all"`

// Register makes a driver's devices known to Open and List. Packages of drivers
// call it from init. A driver replaces an earlier one of the same name, as
// tests need; devices opened through that stay open. It panics on a name that
// Open could not take.
func Register(d Driver) {
	name := d.Name()
	if name == "" || name == "best" || strings.Contains(name, ":") {
		panic(fmt.Sprintf("device: Register: %q cannot name a driver", name))
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if registry.drivers == nil {
		registry.drivers = make(map[string]Driver)
		registry.handles = make(map[string]*handle)
	}
	registry.drivers[name] = d
	for key := range registry.handles {
		if strings.HasPrefix(key, name+":") {
			delete(registry.handles, key)
		}
	}
}

// Open returns a device by name: "cpu", "opencl:1"; without an index the first
// one of the driver; "best" is the first CUDA device, else the first OpenCL
// device that is a GPU, else the CPU. It finds only drivers that are linked: import device/all for all of
// this module. While a device is open every Open returns the same handle; once
// it is closed or lost the next one makes a new handle, and closes a lost one.
//
// Errors: *Error with ErrUnavailable, which says what was looked for.
func Open(name string) (Device, error) {
	if name == "best" {
		return openBest()
	}
	family, number, indexed := strings.Cut(name, ":")
	index := 0
	if indexed {
		n, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			return nil, unavailable(name, fmt.Errorf(`%q is no index; write "%s:0"`, number, family))
		}
		index = int(n)
	}
	return openIndex(family, index)
}

// openIndex opens one device, or returns its open handle.
func openIndex(family string, index int) (Device, error) {
	key := family + ":" + strconv.Itoa(index)
	driver, h, err := lookUp(family, key)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dev != nil && baseOf(h.dev).Down() == nil {
		return h.dev, nil
	}
	if h.dev != nil {
		h.dev.Close() // a lost one lets go of what it has, such as a dead context, which the new one would share
		h.dev = nil
	}
	dev, err := driver.Open(index)
	if err != nil {
		return nil, unavailable(key, err)
	}
	if baseOf(dev) == nil {
		if dev != nil {
			dev.Close()
		}
		return nil, unavailable(key, fmt.Errorf("%T does not embed device.Base", dev))
	}
	h.dev = dev
	return dev, nil
}

// lookUp returns the driver of a family and the handle of a key.
func lookUp(family, key string) (Driver, *handle, error) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	driver := registry.drivers[family]
	if driver == nil {
		return nil, nil, unavailable(family, noDriver(family))
	}
	h := registry.handles[key]
	if h == nil {
		h = new(handle)
		registry.handles[key] = h
	}
	return driver, h, nil
}

// openBest tries the candidates in order of preference and, should none open,
// reports why each did not.
func openBest() (Device, error) {
	var reasons []error
	for _, c := range [...]struct {
		family string
		fits   func(Info) bool
	}{
		{"cuda", func(Info) bool { return true }},
		{"opencl", func(i Info) bool { return i.Kind == GPUKind }},
		{"cpu", func(Info) bool { return true }},
	} {
		for i, l := range listFamily(c.family) {
			if l.Err != nil {
				reasons = append(reasons, l.Err)
				continue
			}
			if !c.fits(l.Info) {
				continue
			}
			dev, err := openIndex(c.family, i)
			if err == nil {
				return dev, nil
			}
			reasons = append(reasons, err)
		}
	}
	return nil, unavailable("best", errors.Join(reasons...))
}

// List describes the devices of every registered driver, and for a driver
// without any the reason, sorted by name. Import device/all to have every
// driver of this module registered.
func List() []Listing {
	registry.mu.Lock()
	names := driverNames()
	registry.mu.Unlock()
	var all []Listing
	for _, name := range names {
		all = append(all, listFamily(name)...)
	}
	return all
}

// listFamily lists the devices of one driver in the order of their indices,
// then the reason why there are no more, if it gives one.
func listFamily(family string) []Listing {
	registry.mu.Lock()
	driver := registry.drivers[family]
	missing := noDriver(family)
	registry.mu.Unlock()
	if driver == nil {
		return []Listing{{Name: family, Err: unavailable(family, missing)}}
	}
	infos, err := driver.List()
	if err == nil && len(infos) == 0 {
		err = errors.New("the driver has no device")
	}
	var out []Listing
	for _, info := range infos {
		out = append(out, Listing{Name: info.Name, Info: info})
	}
	if err != nil {
		out = append(out, Listing{Name: family, Err: unavailable(family, err)})
	}
	return out
}

// driverNames returns the registered names, sorted. It needs registry.mu.
func driverNames() []string {
	var names []string
	for name := range registry.drivers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// noDriver says that no driver has a name, and which there are. The import is
// advised only while it would add one. It needs registry.mu.
func noDriver(family string) error {
	linked := registry.drivers["opencl"] != nil && registry.drivers["cuda"] != nil
	names := driverNames()
	switch {
	case family == "cpu" || family == "opencl" || family == "cuda":
		return fmt.Errorf("its driver is not linked; %s adds it", allDrivers)
	case len(names) == 0:
		return fmt.Errorf("no driver is linked; %s adds all", allDrivers)
	}
	text := fmt.Sprintf("%q is no driver; there are %s and best", family, strings.Join(names, ", "))
	if !linked {
		text += "; " + allDrivers + " adds more"
	}
	return errors.New(text)
}

// unavailable makes err an *Error of Open that is ErrUnavailable.
func unavailable(name string, err error) error {
	if e := (*Error)(nil); errors.As(err, &e) && errors.Is(err, ErrUnavailable) {
		return err
	}
	if !errors.Is(err, ErrUnavailable) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return &Error{Device: name, Call: "Open", Err: err}
}
