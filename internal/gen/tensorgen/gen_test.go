package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stride0/stride0/kernels"
)

const (
	kernelsDir = "../../../kernels"
	tensorDir  = "../../../tensor"
)

func TestUpToDate(t *testing.T) {
	want, err := generate(kernelsDir)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join(tensorDir, output))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("tensor/%s does not match the op table; run go generate ./tensor", output)
	}
}

// Every row has its method, or a reason not to.
func TestEveryRowHasAMethod(t *testing.T) {
	text, err := generate(kernelsDir)
	if err != nil {
		t.Fatal(err)
	}
	names, err := constants(kernelsDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range kernels.Ops() {
		has := strings.Contains(string(text), "func (t *Tensor) "+names[op.String()]+"(")
		if _, hand := byHand[op]; has == hand {
			t.Errorf("%v: has a method: %v, written by hand: %v", op, has, hand)
		}
	}
}

func TestReduces(t *testing.T) {
	for op, want := range map[kernels.Op][2]bool{kernels.Add: {}, kernels.Sum: {true, false}, kernels.Mean: {true, false},
		kernels.LogSumExp: {true, false}, kernels.Softmax: {false, true}} {
		if one, along, err := reduces(op); one != want[0] || along != want[1] || err != nil {
			t.Errorf("reduces(%v) = %v, %v, %v, want %v", op, one, along, err, want)
		}
	}
}

func TestMethodOfRefuses(t *testing.T) {
	if _, err := methodOf(kernels.Arange, "Arange"); err == nil {
		t.Error("three operands of a kind nobody knows became a method")
	}
	if _, err := methodOf(kernels.Add, ""); err == nil {
		t.Error("a row without a constant became a method")
	}
}

func TestConstantsOfAnotherFolder(t *testing.T) {
	if _, err := constants(t.TempDir()); err == nil {
		t.Error("a folder without a table gave names")
	}
}
