package device

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestRegisterTouchesNoDriver(t *testing.T) {
	d := newDriver("toy", GPUKind)
	register(t, d)
	if d.lists.Load() != 0 || d.opens.Load() != 0 {
		t.Error("Register called List or Open")
	}
}

func TestRegisterRefusesNamesOpenCannotTake(t *testing.T) {
	register(t)
	for _, name := range []string{"", "best", "toy:0"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Register took the name %q", name)
				}
			}()
			Register(newDriver(name))
		}()
	}
}

func TestOpenByName(t *testing.T) {
	register(t, newDriver("cpu", HostKind), newDriver("opencl", CPUKind, GPUKind))
	for name, want := range map[string]string{
		"cpu": "cpu:0", "cpu:0": "cpu:0", "opencl": "opencl:0", "opencl:0": "opencl:0", "opencl:1": "opencl:1",
	} {
		d, err := Open(name)
		if err != nil || d.Info().Name != want {
			t.Errorf("Open(%q) = %v, %v; want %s", name, d, err, want)
		}
	}
}

func TestOpenErrorsSayWhatToDo(t *testing.T) {
	missing := &fakeDriver{name: "cuda", open: func(int) (Device, error) {
		return nil, errors.New("no libcuda.so.1")
	}}
	bare := &fakeDriver{name: "bare", open: func(int) (Device, error) {
		return baseless{&fakeDevice{}}, nil
	}}
	empty := &fakeDriver{name: "empty", open: func(int) (Device, error) { return nil, nil }}
	register(t, newDriver("cpu", HostKind), missing, bare, empty)
	for _, tt := range []struct{ name, want string }{
		{"opencl", `opencl: Open: device unavailable: its driver is not linked; import _ "github.com/stride0/stride0/device/all" adds it`},
		{"gpu", `gpu: Open: device unavailable: "gpu" is no driver; there are bare, cpu, cuda, empty and best; import _ "github.com/stride0/stride0/device/all" adds more`},
		{"", `"" is no driver`},
		{"CPU", `"CPU" is no driver; there are bare, cpu`},
		{"cpu:", `"" is no index; write "cpu:0"`},
		{"cpu:-1", `"-1" is no index; write "cpu:0"`},
		{"cpu:x", `"x" is no index`},
		{"cpu:0:0", `"0:0" is no index`},
		{"cpu:99999999999999999999", "is no index"},
		{"cpu:7", "cpu: Open: device unavailable: it has 1 devices"},
		{"cuda", "cuda:0: Open: device unavailable: no libcuda.so.1"},
		{"bare", "device.baseless does not embed device.Base"},
		{"empty", "<nil> does not embed device.Base"},
	} {
		d, err := Open(tt.name)
		if d != nil || !errors.Is(err, ErrUnavailable) || !errors.As(err, new(*Error)) {
			t.Errorf("Open(%q) = %v, %v; want an *Error that is ErrUnavailable", tt.name, d, err)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Open(%q): %v; want %s", tt.name, err, tt.want)
		}
	}
}

// With every driver of the module linked, the import is no advice.
func TestOpenOfAnUnknownName(t *testing.T) {
	register(t, newDriver("cpu", HostKind), newDriver("opencl", CPUKind), newDriver("cuda", GPUKind))
	_, err := Open("gpu")
	if want := `gpu: Open: device unavailable: "gpu" is no driver; there are cpu, cuda, opencl and best`; fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestOpenWithoutAnyDriver(t *testing.T) {
	register(t)
	for _, name := range []string{"cpu", "best"} {
		_, err := Open(name)
		if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), allDrivers) {
			t.Errorf("Open(%q): %v", name, err)
		}
	}
}

func TestOpenBest(t *testing.T) {
	broken := newDriver("cuda", GPUKind)
	broken.open = func(int) (Device, error) { return nil, errors.New("in use") }
	absent := &fakeDriver{name: "cuda", err: fmt.Errorf("%w: no libcuda.so.1", ErrUnavailable)}
	cpu := newDriver("cpu", HostKind)
	for _, tt := range []struct {
		name    string
		drivers []Driver
		want    string
	}{
		{"cuda before all", []Driver{cpu, newDriver("opencl", GPUKind), newDriver("cuda", GPUKind, GPUKind)}, "cuda:0"},
		{"an OpenCL GPU before an OpenCL CPU", []Driver{cpu, newDriver("opencl", CPUKind, OtherKind, GPUKind), absent}, "opencl:2"},
		{"cpu before an OpenCL CPU", []Driver{cpu, newDriver("opencl", CPUKind)}, "cpu:0"},
		{"what opens before what does not", []Driver{cpu, broken}, "cpu:0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			register(t, tt.drivers...)
			d, err := Open("best")
			if err != nil || d.Info().Name != tt.want {
				t.Fatalf("got %v, %v; want %s", d, err, tt.want)
			}
			if same, _ := Open(tt.want); same != d {
				t.Errorf("Open(%q) is another handle", tt.want)
			}
		})
	}
	t.Run("none, with all reasons", func(t *testing.T) {
		register(t, broken)
		_, err := Open("best")
		for _, want := range []string{"in use", "opencl: Open", "cpu: Open"} {
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%v; want %q in it", err, want)
			}
		}
	})
}

