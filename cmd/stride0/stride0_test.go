package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stride0/stride0/device"
)

// listings has one device of every sort and a driver without any.
func listings() []device.Listing {
	return []device.Listing{
		{Name: "cpu", Info: device.Info{Name: "cpu", Kind: device.HostKind, Model: "Model 1", Driver: "Go", Memory: 2_000_000_000, Float64: true}},
		{Name: "opencl:0", Info: device.Info{Name: "opencl:0", Kind: device.GPUKind, Model: "Model 2", Driver: "OpenCL 3.0", Notes: []string{"no float64"}}},
		{Name: "cuda", Err: &device.Error{Device: "cuda", Call: "Open", Err: fmt.Errorf("%w: no libcuda.so.1", device.ErrUnavailable)}},
	}
}

// run is one call of the program and what it must do.
type run struct {
	name     string
	args     string // separated by |
	status   int
	out, err string // a part of what is printed; empty: nothing is
}

// runAll calls a command, "" for the program itself. No error may point into
// this program.
func runAll(t *testing.T, command string, runs []run) {
	t.Helper()
	for _, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			var args []string
			for _, part := range []string{command, r.args} {
				if part != "" {
					args = append(args, strings.Split(part, "|")...)
				}
			}
			var out, errs bytes.Buffer
			if got := stride0(args, &out, &errs); got != r.status {
				t.Errorf("exit status %d, want %d", got, r.status)
			}
			for _, stream := range []struct{ name, got, want string }{{"output", out.String(), r.out}, {"error output", errs.String(), r.err}} {
				if (stream.want == "") != (stream.got == "") || !strings.Contains(stream.got, stream.want) {
					t.Errorf("%s is %q, want %q in it", stream.name, stream.got, stream.want)
				}
			}
			if strings.Contains(errs.String(), ".go:") {
				t.Errorf("the error points into this program: %s", errs.String())
			}
		})
	}
}

func TestExitStatusAndStreams(t *testing.T) {
	runAll(t, "", []run{
		{"no_command", "", exitUsage, "", "usage: stride0"},
		{"help", "help", exitOK, "usage: stride0", ""},
		{"help_flag", "-h", exitOK, "  devices", ""},
		{"unknown_command", "divices", exitUsage, "", `unknown command "divices"`},
		{"version", "version", exitOK, runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH, ""},
		{"version_with_argument", "version|1", exitUsage, "", `unexpected argument "1"`},
		{"devices", "devices", exitOK, "\ncpu ", ""},
		{"devices_json", "devices|-json", exitOK, `"name": "cpu"`, ""},
		{"devices_help", "devices|-h", exitOK, "", "-json"},
		{"unknown_flag", "devices|-yaml", exitUsage, "", "not defined: -yaml"},
	})
}

func TestHelpListsEveryCommand(t *testing.T) {
	var out bytes.Buffer
	help(&out)
	for _, c := range commands {
		if !strings.Contains(out.String(), "\n  "+c.name+" ") {
			t.Errorf("%s is not in the help:\n%s", c.name, out.String())
		}
	}
}

func TestJSONHoldsEveryField(t *testing.T) {
	var out bytes.Buffer
	if err := writeJSON(&out, listings()); err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{
		{"name": "cpu", "available": true, "kind": "host", "model": "Model 1", "driver": "Go", "memory_bytes": 2e9, "float64": true},
		{"name": "opencl:0", "available": true, "kind": "gpu", "model": "Model 2", "driver": "OpenCL 3.0", "float64": false,
			"notes": []any{"no float64"}},
		{"name": "cuda", "available": false, "float64": false, "reason": "cuda: Open: device unavailable: no libcuda.so.1"},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestNoDevicesIsAnEmptyArray(t *testing.T) {
	var out bytes.Buffer
	if err := writeJSON(&out, nil); err != nil || out.String() != "[]\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestFailedWriteIsReported(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"devices"}, {"devices", "-json"}} {
		var errs bytes.Buffer
		if got := stride0(args, fullDisk{}, &errs); got != exitFailed || !strings.Contains(errs.String(), "disk full") {
			t.Errorf("%v: exit status %d, error output %q", args, got, errs.String())
		}
	}
}

func Example() {
	if err := writeTable(os.Stdout, listings()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// NAME      KIND  MEMORY   DESCRIPTION
	// cpu       host  2.0 GB   Model 1 (Go)
	// opencl:0  gpu   unknown  Model 2 (OpenCL 3.0)
	//                          - no float64
	// cuda      -     -        cuda: Open: device unavailable: no libcuda.so.1
}
