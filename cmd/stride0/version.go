package main

import (
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

func setupVersion(*flag.FlagSet) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := fmt.Fprintf(out, "stride0 %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return err
	}
}

// version returns the module's version as the go command stamped it, "(devel)"
// for a build from a working tree.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
