package devicetest

import (
	"fmt"
	"math"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// application is a row at one set of dtypes, as a Program that devices must run.
type application struct {
	name    string // "add_float32"
	use     use
	row     *kernels.Row
	sig     kernels.Signature
	program *kernels.Program
	whole   bool // the program is the row, so that its reference applies
}

// applications returns every row of the op table at every dtype it takes. A
// row that devices need not run as a whole comes as the pieces it is split into.
func applications() ([]application, error) {
	var all []application
	for _, op := range kernels.Ops() {
		for _, use := range uses(op) {
			as, err := use.applications()
			if err != nil {
				return nil, err
			}
			all = append(all, as...)
		}
	}
	return all, nil
}

// use is a row with the dtypes of its operands.
type use struct {
	op     kernels.Op
	attr   kernels.Attr
	leaves []kernels.Leaf
}

// uses lists the operands of a row by its rule: one dtype for all, all pairs
// for casts, an index and scalars for generated data.
func uses(op kernels.Op) []use {
	row := op.Row()
	var out []use
	for _, d := range dtype.All() {
		in := kernels.Leaf{Kind: kernels.OpInput, DType: d}
		scalar := kernels.Leaf{Kind: kernels.OpScalar, DType: d}
		index := kernels.Leaf{Kind: kernels.OpIndex, DType: dtype.Int64}
		switch row.Rule {
		case kernels.RuleCast, kernels.RuleBits:
			for _, to := range dtype.All() {
				out = append(out, use{op, kernels.Attr{DType: to}, []kernels.Leaf{in}})
			}
		case kernels.RuleArange:
			out = append(out, use{op, kernels.Attr{DType: d}, []kernels.Leaf{index, scalar, scalar}})
		case kernels.RuleRandom:
			seed := kernels.Leaf{Kind: kernels.OpScalar, DType: dtype.Uint64}
			out = append(out, use{op, kernels.Attr{DType: d}, []kernels.Leaf{index, seed}})
		case kernels.RuleWhere:
			mask := kernels.Leaf{Kind: kernels.OpInput, DType: dtype.Bool}
			out = append(out, use{op, kernels.Attr{}, []kernels.Leaf{mask, in, in}})
		case kernels.RuleMask:
			mask := kernels.Leaf{Kind: kernels.OpInput, DType: dtype.Bool}
			out = append(out, use{op, kernels.Attr{}, []kernels.Leaf{in, mask, in}})
		default:
			leaves := make([]kernels.Leaf, row.Arity)
			for i := range leaves {
				leaves[i] = in
				if row.Expand != nil && i >= row.Arity-len(row.Params) {
					leaves[i] = scalar // the parameter of a reduction is the same for all elements
				}
			}
			out = append(out, use{op: op, leaves: leaves})
		}
	}
	return out
}

// applications returns the use as runnable Programs; none where the row is
// not defined for its dtypes.
func (u use) applications() ([]application, error) {
	args := make([]kernels.Arg, len(u.leaves))
	for i, l := range u.leaves {
		args[i].DType = l.DType
	}
	sig, err := kernels.Resolve(u.op, u.attr, args)
	if err != nil {
		return nil, nil // the table's own word on which dtypes a row takes
	}
	p, err := kernels.Single(u.op, sig, sig.Result, u.leaves...)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", u.op, err)
	}
	name := u.op.String() + "_" + u.leaves[len(u.leaves)-1].DType.String()
	if last := u.leaves[len(u.leaves)-1].DType; sig.Result != last {
		name += "_" + sig.Result.String()
	}
	pieces, err := kernels.Split(p, kernels.SplitRunnable)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var out []application
	for i, piece := range pieces {
		a := application{name: name, use: u, row: u.op.Row(), sig: sig, program: piece.Program, whole: len(pieces) == 1}
		if !a.whole {
			a.name = fmt.Sprintf("%s piece %d", name, i)
		}
		out = append(out, a)
	}
	return out, nil
}

// reduces reports whether the application is a reduction.
func (a application) reduces() bool { return a.program.Reduce >= 0 }

// needsElements reports whether the application's reduction has no result
// when it reduces nothing.
func (a application) needsElements() bool {
	return a.reduces() && !a.program.Instrs[a.program.Reduce].Op.Row().Reduce.Empty
}

// bound returns the row's error bound in units of the result. A half is the
// result of float32, rounded.
func (a application) bound() float64 {
	b := a.row.Bound
	switch d := a.sig.Result; {
	case d == dtype.Float64:
		return b.Float64
	case d.IsHalf() && b.Float32 > 0:
		digits, _, _ := precision(d)
		return 0.5 + math.Ldexp(b.Float32, digits-24)
	}
	return b.Float32
}

// computes returns the dtype of the row's arguments, but for a condition.
func (a application) computes() dtype.DType { return a.sig.Args[a.row.Arity-1] }

// on puts the application on a form, its operands filled by src.
func (a application) on(f form, src *source) *launchCase {
	return onForm(a.name, a.program, f, src)
}
