package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// The exit statuses.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// A command is one word after stride0. Its setup defines flags and returns
// what to run once they are parsed.
type command struct {
	name  string
	about string // one line
	word  string // the flag that a first word without a dash stands for, "" if none may
	setup func(flags *flag.FlagSet) (run func(out io.Writer) error)
}

// commands is the list of commands, as help prints it.
var commands = []command{
	{"version", "print the version, Go's version and the platform", "", setupVersion},
	{"devices", "list the devices here, and why others are missing", "", setupDevices},
	{"kernel", "print the source of an operation's kernels", "op", setupKernel},
}

func main() { os.Exit(stride0(os.Args[1:], os.Stdout, os.Stderr)) }

// stride0 runs the command line args and returns the exit status.
func stride0(args []string, out, errs io.Writer) int {
	if len(args) == 0 {
		help(errs)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		help(out)
		return exitOK
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.execute(args[1:], out, errs)
		}
	}
	fmt.Fprintf(errs, "stride0: unknown command %q\n", args[0])
	help(errs)
	return exitUsage
}

// execute parses the flags of c and runs it.
func (c command) execute(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("stride0 "+c.name, flag.ContinueOnError)
	flags.SetOutput(errs)
	run := c.setup(flags)
	if c.word != "" && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		args = append([]string{"-" + c.word, args[0]}, args[1:]...)
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(errs, "stride0 %s: unexpected argument %q\n", c.name, flags.Arg(0))
		return exitUsage
	}
	if err := run(out); err != nil {
		fmt.Fprintf(errs, "stride0 %s: %v\n", c.name, err)
		return exitFailed
	}
	return exitOK
}

// help lists the commands.
func help(w io.Writer) {
	fmt.Fprint(w, "usage: stride0 COMMAND [flags]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-10s%s\n", c.name, c.about)
	}
	fmt.Fprintf(w, "  %-10s%s\n\nstride0 COMMAND -h lists the flags of a command.\n", "help", "print this")
}
