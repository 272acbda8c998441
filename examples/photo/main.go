package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/all" // the drivers behind -device
)

const usage = `usage: photo [flags] IN OUT.png

Reads the photo IN (PNG or JPEG), brings its colour channels to one brightness
and contrast, warms it and writes OUT.png.

`

// options are the choices of a run.
type options struct {
	device  string
	layout  layout
	warm    float64
	in, out string // file names
}

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command runs the program and returns its exit code: 0 when the photo is
// written, 1 when that failed, 2 when the arguments are wrong.
func command(args []string, stdout, stderr io.Writer) int {
	opts, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if err := run(opts, stdout); err != nil {
		fmt.Fprintln(stderr, "photo:", err)
		return 1
	}
	return 0
}

// parse reads the arguments. What is wrong with them it writes to w.
func parse(args []string, w io.Writer) (options, error) {
	var (
		opts   options
		layout string
	)
	flags := flag.NewFlagSet("photo", flag.ContinueOnError)
	flags.SetOutput(w)
	flags.Usage = func() {
		fmt.Fprint(w, usage)
		flags.PrintDefaults()
	}
	flags.StringVar(&opts.device, "device", "best", "`name` of the device to compute on: cpu, opencl, opencl:1, best, ...")
	flags.StringVar(&layout, "layout", "nhwc", "`order` of the axes to compute in, nhwc or nchw; the result is the same")
	flags.Float64Var(&opts.warm, "warm", 0.15, "`strength` from -1 (blue) by 0 (neutral) to 1 (orange): red times 1+strength, blue times 1-strength")
	if err := flags.Parse(args); err != nil {
		return opts, err // flags has written it
	}
	opts.in, opts.out = flags.Arg(0), flags.Arg(1)
	var err error
	if opts.layout, err = layoutNamed(layout); err == nil {
		err = opts.check(flags.NArg())
	}
	if err != nil {
		fmt.Fprintf(w, "photo: %v\n\n", err)
		flags.Usage()
	}
	return opts, err
}

// check finds what is wrong with the options given with n file names.
func (o options) check(n int) error {
	switch {
	case n != 2:
		return fmt.Errorf("needs two file names, got %d; flags stand before them", n)
	case !strings.EqualFold(filepath.Ext(o.out), ".png"):
		return fmt.Errorf("writes PNG, so the name of the second file must end in .png; it is %q", o.out)
	case !(o.warm >= -1 && o.warm <= 1): // NaN too
		return fmt.Errorf("-warm must be from -1 to 1; it is %v", o.warm)
	}
	return nil
}

// run develops one photo and writes a line about it to w.
func run(o options, w io.Writer) error {
	dev, err := device.Open(o.device)
	if err != nil {
		return err
	}
	device.AllowHost(dev) // for what the device cannot do itself
	p, err := read(o.in)
	if err != nil {
		return err
	}
	if same(o.in, o.out) {
		return fmt.Errorf("%s is the photo itself; write to another file to keep it", o.out)
	}
	if p.rgba, err = developRGBA(dev, p.rgba, p.height, p.width, o.layout, float32(o.warm)); err != nil {
		return err
	}
	if err := write(o.out, p); err != nil {
		return err
	}
	fmt.Fprintf(w, "device %s (%s): %d×%d pixels as %s, warmed by %v, written to %s\n",
		dev.Info().Name, dev.Info().Model, p.width, p.height, o.layout.name, o.warm, o.out)
	return nil
}

// same reports whether both names lead to one existing file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
