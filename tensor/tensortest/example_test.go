package tensortest_test

import (
	"fmt"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
	"github.com/stride0/stride0/tensor/tensortest"
)

// printer stands for the *testing.T of a test.
type printer struct{ cleanup func() }

func (p *printer) Helper()                           {}
func (p *printer) Cleanup(f func())                  { p.cleanup = f }
func (p *printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func ExampleCheckLeaks() {
	t := new(printer)
	tensortest.CheckLeaks(t, cpu.Default())
	cache := map[string]*tensor.Tensor{}
	cache["weights"] = tensor.Zeros(dtype.Float32, 250, 1000)
	delete(cache, "weights") // without this line the test would fail
	t.cleanup()
	fmt.Println("no leak")
	// Output:
	// no leak
}
