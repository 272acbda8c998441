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
	words bool   // words may stand among the flags: run finds them in flags.Args
	setup func(flags *flag.FlagSet) (run func(out io.Writer) error)
}

// usageError is what run returns for words that it does not understand.
type usageError string

func (e usageError) Error() string { return string(e) }

// errAnsweredNo is what run returns once it has printed that the answer is no:
// the command fails and nothing is left to say.
var errAnsweredNo = errors.New("the answer is no")

// commands is the list of commands, as help prints it.
var commands = []command{
	{name: "version", about: "print the version, Go's version and the platform", setup: setupVersion},
	{name: "devices", about: "list the devices here, and why others are missing", setup: setupDevices},
	{name: "explain", about: "show how shapes broadcast, or what mends them", words: true, setup: setupExplain},
	{name: "kernel", about: "print the source of an operation's kernels", word: "op", setup: setupKernel},
	{name: "price", about: "print what a tensor of a dtype and shape takes", words: true, setup: setupPrice},
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
	switch err := parse(flags, args, c.words); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	}
	if flags.NArg() > 0 && !c.words {
		fmt.Fprintf(errs, "stride0 %s: unexpected argument %q\n", c.name, flags.Arg(0))
		return exitUsage
	}
	err := run(out)
	switch {
	case err == nil:
		return exitOK
	case err == errAnsweredNo:
		return exitFailed
	}
	fmt.Fprintf(errs, "stride0 %s: %v\n", c.name, err)
	if _, ok := err.(usageError); ok {
		return exitUsage
	}
	return exitFailed
}

// parse parses the flags, with words also those that stand behind a word,
// where package flag stops.
func parse(flags *flag.FlagSet, args []string, words bool) error {
	err := flags.Parse(args)
	if !words {
		return err
	}
	var found []string
	for err == nil && flags.NArg() > 0 {
		found = append(found, flags.Arg(0))
		err = flags.Parse(flags.Args()[1:])
	}
	if err != nil {
		return err
	}
	return flags.Parse(append([]string{"--"}, found...))
}

// help lists the commands.
func help(w io.Writer) {
	fmt.Fprint(w, "usage: stride0 COMMAND [flags]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-10s%s\n", c.name, c.about)
	}
	fmt.Fprintf(w, "  %-10s%s\n\nstride0 COMMAND -h lists the flags of a command.\n", "help", "print this")
}
