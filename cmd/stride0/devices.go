package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/all" // the drivers other than the CPU's
	_ "github.com/stride0/stride0/tensor"     // registers the CPU
)

func setupDevices(flags *flag.FlagSet) func(io.Writer) error {
	asJSON := flags.Bool("json", false, "print a JSON array")
	return func(out io.Writer) error {
		if *asJSON {
			return writeJSON(out, device.List())
		}
		return writeTable(out, device.List())
	}
}

// writeTable prints one line per device, with its notes under it, or the
// reason why a driver has none.
func writeTable(out io.Writer, list []device.Listing) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tKIND\tMEMORY\tDESCRIPTION")
	for _, l := range list {
		if l.Err != nil {
			fmt.Fprintf(table, "%s\t-\t-\t%v\n", l.Name, l.Err)
			continue
		}
		memory := "unknown"
		if l.Info.Memory > 0 {
			memory = device.Bytes(l.Info.Memory)
		}
		fmt.Fprintf(table, "%s\t%v\t%s\t%s (%s)\n", l.Name, l.Info.Kind, memory, l.Info.Model, l.Info.Driver)
		for _, note := range l.Info.Notes {
			fmt.Fprintf(table, "\t\t\t- %s\n", note)
		}
	}
	return table.Flush()
}

// jsonDevice is an element of what devices -json prints. A field may be added,
// never renamed.
type jsonDevice struct {
	Name      string   `json:"name"`
	Available bool     `json:"available"`
	Reason    string   `json:"reason,omitempty"` // why it is not available
	Kind      string   `json:"kind,omitempty"`
	Model     string   `json:"model,omitempty"`
	Driver    string   `json:"driver,omitempty"`
	Memory    int64    `json:"memory_bytes,omitempty"` // absent when unknown
	Float64   bool     `json:"float64"`
	Notes     []string `json:"notes,omitempty"`
}

// writeJSON prints the list for programs.
func writeJSON(out io.Writer, list []device.Listing) error {
	devices := make([]jsonDevice, 0, len(list))
	for _, l := range list {
		if l.Err != nil {
			devices = append(devices, jsonDevice{Name: l.Name, Reason: l.Err.Error()})
			continue
		}
		devices = append(devices, jsonDevice{
			Name: l.Name, Available: true, Kind: l.Info.Kind.String(), Model: l.Info.Model, Driver: l.Info.Driver,
			Memory: l.Info.Memory, Float64: l.Info.Float64, Notes: l.Info.Notes,
		})
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(devices)
}
