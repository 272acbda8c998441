package main

import (
	"crypto/sha256"
	"fmt"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// source is the CUDA C of one module.
type source struct {
	group string // the file in the archive
	key   string
	text  string
}

// sources returns what the archive must hold, by group in the order of the op
// table: rows that are Hot for every dtype, others for one dtype.
func sources() ([]source, error) {
	var out []source
	seen := map[string]bool{}
	for _, op := range kernels.Ops() {
		if op.Row().Expand != nil {
			continue // cut into other rows
		}
		for _, p := range programs(op) {
			s, err := spell(p)
			if err != nil {
				return nil, err
			}
			for _, s := range s {
				if !seen[s.key] {
					seen[s.key] = true
					out = append(out, s)
				}
			}
		}
	}
	return out, nil
}

// spell returns the sources of p: for each form that of a short launch, and
// for reductions that of the stages of a long one.
func spell(p *kernels.Program) ([]source, error) {
	l, err := kernels.Lower(p)
	if err != nil {
		return nil, err
	}
	var out []source
	for _, f := range kernels.CommonForms(l) {
		stages := l.Stages()
		for _, part := range [][]kernels.Stage{stages[:1], stages[1:]} {
			if len(part) == 0 {
				continue
			}
			text, err := kernels.Spell(kernels.CUDA, p, l, f, part...)
			if err != nil {
				return nil, err
			}
			key := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16]
			out = append(out, source{kernels.KernelGroup(p), key, text})
		}
	}
	return out, nil
}

// programs returns the Programs of one row that are one instruction: what
// kernels.Split leaves for a device without a compiler. Halves and other
// mixtures of dtypes pass through casts.
func programs(op kernels.Op) []*kernels.Program {
	row := op.Row()
	var out []*kernels.Program
	for _, d := range dtype.All() {
		for _, to := range targets(row, d) {
			for _, leaves := range operands(row, d) {
				if p := single(op, kernels.Attr{DType: to}, leaves); p != nil {
					out = append(out, p)
				}
			}
		}
	}
	if row.Hot {
		return out
	}
	return oneDType(out)
}

// oneDType keeps the Programs that compute in the dtype that most programs
// would: float32, else int32, else the first.
func oneDType(all []*kernels.Program) []*kernels.Program {
	for _, d := range []dtype.DType{dtype.Float32, dtype.Int32} {
		var out []*kernels.Program
		for _, p := range all {
			if computes(p) == d {
				out = append(out, p)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return all
}

// computes returns the dtype of a single instruction's last argument.
func computes(p *kernels.Program) dtype.DType {
	args := p.Arguments(p.Outputs[0])
	return p.TypeOf(args[len(args)-1])
}

// targets returns the dtypes that an operation on d is asked to yield.
func targets(row *kernels.Row, d dtype.DType) []dtype.DType {
	if row.Rule == kernels.RuleCast {
		return dtype.All()
	}
	if row.Rule == kernels.RuleBits {
		return []dtype.DType{dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64}
	}
	return []dtype.DType{d}
}

// operands returns the ways in which operands of dtype d are leaves.
func operands(row *kernels.Row, d dtype.DType) [][]kernels.Leaf {
	in, scalar := kernels.Leaf{Kind: kernels.OpInput, DType: d}, kernels.Leaf{Kind: kernels.OpScalar, DType: d}
	mask := kernels.Leaf{Kind: kernels.OpInput, DType: dtype.Bool}
	index := kernels.Leaf{Kind: kernels.OpIndex, DType: dtype.Int64}
	switch row.Rule {
	case kernels.RuleArange:
		return [][]kernels.Leaf{{index, scalar, scalar}}
	case kernels.RuleRandom:
		return [][]kernels.Leaf{{index, {Kind: kernels.OpScalar, DType: dtype.Uint64}}}
	case kernels.RuleWhere:
		return [][]kernels.Leaf{{mask, in, in}, {mask, in, scalar}, {mask, scalar, in}, {mask, scalar, scalar}}
	case kernels.RuleMask:
		return [][]kernels.Leaf{{in, mask, in}, {in, mask, scalar}}
	}
	switch {
	case row.Reduce != nil:
		return [][]kernels.Leaf{{in}}
	case row.Arity == 1:
		return [][]kernels.Leaf{{in}, {scalar}}
	case row.Arity == 2:
		return [][]kernels.Leaf{{in, in}, {in, scalar}, {scalar, in}}
	}
	return [][]kernels.Leaf{{in, in, in}, {in, in, scalar}, {in, scalar, in}, {in, scalar, scalar}}
}

// single returns the Program of an operation on leaves, or nil where the row is
// not defined for them or converts operands first.
func single(op kernels.Op, attr kernels.Attr, leaves []kernels.Leaf) *kernels.Program {
	args := make([]kernels.Arg, len(leaves))
	for i, l := range leaves {
		args[i].DType = l.DType
	}
	sig, err := kernels.Resolve(op, attr, args)
	if err != nil {
		return nil // the table's own word on which dtypes a row takes
	}
	p, err := kernels.Single(op, sig, sig.Result, leaves...)
	if err != nil {
		return nil
	}
	n := 0
	for _, in := range p.Instrs {
		if in.NArg > 0 {
			n++
		}
	}
	if n != 1 {
		return nil
	}
	return p
}
