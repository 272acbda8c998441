package devicetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stride0/stride0/kernels"
)

// Compiler is what a device may offer to tests: it spells the kernel of any
// Program by the same rules and compiles it when it is first needed, which
// takes a good part of a second. Run then proves as much with fewer kernels,
// unless everything is asked for (-full): element-wise operations are tested
// many to a Program, in one form; other Programs meet the forms of up to three
// axes; and fewer reductions meet every form.
type Compiler interface {
	Compiles()
}

// fewKernels reports whether each kernel is expensive.
func (s *suite) fewKernels() bool {
	_, ok := s.dev.(Compiler)
	return ok && !s.full
}

// opChecks test every row at every dtype: element-wise ones in batches where
// kernels are expensive, and then in place only those that meet every form.
func (s *suite) opChecks(apps []application) []check {
	if !s.fewKernels() {
		return opChecks(apps)
	}
	var batched, apart []application
	for _, a := range apps {
		if a.whole && !a.reduces() {
			batched = append(batched, a)
		} else {
			apart = append(apart, a)
		}
	}
	inPlace := check{"in place", func(s *suite) error {
		var errs collector
		for _, a := range batched {
			if slices.Contains(mapFormOps, a.name) {
				errs.add(s.checkInPlace(a))
			}
		}
		return errs.err()
	}}
	return slices.Concat(batchChecks(batched), []check{inPlace}, opChecks(apart))
}

// A batch is applications on operands of the same dtypes, and so on the same
// operands: one Program yields what each of them computes.
type batch []application

// batchSize bounds the outputs of a Program: a device may allow as few as
// 1,024 bytes of arguments.
const batchSize = 12

// batches puts applications together, in the order of the table.
func batches(apps []application) []batch {
	var out []batch
	open := map[string]int{} // by what the operands are: index of the batch to fill
	for _, a := range apps {
		key := fmt.Sprint(a.use.leaves)
		i, ok := open[key]
		if !ok || len(out[i]) == batchSize {
			i = len(out)
			open[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], a)
	}
	return out
}

func (b batch) name() string {
	names := make([]string, len(b))
	for i, a := range b {
		names[i] = a.name
	}
	return strings.Join(names, " ")
}

// program returns the Program of a batch: output i is that of application i.
func (b batch) program() (*kernels.Program, error) {
	builder := kernels.NewBuilder()
	var args []kernels.Value
	for _, l := range b[0].use.leaves {
		switch l.Kind {
		case kernels.OpIndex:
			args = append(args, builder.Index(int(l.Axis)))
		case kernels.OpScalar:
			args = append(args, builder.Scalar(l.DType))
		default:
			args = append(args, builder.Input(l.DType))
		}
	}
	for _, a := range b {
		v, err := builder.Apply(a.use.op, a.use.attr, args...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
		builder.Output(v)
	}
	return builder.Program()
}

// batchChecks test applications as opChecks does, batch by batch.
func batchChecks(apps []application) []check {
	var checks []check
	for _, b := range batches(apps) {
		checks = append(checks, check{"ops " + b.name(), func(s *suite) error { return s.checkBatch(b) }})
	}
	return checks
}

// checkBatch is checkElements for a batch. What a device declines as a whole,
// maybe because of one dtype, it may well do one by one.
func (s *suite) checkBatch(b batch) error {
	p, err := b.program()
	if err != nil {
		return err
	}
	var errs collector
	for _, c := range elementCases(b.name(), p) {
		got, err := s.try(b.name(), c)
		errs.add(err)
		if err == nil && got == nil {
			delete(s.declined, b.name())
			for _, a := range b {
				errs.add(s.checkElements(a))
			}
			return errs.err()
		}
		for i, a := range b {
			if err == nil {
				errs.add(a.checkReference(c, got[i]))
			}
		}
	}
	return errs.err()
}

// elementCases meet every special value with every other, then values in the
// middle of the range.
func elementCases(name string, p *kernels.Program) []*launchCase {
	columns := pairs(p.Inputs)
	n := 200
	if len(columns) > 0 {
		n = len(columns[0])
	}
	special := onForm(name, p, sameShape("special values", dense, n), newSource(1, plain))
	for i := range special.in {
		special.in[i].set(columns[i])
	}
	return []*launchCase{special, onForm(name, p, sameShape("plain values", dense, 333), newSource(2, plain))}
}

// formOps returns the names of the rows that meet every form.
func (s *suite) formOps() []string {
	if s.fewKernels() {
		return slices.Concat(mapFormOps, reduceFormOps)
	}
	return slices.Concat(mapFormOps, reduceFormOps, moreFormOps)
}

// upTo3 drops the forms of more axes when kernels are expensive.
func (s *suite) upTo3(forms []form) []form {
	if s.fewKernels() {
		forms = slices.DeleteFunc(forms, func(f form) bool { return len(f.space) > 3 })
	}
	return forms
}
