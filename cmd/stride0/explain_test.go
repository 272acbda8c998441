package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stride0/stride0/broadcast"
)

func TestExplain(t *testing.T) {
	runAll(t, "explain", []run{
		{"broadcast", "(3,2)|(2)", exitOK, "result (3, 2)  ", ""},
		{"clash", "(3,2)|(3)", exitFailed, "\nhint: unsqueeze (3) at axis 1 to make it (3, 1), as a reduction's Keep form does\n", ""},
		{"one shape", "(3,2)", exitOK, "result (3, 2)", ""},
		{"rank 0", "()|()", exitOK, "()\n()\nresult ()\n", ""},
		{"too many elements", "4194304x1x1|4194304x1|4194304", exitFailed, "no result: ", ""},
		{"json", "-json|(3,1)|4", exitOK, `{"shapes":[[3,1],[4]],"result":[3,4]}` + "\n", ""},
		{"json of rank 0", "-json|()", exitOK, `{"shapes":[[]],"result":[]}` + "\n", ""},
		{"json of a clash", "-json|3,2|3", exitFailed, `{"shapes":[[3,2],[3]],"result":null,"error":"cannot broadcast (3, 2) with (3): axis -1 is 2 and 3",` +
			`"axis":-1,"hint":"unsqueeze (3) at axis 1 to make it (3, 1), as a reduction's Keep form does"}` + "\n", ""},
		{"flag behind a word", "(3,1)|-json|4", exitOK, `"result":[3,4]`, ""},
		{"flag at the end", "(3,1)|4|-json", exitOK, `"result":[3,4]`, ""},
		{"help", "-h", exitOK, "", "stride0 explain -json 8x3x32x32 3\n"},
		{"no shapes", "", exitUsage, "", "give the shapes"},
		{"no shapes but a flag", "-json", exitUsage, "", "give the shapes"},
		{"not a shape", "(3,2)|pear", exitUsage, "", `"pear" is not a shape; write (3,2), 3,2, 3x2`},
		{"negative size", "(3,-2)", exitUsage, "", "shape (3, -2): axis -1 is negative"},
		{"too many axes", strings.Repeat("1,", broadcast.MaxRank) + "1", exitUsage, "", "33 axes"},
		{"unknown flag behind a word", "(3,2)|-yaml", exitUsage, "", "not defined: -yaml"},
	})
}

func TestParseShape(t *testing.T) {
	for word, want := range map[string]broadcast.Shape{
		"()": {}, " ( ) ": {}, "(3)": {3}, "3": {3}, "(3,)": {3}, "3,": {3},
		"(3,2)": {3, 2}, "( 3 , 2 )": {3, 2}, "3,2": {3, 2}, "3x2": {3, 2}, "(3x2x0)": {3, 2, 0},
	} {
		if got, err := parseShape(word); err != nil || !got.Equal(want) || got == nil {
			t.Errorf("%q is %v, %v, want %v", word, got, err, want)
		}
	}
	for _, word := range []string{"", " ", "(", ")", "(3", "3)", ")3(", "((3))", ",", "(,)", ",3", "3,,2", "3,2,,", "x", "3x", "3x2,1", "3 2", "3.0", "-", "3-2", "99999999999999999999"} {
		if got, err := parseShape(word); err == nil {
			t.Errorf("%q is taken for %v", word, got)
		}
	}
}

func TestExplainReportsAFailedWrite(t *testing.T) {
	for _, args := range [][]string{{"explain", "3", "4"}, {"explain", "-json", "3", "3"}} {
		var errs bytes.Buffer
		if got := stride0(args, fullDisk{}, &errs); got != exitFailed || !strings.Contains(errs.String(), "disk full") {
			t.Errorf("%v: exit status %d, error output %q", args, got, errs.String())
		}
	}
}

func Example_explain() {
	stride0([]string{"explain", "(8,1,6)", "(7,1)"}, os.Stdout, os.Stderr)
	// Output:
	// axis                     -3         -2         -1
	// (8, 1, 6)                 8          1          6
	// (7, 1)                               7          1
	//                   stretches  stretches  stretches
	// result (8, 7, 6)          8          7          6
}
