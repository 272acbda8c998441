package kernels

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/stride0/stride0/dtype"
)

// Value is a value of a Program: an index into Program.Instrs.
type Value int32

// Instr is a leaf or one row applied to earlier values.
type Instr struct {
	Op      Op
	Type    dtype.DType     // of the result
	Args    [MaxArity]Value // NArg of them
	NArg    int8
	Slot    int16 // OpInput: which input; OpScalar: which scalar; OpIndex: which logical axis
	Reduced bool  // one value per output of the reduction; else one per element (Full)
}

// Program is a computation as typed SSA. It is immutable once built and safe
// for concurrent use.
//
// A device must run two kinds: no Reduce and every output Full; or exactly
// one Reduce and every output Reduced (Runnable). Split cuts anything else
// into these.
type Program struct {
	Instrs    []Instr
	Outputs   []Value       // results of operations, never leaves
	Inputs    []dtype.DType // per input slot
	Scalars   []dtype.DType // per scalar slot
	CountSlot int           // the scalar slot for the number of reduced elements, or -1
	Reduces   int           // how many Reduce instructions there are
	Reduce    Value         // the last Reduce instruction, or -1

	key   string
	split *[splitModes]onceSplit // see Pieces
	host  *hostForm              // see HostForm
}

// Key returns a string that is equal for equal Programs: the part of a cache
// key that a Program decides.
func (p *Program) Key() string { return p.key }

// hostForm is what HostForm remembers of one Program, not of copies of it.
type hostForm struct {
	of   *Program
	form atomic.Pointer[any]
}

// HostForm returns what compile made of p the first time: the host device
// keeps its own form of a Program here, as long as the Program lives, so that
// a launch does not look for it. There is one host device, and so one form.
func (p *Program) HostForm(compile func(p *Program) any) any {
	if p.host == nil || p.host.of != p {
		return compile(p)
	}
	if form := p.host.form.Load(); form != nil {
		return *form
	}
	form := compile(p)
	p.host.form.CompareAndSwap(nil, &form)
	return *p.host.form.Load()
}

// TypeOf returns the dtype of the value v.
func (p *Program) TypeOf(v Value) dtype.DType { return p.Instrs[v].Type }

// Arguments returns the arguments of the instruction v.
func (p *Program) Arguments(v Value) []Value { return p.Instrs[v].Args[:p.Instrs[v].NArg] }

// Runnable reports whether every device must run p as it stands: at most one
// Reduce, all outputs on one side of it, and nothing Full made from its result.
func (p *Program) Runnable() bool {
	if p.Reduces > 1 {
		return false
	}
	for _, v := range p.Outputs {
		if p.Instrs[v].Reduced != (p.Reduces == 1) {
			return false
		}
	}
	for v, in := range p.Instrs {
		for _, a := range p.Arguments(Value(v)) {
			if p.Instrs[a].Reduced && !in.Reduced {
				return false
			}
		}
	}
	return true
}

// prune drops the instructions that no output needs. Input and scalar slots
// stay, so that launches need not know what was dropped.
func (p *Program) prune() {
	needed := make([]bool, len(p.Instrs))
	for _, v := range p.Outputs {
		needed[v] = true
	}
	for v := len(p.Instrs) - 1; v >= 0; v-- {
		if needed[v] {
			for _, a := range p.Arguments(Value(v)) {
				needed[a] = true
			}
		}
	}
	place := make([]Value, len(p.Instrs))
	var kept []Instr
	p.Reduces, p.Reduce = 0, -1
	for v, in := range p.Instrs {
		if !needed[v] {
			continue
		}
		for i := range in.Args[:in.NArg] {
			in.Args[i] = place[in.Args[i]]
		}
		place[v] = Value(len(kept))
		if row := in.Op.Row(); row != nil && row.Reduce != nil {
			p.Reduces, p.Reduce = p.Reduces+1, place[v]
		}
		kept = append(kept, in)
	}
	outputs := make([]Value, len(p.Outputs))
	for i, v := range p.Outputs {
		outputs[i] = place[v]
	}
	p.Instrs, p.Outputs = kept, outputs
}

// makeKey spells the Program as bytes: each list but the last is preceded by
// its length, and an Op tells how many arguments follow.
func (p *Program) makeKey() string {
	var k []byte
	number := func(n int) { k = binary.AppendVarint(k, int64(n)) }
	number(len(p.Inputs))
	for _, d := range p.Inputs {
		number(int(d))
	}
	number(len(p.Scalars))
	for _, d := range p.Scalars {
		number(int(d))
	}
	number(len(p.Instrs))
	for v, in := range p.Instrs {
		number(int(in.Op))
		number(int(in.Type))
		number(int(in.Slot))
		for _, a := range p.Arguments(Value(v)) {
			number(v - int(a))
		}
	}
	for _, v := range p.Outputs {
		number(int(v))
	}
	return string(k)
}
