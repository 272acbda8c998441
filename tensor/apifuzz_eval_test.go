package tensor_test

import (
	"math"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// evaluator computes a Program one instruction and one element at a time,
// from nothing but the rows' expressions: it knows no Plan, no loop and no
// order but the canonical tree's.
type evaluator struct {
	p        *kernels.Program
	bodies   []kernels.Body
	reducers []*kernels.Reducer
}

// evaluators remembers what was spelt; Programs of single operations are
// themselves remembered, so equal calls meet the same one.
var evaluators = map[*kernels.Program]*evaluator{}

func evaluatorOf(p *kernels.Program) (*evaluator, error) {
	if e, ok := evaluators[p]; ok {
		return e, nil
	}
	e := &evaluator{p, make([]kernels.Body, len(p.Instrs)), make([]*kernels.Reducer, len(p.Instrs))}
	for v, in := range p.Instrs {
		var types []dtype.DType
		for _, a := range p.Arguments(kernels.Value(v)) {
			types = append(types, p.TypeOf(a))
		}
		var err error
		switch {
		case in.NArg == 0:
		case in.Op.Row().Reduce != nil:
			e.reducers[v], err = kernels.ReduceBody(in.Op, types[0])
		default:
			e.bodies[v], err = kernels.RowBody(in.Op, types, in.Type)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(evaluators) > 1<<13 {
		clear(evaluators)
	}
	evaluators[p] = e
	return e, nil
}

// space is what a Program runs over: sizes, and which axes are reduced.
type space struct {
	sizes   []int
	reduced uint32
	full    int   // elements
	kept    int   // elements of the result of a reduction
	keptOf  []int // per element, in which result it goes
}

func newSpace(sizes []int, reduced uint32) *space {
	s := &space{sizes: sizes, reduced: reduced, full: shapeSize(sizes), kept: shapeSize(sizes)}
	if reduced == 0 {
		return s
	}
	s.kept = 1
	for i, n := range sizes {
		if reduced>>i&1 == 0 {
			s.kept *= n
		}
	}
	s.keptOf = make([]int, 0, s.full)
	each(sizes, func(index []int) {
		pos := 0
		for i, n := range sizes {
			if reduced>>i&1 == 0 {
				pos = pos*n + index[i]
			}
		}
		s.keptOf = append(s.keptOf, pos)
	})
	return s
}

// values are those of one instruction: one for each element, for each result
// of the reduction, or a single one for all.
type values struct {
	bits    []uint64
	reduced bool
	uniform bool
}

func (x values) at(s *space, i int, reduced bool) uint64 {
	switch {
	case x.uniform:
		return x.bits[0]
	case x.reduced && !reduced && s.keptOf != nil:
		return x.bits[s.keptOf[i]]
	}
	return x.bits[i]
}

// run returns the elements of the first output in row-major order.
func (e *evaluator) run(s *space, inputs [][]uint64, scalars []uint64) []uint64 {
	vals := make([]values, len(e.p.Instrs))
	for v, in := range e.p.Instrs {
		switch {
		case in.Op == kernels.OpInput:
			vals[v].bits = inputs[in.Slot]
		case in.Op == kernels.OpScalar:
			vals[v] = values{bits: scalars[in.Slot : in.Slot+1], uniform: true}
		case in.Op == kernels.OpIndex:
			each(s.sizes, func(index []int) { vals[v].bits = append(vals[v].bits, uint64(index[in.Slot])) })
		case e.reducers[v] != nil:
			vals[v] = values{bits: reduceNaively(e.reducers[v], s, vals[in.Args[0]]), reduced: true}
		default:
			vals[v] = e.element(kernels.Value(v), s, vals)
		}
	}
	out := vals[e.p.Outputs[0]]
	n := s.full
	if e.p.Instrs[e.p.Outputs[0]].Reduced {
		n = s.kept
	}
	bits := make([]uint64, n)
	for i := range bits {
		bits[i] = out.at(s, i, out.reduced)
	}
	return bits
}

// element computes an instruction that is an element-wise row.
func (e *evaluator) element(v kernels.Value, s *space, vals []values) values {
	in := e.p.Instrs[v]
	out := values{reduced: in.Reduced, uniform: true}
	for _, a := range e.p.Arguments(v) {
		out.uniform = out.uniform && vals[a].uniform
	}
	n := s.full
	switch {
	case out.uniform:
		n = 1
	case out.reduced:
		n = s.kept
	}
	out.bits = make([]uint64, n)
	var args [kernels.MaxArity]uint64
	for i := range out.bits {
		for j, a := range e.p.Arguments(v) {
			args[j] = vals[a].at(s, i, out.reduced)
		}
		out.bits[i] = e.bodies[v].Eval(args[:in.NArg])[0]
	}
	return out
}

// reduceNaively reduces the elements of each result, numbered in the row-major
// order of the reduced axes.
func reduceNaively(r *kernels.Reducer, s *space, x values) []uint64 {
	states := make([][][]uint64, s.kept)
	for i := range s.full {
		k := i
		if s.keptOf != nil {
			k = s.keptOf[i]
		}
		states[k] = append(states[k], r.Lift.Eval([]uint64{x.at(s, i, false), uint64(len(states[k]))}))
	}
	identity := r.Identity.Eval(nil)
	combine := func(s, t []uint64) []uint64 { return r.Combine.Eval(append(append(make([]uint64, 0, 4), s...), t...)) }
	out := make([]uint64, s.kept)
	for k, seq := range states {
		out[k] = r.Finish.Eval(tree(seq, identity, combine))[0]
	}
	return out
}

// tree reduces as the canonical tree does: blocks of 1,024; lane l of 32 adds
// elements l, l+32, ... from the identity; lanes fold l with l+16, +8, +4, +2,
// +1; the results of the blocks are a new sequence. What meets the identity
// again does not change, so lanes without elements need not be folded.
func tree(seq [][]uint64, identity []uint64, combine func(s, t []uint64) []uint64) []uint64 {
	if len(seq) == 0 {
		return combine(identity, identity)
	}
	for {
		var blocks [][]uint64
		for start := 0; start < len(seq); start += 1024 {
			block := seq[start:min(start+1024, len(seq))]
			lanes := make([][]uint64, min(32, len(block)))
			for i, x := range block {
				if i < 32 {
					lanes[i] = identity
				}
				lanes[i%32] = combine(lanes[i%32], x)
			}
			for half := 16; half > 0; half /= 2 {
				for l := 0; l < half && l+half < len(lanes); l++ {
					lanes[l] = combine(lanes[l], lanes[l+half])
				}
				lanes = lanes[:min(half, len(lanes))]
			}
			blocks = append(blocks, lanes[0])
		}
		if seq = blocks; len(seq) == 1 {
			return seq[0]
		}
	}
}

// convert returns the elements as another dtype, as Cast does.
func convert(from, to dtype.DType, bits uint64) uint64 {
	if from == to {
		return bits
	}
	body, err := kernels.RowBody(kernels.Cast, []dtype.DType{from}, to)
	if err != nil {
		panic(err)
	}
	return body.Eval([]uint64{bits})[0]
}

// isNaNBits reports whether bits are a NaN of d.
func isNaNBits(d dtype.DType, bits uint64) bool {
	return d.IsFloat() && math.IsNaN(math.Float64frombits(convert(d, dtype.Float64, bits)))
}

// numberOfBits returns an element as a number without a width.
func numberOfBits(d dtype.DType, bits uint64) dtype.Number {
	switch {
	case d == dtype.Bool:
		return dtype.BoolNumber(bits != 0)
	case d.IsFloat():
		return dtype.FloatNumber(math.Float64frombits(convert(d, dtype.Float64, bits)))
	case d.Kind() == dtype.UintKind:
		return dtype.UintNumber(bits)
	}
	return dtype.IntNumber(int64(convert(d, dtype.Int64, bits)))
}
