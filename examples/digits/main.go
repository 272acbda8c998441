package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/all" // the drivers behind -device
)

const (
	reports  = 6 // about how many lines of progress to print
	maxDrawn = 4 // how many misread digits to draw; they fit in 80 columns
)

// options are the choices of a run.
type options struct {
	device string
	epochs int
	steps  int // soak for so many steps instead of epochs; 0: do not
	hidden int
	seed   uint64
}

func main() {
	opts, err := parse(os.Args[1:], os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		os.Exit(2)
	}
	if err := run(opts, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "digits:", err)
		os.Exit(1)
	}
}

// parse reads the flags. What is wrong with them it writes to w.
func parse(args []string, w io.Writer) (options, error) {
	var opts options
	flags := flag.NewFlagSet("digits", flag.ContinueOnError)
	flags.SetOutput(w)
	flags.StringVar(&opts.device, "device", "best", "`name` of the device to train on: cpu, opencl, opencl:1, best, ...")
	flags.IntVar(&opts.epochs, "epochs", 40, "how often to train on every image")
	flags.IntVar(&opts.steps, "steps", 0, "train for `N` steps instead and report whether memory grew")
	flags.IntVar(&opts.hidden, "hidden", 128, "size of the hidden layer")
	flags.Uint64Var(&opts.seed, "seed", 1, "seed of the weights and the order of training")
	if err := flags.Parse(args); err != nil {
		return opts, err
	}
	var err error
	switch {
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case opts.epochs < 1 || opts.hidden < 1:
		err = errors.New("-epochs and -hidden must be at least 1")
	case opts.steps != 0 && opts.steps < 2*warmUp:
		err = fmt.Errorf("-steps must be at least %d, to compare with the first %d", 2*warmUp, warmUp)
	}
	if err != nil {
		fmt.Fprintln(w, "digits:", err)
		flags.Usage()
	}
	return opts, err
}

// run trains as the options say and writes the report to w.
func run(opts options, w io.Writer) error {
	dev, err := device.Open(opts.device)
	if err != nil {
		return err
	}
	device.AllowHost(dev) // for what the device cannot do itself
	digits, err := loadDigits()
	if err != nil {
		return err
	}
	train, heldOut := split(digits)
	t := newTrainer(dev, train, opts.hidden, opts.seed)
	info := dev.Info()
	fmt.Fprintf(w, "device %s (%s): network %d-%d-%d, %d images to train on, %d held out\n",
		info.Name, info.Model, pixels, opts.hidden, classes, train.len(), heldOut.len())
	if opts.steps > 0 {
		return soak(w, t, opts.steps)
	}
	return learn(w, t, heldOut, opts.epochs)
}

// learn trains for some epochs, reports on the way, and draws misread digits.
func learn(w io.Writer, t *trainer, heldOut set, epochs int) error {
	var (
		loss    float64
		misread []int
		read    []int64
		err     error
	)
	start := time.Now()
	for epoch := 1; epoch <= epochs; epoch++ {
		if loss, err = t.epoch(); err != nil {
			return err
		}
		if epoch%max(1, epochs/reports) != 0 && epoch != epochs {
			continue
		}
		if misread, read, err = t.judge(heldOut); err != nil {
			return err
		}
		fmt.Fprintf(w, "epoch %*d of %d  loss %.4f  held-out accuracy %.2f %%\n",
			len(fmt.Sprint(epochs)), epoch, epochs, loss, accuracy(misread, heldOut))
	}
	fmt.Fprintf(w, "\ndevice %s, %d steps in %.2f s, loss %.4f, held-out accuracy %.2f %% (%d of %d misread)\n\n",
		t.dev.Info().Name, t.steps, time.Since(start).Seconds(), loss, accuracy(misread, heldOut), len(misread), heldOut.len())
	return drawMisread(w, heldOut, misread, read)
}

// accuracy returns the percentage of s that is not misread.
func accuracy(misread []int, s set) float64 {
	return 100 * (1 - float64(len(misread))/float64(s.len()))
}

// drawMisread draws the first few of the misread images.
func drawMisread(w io.Writer, s set, misread []int, read []int64) error {
	var pictures []picture
	for _, i := range misread[:min(len(misread), maxDrawn)] {
		caption := fmt.Sprintf("a %d read as %d", s.labels[i], read[i])
		pictures = append(pictures, picture{s.image(i), caption})
	}
	if len(pictures) == 0 {
		return nil
	}
	return draw(w, pictures)
}
