package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// Rule decides the dtypes an operation computes in and yields.
type Rule uint8

// The rules. "Promoted" is dtype.Promote over the arguments, then dtype.Lift
// by the weak ones.
const (
	RulePromote Rule = iota // all arguments promoted; the result is the same
	RuleFloat               // as RulePromote, but integers and bool compute in float32
	RuleCompare             // arguments promoted; the result is bool
	RuleWhere               // a bool condition; the other two promoted; the result is theirs
	RuleMask                // as RuleWhere, the condition second
	RuleLogical             // any arguments, each as a bool: whether it is not zero; the result is bool
	RuleCopy                // the result is as the argument
	RuleCast                // the result is Attr.DType
	RuleBits                // the result is Attr.DType, of the same size
	RuleArange              // index int64, start and step of Attr.DType; the result is Attr.DType
	RuleRandom              // index int64, seed uint64; the result is Attr.DType, a float
	RuleSum                 // integers sum to int64 or uint64, bool to int64; floats stay
	RuleMean                // integers and bool give float32; floats stay
	RuleArg                 // the result is an int64 position
	RuleTruth               // the result is bool: of whether arguments are 0
	RuleCount               // the result is int64: how many arguments are not 0
)

// MaxArity is the greatest number of operands of a row.
const MaxArity = 3

// Arg is what Resolve needs to know of an argument: its dtype, or, when weak,
// its number.
type Arg struct {
	DType dtype.DType
	Weak  dtype.Number // Kind NoKind for a tensor
}

func (a Arg) weak() bool { return a.Weak.Kind() != dtype.NoKind }

// Signature is the outcome of Resolve: the dtype every argument is converted
// to before the operation, the numbers that weak arguments stand for, and the
// dtype of the result.
type Signature struct {
	Args   [MaxArity]dtype.DType
	Weak   [MaxArity]dtype.Number
	Result dtype.DType
}

// Resolve decides the dtypes of op on args. Weak arguments lift the kind and
// never the width; among weak arguments only, they count as bool, int64
// (uint64 above its range) or float64. Errors (*dtype.Error): no common dtype;
// a kind for which op is not defined; a weak integer outside the range of the
// dtype it meets. A comparison never fails: uint64 and a signed type are
// compared as uint64 and int64, and a number out of range is replaced by an
// infinity of its sign, which compares with every element as the number does.
func Resolve(op Op, attr Attr, args []Arg) (Signature, error) {
	row := op.Row()
	if row == nil || len(args) != row.Arity {
		return Signature{}, &dtype.Error{Msg: op.String() + " does not take these operands"}
	}
	r := resolver{row: row, attr: attr, args: args}
	for i, a := range args {
		r.sig.Weak[i] = a.Weak
	}
	r.decide()
	if r.err == nil {
		r.checkWeak()
	}
	return r.sig, r.err
}

type resolver struct {
	row  *Row
	attr Attr
	args []Arg
	sig  Signature
	err  error
}

func (r *resolver) decide() {
	s := &r.sig
	switch r.row.Rule {
	case RuleWhere, RuleMask:
		at := int(r.row.Rule - RuleWhere)
		r.condition(at)
		s.Result = r.promote(at)
		s.Args = [MaxArity]dtype.DType{s.Result, s.Result, s.Result}
		s.Args[at] = dtype.Bool
	case RuleLogical:
		r.truths()
	case RuleArange:
		s.Args = [MaxArity]dtype.DType{dtype.Int64, r.attr.DType, r.attr.DType}
		s.Result = r.attr.DType
		r.needKind(s.Result)
	case RuleRandom:
		s.Args = [MaxArity]dtype.DType{dtype.Int64, dtype.Uint64}
		s.Result = r.attr.DType
		r.needKind(s.Result)
	default:
		if r.mixed() {
			s.Args, s.Result = mixedArgs(r.args), dtype.Bool
			return
		}
		t := r.promote(-1)
		for i := range r.args {
			s.Args[i] = t
		}
		s.Result = r.result(t)
	}
}

func (r *resolver) mixed() bool {
	var types [2]dtype.DType
	if len(r.args) != len(types) {
		return false
	}
	for i, a := range r.args {
		types[i] = a.DType
	}
	return mixed(r.row, types[:])
}

// promote returns the dtype that the arguments but for a condition, which may
// be at -1, compute in.
func (r *resolver) promote(condition int) dtype.DType {
	var tensors [MaxArity]dtype.DType
	n := 0
	for i, a := range r.args {
		if i != condition && !a.weak() {
			tensors[n], n = a.DType, n+1
		}
	}
	t := r.onlyWeak(condition)
	if n > 0 {
		var err error
		if t, err = dtype.Promote(tensors[:n]...); err != nil {
			r.fail(err)
			return t
		}
		for i, a := range r.args {
			if i != condition && a.weak() {
				t = dtype.Lift(t, a.Weak)
			}
		}
	}
	if r.row.Rule == RuleFloat && !t.IsFloat() {
		t = dtype.Float32
	}
	r.needKind(t)
	return t
}