func TestOpenReturnsTheOpenHandle(t *testing.T) {
	driver := newDriver("toy", GPUKind, GPUKind)
	register(t, driver)
	open := func(name string) *fakeDevice {
		d, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		return d.(*fakeDevice)
	}
	first := open("toy")
	if open("toy:0") != first || open("toy:1") == first {
		t.Error("the handle is not that of the device")
	}
	first.Close()
	second := open("toy")
	if second == first || open("toy") != second {
		t.Error("a closed handle is not replaced by one new handle")
	}
	second.SetLost("toy:0", errors.New("fault"))
	if third := open("toy"); third == second || third.Down() != nil {
		t.Error("a lost handle is not replaced")
	}
	if n := second.closes; n != 1 {
		t.Errorf("the lost device was closed %d times, want once", n)
	}
	if n := driver.opens.Load(); n != 4 {
		t.Errorf("the driver opened %d devices, want 4", n)
	}
}

func TestOpenAfterAFailureTriesAgain(t *testing.T) {
	driver := newDriver("toy", GPUKind)
	driver.open = func(int) (Device, error) {
		if driver.opens.Load() == 1 {
			return nil, errors.New("busy")
		}
		return &fakeDevice{}, nil
	}
	register(t, driver)
	if _, err := Open("toy"); err == nil {
		t.Fatal("the first Open did not fail")
	}
	if _, err := Open("toy"); err != nil {
		t.Errorf("the second Open: %v", err)
	}
}

func TestOpenSerialisesOneDeviceAndNoOther(t *testing.T) {
	entered, leave := make(chan bool), make(chan bool)
	slow := newDriver("slow", GPUKind)
	slow.open = func(int) (Device, error) {
		close(entered) // panics when entered twice
		<-leave
		return &fakeDevice{}, nil
	}
	register(t, slow, newDriver("quick", GPUKind))
	devices := make([]Device, 8)
	var wg sync.WaitGroup
	for i := range devices {
		wg.Go(func() { devices[i], _ = Open("slow") })
	}
	<-entered
	if _, err := Open("quick"); err != nil { // hangs when it has to wait for slow
		t.Error(err)
	}
	List()
	close(leave)
	wg.Wait()
	for _, d := range devices {
		if d == nil || d != devices[0] {
			t.Fatalf("handles differ: %v", devices)
		}
	}
}

func TestRegisterReplaces(t *testing.T) {
	register(t, newDriver("toy", GPUKind))
	before, _ := Open("toy")
	Register(newDriver("toy", OtherKind))
	after, err := Open("toy")
	if err != nil || after == before || after.Info().Kind != OtherKind {
		t.Errorf("Open gave %v, %v of the replaced driver", after, err)
	}
}

func TestList(t *testing.T) {
	absent := &fakeDriver{name: "cuda", err: errors.New("no libcuda.so.1")}
	partly := newDriver("opencl", GPUKind)
	partly.err = fmt.Errorf("%w: the second platform is broken", ErrUnavailable)
	register(t, newDriver("zero"), absent, newDriver("cpu", HostKind), partly)
	var got []string
	for _, l := range List() {
		if l.Err != nil && !errors.Is(l.Err, ErrUnavailable) {
			t.Errorf("%s: %v is not ErrUnavailable", l.Name, l.Err)
		}
		got = append(got, fmt.Sprintf("%s|%s|%v", l.Name, l.Info.Name, l.Err))
	}
	want := []string{
		"cpu:0|cpu:0|<nil>",
		"cuda||cuda: Open: device unavailable: no libcuda.so.1",
		"opencl:0|opencl:0|<nil>",
		"opencl||opencl: Open: device unavailable: the second platform is broken",
		"zero||zero: Open: device unavailable: the driver has no device",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("List\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
