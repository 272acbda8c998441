package report

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stride0/stride0/bench/peers/protocol"
	"github.com/stride0/stride0/bench/peers/servers"
)

// sample is a run of two workloads with round numbers.
func sample() *Run {
	s := func(w, mode, peer string, threads int, ms ...float64) Series {
		return Series{W: w, Mode: mode, Peer: peer, Threads: threads, MS: ms}
	}
	return &Run{
		Machine: Machine{CPU: "cpu", Threads: 2}, Rounds: 3, Slice: 0.05, LeftOut: []string{"torch (not installed)"},
		Work: []Work{{W: "W1", Text: "add", Bytes: 12e6}, {W: "Xrow", Text: "a|b", Bytes: 2e6}},
		Measured: []Series{
			s("W1", protocol.Alloc, Ours, 2, 4, 1, 2),
			s("W1", protocol.Alloc, Ours, 1, 3),
			s("W1", protocol.Out, Ours, 2, 1),
			s("W1", protocol.Alloc, "numpy", 1, 6),
			s("W1", protocol.Alloc, "torch", 2, 5, 3),
			s("W1", protocol.Alloc, "torch", 1, 9),
			s("W1", protocol.Out, loop, 1, 0.5),
			s("W1", servers.Garbage, Ours, 2, 8),
			s("W1", servers.Normal, memory, 2, 1),
			s("W1", servers.Streaming, memory, 2, 0.5),
			s("read", servers.Normal, memory, 2, 10),
			s("copy", servers.Streaming, memory, 2, 10),
			s("Xrow", protocol.Out, Ours, 2, 3),
			s("Xrow", protocol.Out, contiguous, 2, 2),
		},
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		want float64
	}{{nil, 0}, {[]float64{7}, 7}, {[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := Median(c.v); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.v, got, c.want)
		}
	}
	v := []float64{3, 1, 2}
	if Median(v); !reflect.DeepEqual(v, []float64{3, 1, 2}) {
		t.Error("the median sorts its argument")
	}
}

// TestRatios names each case by what it stresses.
func TestRatios(t *testing.T) {
	r := sample()
	for name, c := range map[string][2]float64{
		"best peer of two threads":           {r.Speedup("W1", protocol.Alloc, 2), 4.0 / 2},
		"one thread against one":             {r.Speedup("W1", protocol.Alloc, 1), 6.0 / 3},
		"a reference is no peer":             {r.Speedup("W1", protocol.Out, 2), 0},
		"faster way of memory":               {r.Reached("W1", protocol.Alloc, 2), 0.5 / 2},
		"no limit measured":                  {r.Reached("W1", protocol.Alloc, 1), 0},
		"one way of memory":                  {r.Limit("read", 2), 10},
		"only streaming":                     {r.Bandwidth("copy", 2), 2 * servers.MemoryBytes / 0.01},
		"read counts once":                   {r.Bandwidth("read", 2), servers.MemoryBytes / 0.01},
		"contiguous":                         {r.Slowdown("Xrow", protocol.Out, 2), 1.5},
		"no contiguous":                      {r.Slowdown("Xrow", protocol.Alloc, 2), 0},
		"single-threaded peer beside others": {r.Peer("W1", protocol.Alloc, "numpy", 2), 6},
		"unknown workload":                   {r.Speedup("W9", protocol.Alloc, 2), 0},
	} {
		if math.Abs(c[0]-c[1]) > 1e-9*math.Abs(c[1]) {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
	if peer, ms := r.Best("W1", protocol.Alloc, 2); peer != "torch" || ms != 4 {
		t.Errorf("best is %s with %v", peer, ms)
	}
}

func TestNumberHasThreeDigits(t *testing.T) {
	for v, want := range map[float64]string{
		0: "–", 0.000123: "0.000123", 0.0123: "0.0123", 0.5: "0.500", 1.234: "1.23", 12.34: "12.3", 123.4: "123", 12345: "12345",
	} {
		if got := number(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	text := sample().Markdown()
	for _, want := range []string{
		"Left out: torch (not installed).\n",
		"| W1 `add` | 12.0 | 0.500 | 2.00 | torch 4.00 | 2.00 | 25 % | 1.00 | – | – | 50 % | 8.00 |\n",
		"| `a\\|b` | 2.00 | – | – | 3.00 | 1.50 | – |\n",
		"| W1 | 2.00 | 6.00 | 4.00 |\n",
		"| 2 | 26.8 | – | 53.7 |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
	// Every table's rows have as many cells as its head.
	cells := 0
	for line := range strings.Lines(text) {
		n := strings.Count(strings.ReplaceAll(line, "\\|", ""), "|")
		if n == 0 {
			cells = 0
		} else if cells != 0 && n != cells {
			t.Errorf("%d bars, its table has %d: %s", n, cells, line)
		} else {
			cells = n
		}
	}
}

func TestDocsReplacesTheTables(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "performance.md")
	write := func(text string) {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("# Speed\n" + begin + "old\n" + end + "after\n")
	r := sample()
	for range 2 { // the second time over its own text
		if err := r.Docs(dir); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(page)
		if want := "# Speed\n" + begin + "\n" + r.Markdown() + "\n" + end + "after\n"; err != nil || string(text) != want {
			t.Fatalf("%v, page\n%s", err, text)
		}
	}
	for _, name := range []string{"peers-new.svg", "limit.svg"} {
		svg, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(svg), "<svg") || !strings.Contains(string(svg), Ours[:4]) && name != "limit.svg" {
			t.Errorf("%s: %v, %d bytes", name, err, len(svg))
		}
	}
	var back Run
	text, err := os.ReadFile(filepath.Join(dir, "performance.json"))
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || fmt.Sprint(back) != fmt.Sprint(*r) {
		t.Errorf("JSON does not give the run back: %v\n%v", err, back)
	}
	write("no marks\n")
	if err := r.Docs(dir); err == nil {
		t.Error("a page without marks is overwritten")
	}
}
