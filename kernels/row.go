package kernels

import (
	"math"
	"slices"

	"github.com/stride0/stride0/dtype"
)

// Row is everything stride0 knows about an operation. Loops, GPU source,
// tests and documentation are derived from it.
type Row struct {
	Name  string  // as kernels are named: "add"
	Arity int     // tensor operands
	Rule  Rule    // dtypes of arguments and result
	Kinds KindSet // kinds the computation is defined for
	Doc   string  // one line: what an element of the result is

	// Params names the trailing operands that a method takes as numbers
	// (float64): the slope of leakyrelu. They are operands like the others, so
	// that Into takes a tensor there too.
	Params []string

	// Exactly one of these three says what it computes.
	Expr   Expr       // element-wise
	Reduce *Reduction // a reduction over Attr.Axes
	Expand Expand     // a composition of other rows

	Empty bool // a composite that is defined over no elements, whatever its reductions are

	Ref Ref // an independent reference, for tests
	// RefUint is Ref.Int for uint64, whose upper half an int64 does not hold;
	// nil where that of int64 gives the same bits, as for sums.
	RefUint func(x []uint64) uint64
	Bound   Bound // the error allowed against Ref
	// Terms, where set, is the magnitude of what the result is a sum of. Where
	// that is larger than the result, because terms cancel, Bound counts in its
	// last places: near the zeros of lgamma at negative arguments, say.
	Terms func(x []float64) float64
	Hot   bool // gets assembly and embedded PTX

	// Raw rows move elements or work on their bits, so that halves need no detour
	// through float32.
	Raw bool
}

// Expr is an element-wise expression per dtype class. Halves are computed in
// Float32 (Row.Computes), or moved by it. A nil entry means that the kind is not
// in Row.Kinds.
type Expr struct {
	Float32, Float64, Int, Bool func(e *Emit, x []V) V
}

// For returns the expression for computing dtype d, or nil.
func (x Expr) For(d dtype.DType) func(e *Emit, x []V) V {
	switch {
	case d == dtype.Float32, d.IsHalf():
		return x.Float32
	case d == dtype.Float64:
		return x.Float64
	case d == dtype.Bool:
		return x.Bool
	case d.IsInteger():
		return x.Int
	}
	return nil
}

// Computes returns the dtype in which the row computes elements of type d: a
// Program converts before and after it. Halves are computed in float32, and
// narrow integers and bools are reduced in 64 bits, so that a device needs no
// code for each of them. What asks only whether elements are 0 takes bools.
func (r *Row) Computes(d dtype.DType) dtype.DType {
	switch {
	case r.Rule == RuleTruth || r.Rule == RuleCount:
		return dtype.Bool
	case r.Raw || r.Rule == RuleCast:
		return d
	case d.IsHalf():
		return dtype.Float32
	case r.Reduce == nil || d.IsFloat():
		return d
	case d.Kind() == dtype.IntKind:
		return dtype.Int64
	}
	return dtype.Uint64
}

// widens reports whether the row does not compute in the dtypes of its
// operands and its result.
func (r *Row) widens(args []dtype.DType, result dtype.DType) bool {
	return slices.ContainsFunc(args, func(d dtype.DType) bool { return r.Computes(d) != d }) ||
		result.IsHalf() && r.Computes(result) != result
}

// Reduction describes a reduction as a monoid over states. A state is a tuple
// of values; elements become states by Lift, states combine, and the last
// state becomes the result by Finish. Combine is applied in the canonical
// tree, see Block; where Ordered is false it is associative and commutative
// to the last bit, so that any order gives the same result.
type Reduction struct {
	Lift     func(e *Emit, x, index V) []V       // index: int64 position in the reduced sequence
	Identity func(e *Emit, elem dtype.DType) []V // the state that changes no other
	Combine  func(e *Emit, s, t []V) []V         // s before t
	Finish   func(e *Emit, s []V) V
	Ordered  bool // on floats the order of combining changes the bits: sums, products
	Empty    bool // defined over no elements (sum is, max is not)
}

// Expand builds a composite row's Program: in are values of b, and
// Builder.Count gives the number of elements a reduction takes in. It returns
// the result.
type Expand func(b *Builder, in []Value, a Attr) (Value, error)

// Bound is the greatest error of a result against Ref, in units in the last
// place of its dtype; 0 means equal, 0.5 correctly rounded. Integers are
// always equal. For float sums the unit is the last place of the sum of the
// magnitudes, and the bound is per factor of 1,024 elements.
type Bound struct{ Float32, Float64 float64 }

// Ref computes one result in wide arithmetic from the standard library. Float
// and Int serve the computing kinds float and integer or bool (as 0 and 1);
// an integer result wraps to its width afterwards, a bool is whether it is not 0.
type Ref struct {
	Float func(x []float64) float64
	Int   func(x []int64) int64
}

// Cancelled returns how many units in the last place of want, the result of
// type d for x, are one of Terms: a power of two, and 1 unless terms cancel.
// Where Terms are infinite any finite error is allowed.
func (r *Row) Cancelled(d dtype.DType, x []float64, want float64) float64 {
	if r.Terms == nil || math.IsInf(want, 0) || want != want {
		return 1
	}
	terms := r.Terms(x)
	if math.IsInf(terms, 0) {
		return math.MaxFloat64
	}
	place := func(v float64) int {
		_, e := math.Frexp(v)
		if v == 0 {
			e = math.MinInt32
		}
		return max(e, 2-floatLayoutOf(d).bias)
	}
	return math.Ldexp(1, max(place(terms)-place(want), 0))
}

// KindSet is a set of dtype kinds.
type KindSet uint8

// The sets that rows use.
const (
	Floats   KindSet = 1 << dtype.FloatKind
	Integers KindSet = 1<<dtype.IntKind | 1<<dtype.UintKind
	Bools    KindSet = 1 << dtype.BoolKind
	Numeric          = Floats | Integers
	AllKinds         = Numeric | Bools
)

// Has reports whether the set holds the kind of d.
func (s KindSet) Has(d dtype.DType) bool { return s&(1<<d.Kind()) != 0 }