// onlyWeak is the dtype of an operation among weak numbers. Where the
// condition is a tensor, floats get the default width.
func (r *resolver) onlyWeak(condition int) dtype.DType {
	t := dtype.Bool
	for i, a := range r.args {
		if i == condition {
			continue
		}
		switch a.Weak.Kind() {
		case dtype.FloatKind:
			if condition >= 0 && !r.args[condition].weak() {
				return dtype.Float32
			}
			return dtype.Float64
		case dtype.UintKind: // above the range of int64
			t = dtype.Uint64
		case dtype.IntKind:
			if t == dtype.Bool {
				t = dtype.Int64
			}
		}
	}
	return t
}

// truths makes a bool of every argument. A weak number becomes one here,
// since a bool holds no other.
func (r *resolver) truths() {
	for i, a := range r.args {
		r.sig.Args[i] = dtype.Bool
		if a.weak() {
			r.sig.Weak[i] = dtype.BoolNumber(a.Weak.Float64() != 0)
		}
	}
	r.sig.Result = dtype.Bool
}

func (r *resolver) condition(at int) {
	if c := r.args[at]; c.weak() && c.Weak.Kind() != dtype.BoolKind || !c.weak() && c.DType != dtype.Bool {
		what := c.DType.String()
		if c.weak() {
			what = "the " + c.Weak.Kind().String() + " " + c.Weak.String()
		}
		r.fail(&dtype.Error{DTypes: []dtype.DType{c.DType}, Msg: "the condition is " + what + ", not bool",
			Hint: "compare it first, for example with Ne(tensor.Scalar(0))"})
	}
}

func (r *resolver) result(t dtype.DType) dtype.DType {
	switch r.row.Rule {
	case RuleCompare, RuleTruth:
		return dtype.Bool
	case RuleCast:
		if r.attr.DType.Size() == 0 {
			r.fail(&dtype.Error{Msg: "a cast needs a dtype"})
		}
		return r.attr.DType
	case RuleBits:
		r.needBits(t)
		return r.attr.DType
	case RuleSum:
		return sumType(t)
	case RuleMean:
		if !t.IsFloat() {
			return dtype.Float32
		}
	case RuleArg, RuleCount:
		return dtype.Int64
	}
	return t
}

func (r *resolver) needKind(t dtype.DType) {
	if t.Kind() == dtype.NoKind || !r.row.Kinds.Has(t) {
		hint := "cast to " + r.row.Kinds.String() + " first"
		if t == dtype.Bool && (r.row == Neg.Row() || r.row == BitNot.Row()) {
			hint = "not is LogicalNot; for numbers " + hint
		}
		r.fail(&dtype.Error{DTypes: []dtype.DType{t}, Msg: r.row.Name + " is not defined for " + t.String(), Hint: hint})
	}
}

// needBits makes sure that elements of type t can be read as Attr.DType.
func (r *resolver) needBits(t dtype.DType) {
	to := r.attr.DType
	if to.Size() != t.Size() || !r.row.Kinds.Has(to) {
		r.fail(&dtype.Error{DTypes: []dtype.DType{t, to}, Msg: "the bits of " + t.String() + " cannot be read as " + to.String(),
			Hint: "choose a numeric dtype of the same size; Cast converts values"})
	}
}

// checkWeak makes sure that every weak number fits the dtype it meets.
func (r *resolver) checkWeak() {
	for i, a := range r.args {
		if !a.weak() {
			continue
		}
		_, err := r.sig.Weak[i].Bits(r.sig.Args[i])
		if err == nil {
			continue
		}
		if r.row.Rule == RuleCompare {
			r.compareBeyond(i)
			return
		}
		r.fail(err)
	}
}

// compareBeyond compares with a number outside the range of the integer dtype
// it meets: in float32 with an infinity of its sign.
func (r *resolver) compareBeyond(beyond int) {
	sign := 1
	if v, ok := r.args[beyond].Weak.Int64(); ok && v < 0 {
		sign = -1
	}
	r.sig.Weak[beyond] = dtype.FloatNumber(math.Inf(sign))
	for i := range r.args {
		r.sig.Args[i] = dtype.Float32
	}
}

func (r *resolver) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// String names the kinds: "float", "integer or float".
func (s KindSet) String() string {
	switch s {
	case Floats:
		return "float"
	case Integers:
		return "integer"
	case Numeric:
		return "integer or float"
	case Bools:
		return "bool"
	case Integers | Bools:
		return "integer or bool"
	}
	return "supported"
}
