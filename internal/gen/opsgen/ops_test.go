package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stride0/stride0/kernels"
)

func TestUpToDate(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("..", "..", "..", "OPS.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != text() {
		t.Error("OPS.md does not follow from the op table; run: go generate ./kernels")
	}
}

func TestEveryRowHasAnEntry(t *testing.T) {
	all := text()
	for _, op := range kernels.Ops() {
		if n := strings.Count(all, "\n| `"+op.String()+"`"); n != 1 {
			t.Errorf("%v has %d entries", op, n)
		}
		if strings.Contains(entry(op), "see the text") {
			t.Errorf("nothing is said about what %v gives", op)
		}
	}
}

func TestEntry(t *testing.T) {
	for op, want := range map[kernels.Op]string{
		kernels.Add:  "| `add` | all | the same | 0.5 | 0.5 | x + y;",
		kernels.Exp:  "| `exp` | all, computed in floats | the same, float32 of integers and bool | 0.8 | 1 |",
		kernels.Lt:   "| `lt` | all | bool | – | – |",
		kernels.Sum:  "| `sum` | all | the same, 64 bits of integers and bool | 18 | 18 |",
		kernels.Cast: "| `cast` | all | as asked | 0.5 | 0.5 |",
	} {
		if got := entry(op); !strings.HasPrefix(got, want) {
			t.Errorf("%v: %q, want %q", op, got, want)
		}
	}
}
