package devicetest

import (
	"slices"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// opChecks test every row at every dtype in one form, on the values at which
// it may go wrong, and in place.
func opChecks(apps []application) []check {
	var checks []check
	for _, group := range byRow(apps) {
		checks = append(checks, check{"op " + group[0].row.Name, func(s *suite) error {
			var errs collector
			for _, a := range group {
				if a.reduces() {
					errs.add(s.checkReduction(a))
				} else {
					errs.add(s.checkElements(a))
					errs.add(s.checkInPlace(a))
				}
			}
			return errs.err()
		}})
	}
	return checks
}

// byRow groups applications, which come in the order of the table.
func byRow(apps []application) [][]application {
	var groups [][]application
	for i, a := range apps {
		if i == 0 || apps[i-1].row != a.row {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], a)
	}
	return groups
}

// checkElements runs an element-wise application in one form.
func (s *suite) checkElements(a application) error {
	for _, c := range elementCases(a.name, a.program) {
		if err := s.checkCase(a, c); err != nil {
			return err
		}
	}
	return nil
}

// checkCase compares with the oracle, then with the reference.
func (s *suite) checkCase(a application, c *launchCase) error {
	got, err := s.try(a.name, c)
	if err != nil || got == nil {
		return err
	}
	return a.checkReference(c, got[0])
}

// pairs returns columns in which the specials of the last two dtypes meet, one
// of them in core; a column before them draws from its own.
func pairs(types []dtype.DType) [][]uint64 {
	if len(types) == 0 {
		return nil
	}
	columns := make([][]uint64, len(types))
	last := special(types[len(types)-1])
	other := []uint64{0}
	if len(types) > 1 {
		other = special(types[len(types)-2])
	}
	rng := newSource(3, wild)
	for j, y := range other {
		for k, x := range last {
			if j >= core && k >= core {
				continue
			}
			for i, d := range types {
				v := rng.next(d)
				switch i {
				case len(types) - 1:
					v = x
				case len(types) - 2:
					v = y
				}
				columns[i] = append(columns[i], v)
			}
		}
	}
	return columns
}

// checkInPlace runs the application with its result in the very place of each
// input of the same size.
func (s *suite) checkInPlace(a application) error {
	var errs collector
	out := a.program.Instrs[a.program.Outputs[0]].Type
	for i, d := range a.program.Inputs {
		if d.Size() != out.Size() {
			continue
		}
		for _, f := range []form{sameShape("in place", dense, 67), sameShape("in place, strided", reversedInner, 5, 19), sameShape("in place, transposed", transposed, 9, 7)} {
			c := a.on(f, newSource(uint64(i), wild))
			c.out[0] = c.in[i].as(out)
			_, err := s.try(a.name, c)
			errs.add(err)
		}
	}
	return errs.err()
}

// widened reports whether the row computes in another dtype than its operands',
// so that a device has no code for these but conversions.
func (a application) widened() bool {
	return slices.ContainsFunc(a.program.Inputs, func(d dtype.DType) bool { return a.row.Computes(d) != d })
}

// checkReduction covers the moods a reduction is sensitive to.
func (s *suite) checkReduction(a application) error {
	var errs collector
	forms := []form{reducing("inner", dense, 0b10, 4, 1100), reducing("leading", dense, 0b01, 70, 9),
		reducing("rows of two", dense, 0b10, 70, 2), reducing("rows of three", dense, 0b10, 70, 3),
		reducing("rows of four", dense, 0b10, 70, 4), reducing("rows of 31", dense, 0b10, 40, 31)}
	moods := []mood{plain, sparse, ties, wild}
	switch {
	case s.fewKernels():
		forms = []form{reducing("inner", dense, 0b10, 4, 1000)}
	case a.widened() && !s.full: // the loops are those of another dtype
		forms, moods = []form{reducing("inner", dense, 0b10, 4, 70)}, []mood{plain, wild}
	}
	for _, m := range moods {
		for _, f := range forms {
			errs.add(s.checkCase(a, a.on(f, newSource(uint64(m), m))))
		}
	}
	sizes := []int{40, 1}
	if s.fewKernels() && !slices.Contains(reduceFormOps, a.name) {
		sizes = sizes[:1] // nothing to reduce takes a kernel of its own
	}
	for _, n := range sizes {
		zeros := a.on(reducing("only -0", dense, 0b10, 4, n), newSource(0, plain))
		zeros.in[0].set([]uint64{negativeZero(a.program.Inputs[0])})
		errs.add(s.checkCase(a, zeros))
	}
	return errs.err()
}

// The rows that meet every form: one for each arity and element width,
// non-commutative where possible; reductions to one value and to two parts of
// a state; and more reductions, which only differ in dtype and in what follows
// them, where kernels come at no cost.
var (
	mapFormOps = []string{
		"neg_float32", "neg_float64", "copy_uint8", "cast_uint8_float64", "cast_float64_bool",
		"sub_float32", "sub_float64", "minimum_uint8", "lt_float64_bool",
		"where_float32", "where_float64", "where_uint8", "arange_int32",
		"sub_int16", "where_float16", "cast_float32_bfloat16", "cast_float16_float64",
	}
	reduceFormOps = []string{"sum_float32", "sum_float64", "sum_uint8_uint64", "max_uint8", "argmax_float64_int64"}
	moreFormOps   = []string{"max_float32", "max_int64", "mean_float32", "mean_int32_float32"}
)

// formChecks test every form with the rows of formOps, or with all.
func (s *suite) formChecks(apps []application) []check {
	var checks []check
	for _, a := range apps {
		if !s.full && !slices.Contains(s.formOps(), a.name) {
			continue
		}
		forms := mapForms()
		if a.reduces() {
			forms = reduceForms()
		}
		checks = append(checks, check{"forms " + a.name, func(s *suite) error {
			var errs collector
			for i, f := range forms {
				errs.add(s.checkForm(a, f, uint64(i)))
			}
			return errs.err()
		}})
	}
	return checks
}

// checkForm runs an application on one form, if it is defined there.
func (s *suite) checkForm(a application, f form, seed uint64) error {
	if a.needsElements() && f.reducesNothing() && !f.empty() || a.indexes() && len(f.space) == 0 {
		return nil
	}
	m := wild
	if a.reduces() {
		m = []mood{plain, sparse, ties}[seed%3]
	}
	_, err := s.try(a.name, a.on(f, newSource(seed, m)))
	return err
}

// indexes reports whether the application reads an index along axis 0.
func (a application) indexes() bool {
	return slices.ContainsFunc(a.program.Instrs, func(in kernels.Instr) bool { return in.Op == kernels.OpIndex })
}

// empty reports whether the form has no results.
func (f form) empty() bool { return count(f.out.sizes) == 0 }
