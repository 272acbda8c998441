package tensor_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// guardChild says what this test binary does when a test starts it again.
const guardChild = "STRIDE0_GUARD_CHILD"

// inGuardChild runs one of guardChildren in a process with STRIDE0_DEBUG=guard,
// which is read once.
func inGuardChild(t *testing.T, what string) (output string, err error) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("lent memory is guarded on Linux only")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestGuardChild$")
	cmd.Env = append(os.Environ(), guardChild+"="+what, "STRIDE0_DEBUG=guard")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// guardChildren are programs that lend memory. They print "done" at the end.
var guardChildren = map[string]func() error{
	"kept":          func() error { return useAfterLending(64, 1) },
	"kept, large":   func() error { return useAfterLending(1<<20, 1) },
	"kept for long": func() error { return useAfterLending(64, 500) },
	"written":       writeWhileLent,
}

// TestGuardChild is no test of its own.
func TestGuardChild(t *testing.T) {
	program := guardChildren[os.Getenv(guardChild)]
	if program == nil {
		return // this is not the child
	}
	if err := program(); err != nil {
		t.Fatal(err)
	}
	fmt.Println("done")
}

// useAfterLending keeps a slice and uses it after so many lendings.
func useAfterLending(n, lendings int) error {
	x := tensor.Ones(dtype.Float32, n)
	var kept []float32
	err := tensor.WithData(x, func(v []float32) error { kept = v; return nil })
	for range lendings {
		err = errors.Join(err, tensor.WithData(x, func([]float32) error { return nil }))
	}
	fmt.Println("using what was kept:", kept[n/2])
	return err
}

// writeWhileLent checks that lending works as without a guard, often enough for
// the first copies to be unmapped.
func writeWhileLent() error {
	x := tensor.Ones(dtype.Int64, 600)
	view := x.Slice(tensor.R(100, 103))
	for range 2000 {
		if err := tensor.WithMutableData(view, func(v []int64) error { v[1]++; return nil }); err != nil {
			return err
		}
	}
	func() {
		defer func() { _ = recover() }()
		_ = tensor.WithMutableData(view, func(v []int64) error { v[2] = 7; panic("f") })
	}()
	failed := errors.New("f's own")
	if err := tensor.WithMutableData(view, func(v []int64) error { v[0] = 5; return failed }); err != failed {
		return fmt.Errorf("the error of f came back as %v", err)
	}
	err := tensor.WithData(view, func(v []int64) error { v[0] = 9; return nil }) // a misuse that stays without effect
	v, err2 := tensor.Data[int64](x.Slice(tensor.R(99, 104)))
	if got := fmt.Sprint(v); got != "[1 5 2001 7 1]" {
		return fmt.Errorf("the elements are %s", got)
	}
	return errors.Join(err, err2, tensor.WithData(x.Slice(tensor.R(0, 0)), func(v []int64) error {
		if len(v) != 0 {
			return fmt.Errorf("%d elements of none", len(v))
		}
		return nil
	}))
}

func TestAKeptSliceFaults(t *testing.T) {
	for _, what := range []string{"kept", "kept, large", "kept for long"} {
		out, err := inGuardChild(t, what)
		if err == nil || !strings.Contains(out, "unexpected fault address") || !strings.Contains(out, "useAfterLending") {
			t.Errorf("%s: %v, it printed:\n%s", what, err, out)
		}
	}
}

func TestGuardedLendingWrites(t *testing.T) {
	if out, err := inGuardChild(t, "written"); err != nil || !strings.Contains(out, "done") {
		t.Errorf("%v, it printed:\n%s", err, out)
	}
}
