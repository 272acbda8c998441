package kernels

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
)

// Dialect is a C-like language as kernels need it: the words in which it
// differs from others. What they share is in spell_c.go and after.
type Dialect struct {
	Name string // as the command line takes it

	// Types of C. Int and Uint have 32 bits, Long and Ulong 64, whatever a
	// plain int has there. A bool is stored and computed with as a byte, 0 or 1, a
	// half as the bit pattern of an unsigned integer.
	Types                  [dtype.Count]string
	Int, Uint, Long, Ulong string

	Header func(float64Used bool) string // before everything else
	Kernel string                        // before a kernel's name
	Begin  string                        // first in a kernel's body
	Rolled string                        // before a loop that is not worth unrolling
	Global string                        // of a pointer to device memory; may be empty, as Begin
	Shared string                        // of an array that a group shares
	Sync   string                        // waits for the group, orders its shared memory

	GlobalID [3]string // a work-item's place in the grid
	LocalID  [3]string // and in its group
	MulHi    func(a, b string) string

	// Primitives that are not operators of C.
	Const   func(d dtype.DType, pattern uint64) string
	Bits    func(to, from dtype.DType, a string) string
	Convert func(to, from dtype.DType, a string) string // from an integer or bool to a float, or between floats: to nearest even
	Div     func(d dtype.DType, a, b string) string
	Sqrt    func(d dtype.DType, a string) string
	Fma     func(d dtype.DType, a, b, c string) string
}

// unsignedOf returns the unsigned type, of 32 bits or a long's width, in which
// arithmetic wraps where the signed type's overflow is undefined.
func (d *Dialect) unsignedOf(t dtype.DType) string {
	if t == dtype.Int64 {
		return d.Ulong
	}
	return d.Uint
}

// global spells a pointer into device memory.
func (d *Dialect) global(to string) string {
	if d.Global == "" {
		return to + " *"
	}
	return d.Global + " " + to + " *"
}

// DialectNamed returns a dialect by name. Errors: there is none.
func DialectNamed(name string) (*Dialect, error) {
	for _, d := range [...]*Dialect{OpenCL, CUDA} {
		if d.Name == name {
			return d, nil
		}
	}
	return nil, fmt.Errorf("no dialect %q; there are %s and %s", name, OpenCL.Name, CUDA.Name)
}
