package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestPrice(t *testing.T) {
	runAll(t, "price", []run{
		{"gigabyte", "float32|32,2048,4096", exitOK, "(32, 2048, 4096) float32 is 1.1 GB\nbytes     1073741824\nelements  268435456\n", ""},
		{"rank 0", "float64|()", exitOK, "() float64 is 8 B\nbytes     8\nelements  1\n", ""},
		{"empty", "bool|3x0", exitOK, "(3, 0) bool is 0 B\nbytes     0\n", ""},
		{"json", "-json|int32|(3,2)", exitOK, `{"dtype":"int32","shape":[3,2],"elements":6,"bytes":24,"text":"24 B"}` + "\n", ""},
		{"json of rank 0", "uint8|()|-json", exitOK, `"shape":[],"elements":1,"bytes":1`, ""},
		{"too many elements", "uint8|4194304x4194304x4194304", exitFailed, "", "too"},
		{"too many bytes", "float64|2147483647x2147483647", exitFailed, "", "(2147483647, 2147483647)"},
		{"negative size", "float32|(3,-2)", exitFailed, "", "axis -1 is negative"},
		{"help", "-h", exitOK, "", "stride0 price float32 32,2048,4096\n"},
		{"nothing", "", exitUsage, "", "give a dtype and one shape"},
		{"no shape", "float32", exitUsage, "", "give a dtype and one shape"},
		{"sizes apart", "float32|3|2", exitUsage, "", "give a dtype and one shape"},
		{"no dtype", "float|3", exitUsage, "", `no dtype "float"; there are bool, uint8`},
		{"no such shape", "float32|pear", exitUsage, "", `"pear" is not a shape`},
		{"unknown flag", "float32|3|-yaml", exitUsage, "", "not defined: -yaml"},
	})
}

func TestPriceReportsAFailedWrite(t *testing.T) {
	for _, args := range [][]string{{"price", "bool", "3"}, {"price", "-json", "bool", "3"}} {
		var errs bytes.Buffer
		if got := stride0(args, fullDisk{}, &errs); got != exitFailed || !strings.Contains(errs.String(), "disk full") {
			t.Errorf("%v: exit status %d, error output %q", args, got, errs.String())
		}
	}
}

func Example_price() {
	stride0([]string{"price", "float32", "32,2048,4096"}, os.Stdout, os.Stderr)
	// Output:
	// (32, 2048, 4096) float32 is 1.1 GB
	// bytes     1073741824
	// elements  268435456
}
