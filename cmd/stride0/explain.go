package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/stride0/stride0/broadcast"
)

const explainUsage = `usage: stride0 explain [-json] SHAPE...

Shows how shapes broadcast: they are aligned at the right, and on each axis all
sizes are the same, or 1 (or nothing) stretches to the other size, or they
clash. A shape is written (3,2), 3,2 or 3x2; () has no axes. The exit status is
0 when the shapes broadcast, 1 when they clash, 2 for what is not a shape.

  stride0 explain '(3,2)' '(2)'
  stride0 explain -json 8x3x32x32 3

`

func setupExplain(flags *flag.FlagSet) func(io.Writer) error {
	asJSON := flags.Bool("json", false, "print JSON: shapes, result, or else error, axis and hint")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), explainUsage)
		flags.PrintDefaults()
	}
	return func(out io.Writer) error {
		if flags.NArg() == 0 {
			return usageError("give the shapes to broadcast, as in: stride0 explain '(3,2)' '(2)'")
		}
		shapes := make([]broadcast.Shape, flags.NArg())
		for i, word := range flags.Args() {
			var err error
			if shapes[i], err = parseShape(word); err != nil {
				return usageError(err.Error())
			}
		}
		result, err := broadcast.Shapes(shapes...)
		write := explainText
		if *asJSON {
			write = explainJSON
		}
		if failed := write(out, shapes, result, err); failed != nil {
			return failed
		}
		if err != nil {
			return errAnsweredNo
		}
		return nil
	}
}

// parseShape reads a shape as people write it: "(3, 2)", "3,2", "(3,)", "3x2",
// and "()" for the shape without axes.
func parseShape(word string) (broadcast.Shape, error) {
	text := strings.TrimSpace(word)
	inside, open := strings.CutPrefix(text, "(")
	inside, closed := strings.CutSuffix(inside, ")")
	if open != closed || text == "" {
		return nil, notShape(word)
	}
	shape := broadcast.Shape{}
	inside = strings.TrimSpace(inside)
	if inside == "" {
		return shape, nil
	}
	separator := "x"
	if strings.Contains(inside, ",") {
		separator, inside = ",", strings.TrimSuffix(inside, ",")
	}
	for size := range strings.SplitSeq(inside, separator) {
		n, err := strconv.Atoi(strings.TrimSpace(size))
		if err != nil {
			return nil, notShape(word)
		}
		shape = append(shape, n)
	}
	return shape, shape.Check(1)
}

func notShape(word string) error {
	return fmt.Errorf("%q is not a shape; write (3,2), 3,2, 3x2, or () for no axes", word)
}

func explainText(out io.Writer, shapes []broadcast.Shape, _ broadcast.Shape, _ error) error {
	_, err := fmt.Fprintln(out, broadcast.Explain(shapes...))
	return err
}

// jsonExplanation is what explain -json prints. A field may be added, never
// renamed.
type jsonExplanation struct {
	Shapes []broadcast.Shape `json:"shapes"`
	Result broadcast.Shape   `json:"result"`          // null when the shapes do not broadcast
	Error  string            `json:"error,omitempty"` // why they do not
	Axis   int               `json:"axis,omitempty"`  // on which they clash: -1 is the last
	Hint   string            `json:"hint,omitempty"`  // what mends it
}

func explainJSON(out io.Writer, shapes []broadcast.Shape, result broadcast.Shape, err error) error {
	e := jsonExplanation{Shapes: shapes}
	if err == nil {
		e.Result = result.Clone() // never nil, so that no axes are [], not null
	} else {
		e.Error = err.Error()
	}
	if clash, ok := errors.AsType[*broadcast.ShapeError](err); ok {
		e.Error, e.Axis, e.Hint = clash.Msg, clash.Axis, clash.Hint
	}
	return json.NewEncoder(out).Encode(e) // on one line: shapes read better so
}
