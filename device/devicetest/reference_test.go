package devicetest

import (
	"errors"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// TestReferenceSeesWrongResults takes the oracle's own results, which must
// pass, and spoils one of them by little.
func TestReferenceSeesWrongResults(t *testing.T) {
	apps, err := applications()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, a := range apps {
		if !a.whole || a.row.Ref.Float == nil {
			continue
		}
		f := sameShape("line", dense, 50)
		if a.reduces() {
			f = reducing("rows", dense, 0b10, 5, 40)
		}
		c := a.on(f, newSource(11, plain))
		c.scalars = c.launchScalars()
		o := must(newOracle(c.program))(t)
		got := o.results(c)[0]
		if err := a.checkReference(c, got); err != nil {
			t.Errorf("right results: %v", err)
		}
		got[3] = spoil(a.sig.Result, got[3])
		if err := a.checkReference(c, got); err == nil {
			t.Errorf("%s: %s instead of %s passes", a.name, show(a.sig.Result, got[3]), show(a.sig.Result, o.results(c)[0][3]))
		}
		seen++
	}
	if seen < 100 {
		t.Errorf("only %d applications have a reference", seen)
	}
}

// spoil changes a result beyond any bound, but not by much.
func spoil(d dtype.DType, v uint64) uint64 {
	switch {
	case d == dtype.Bool:
		return v ^ 1
	case isNaN(d, v), d.IsFloat() && toFloat(d, v) == 0:
		return fromFloat(d, 3)
	case d.IsFloat():
		return v ^ 1<<12 // more than the bound of a sum
	}
	return trim(d, v+1)
}

func TestOracleRefusesWhatMustBeSplit(t *testing.T) {
	b := kernels.NewBuilder()
	x := b.Input(dtype.Float32)
	sum := must(b.Apply(kernels.Sum, kernels.Attr{}, x))(t)
	b.Output(must(b.Apply(kernels.Sub, kernels.Attr{}, x, sum))(t))
	if _, err := newOracle(must(b.Program())(t)); err == nil {
		t.Error("a program with a Reduced value that feeds a Full one is accepted")
	}
}

// TestOracleByHand compares the oracle with results worked out on paper.
func TestOracleByHand(t *testing.T) {
	c := must(single(kernels.Sub, 1))(t)
	c = onForm("sub", c.program, broadcasting("column and row", []int{2, 3}, at(dense, 2, 1), at(reversed, 3), at(dense)), newSource(1, plain))
	c.in[0].set([]uint64{fromFloat(dtype.Float32, 10), fromFloat(dtype.Float32, 20)})
	c.in[1].set([]uint64{fromFloat(dtype.Float32, 1), fromFloat(dtype.Float32, 2), fromFloat(dtype.Float32, 3)})
	got := must(newOracle(c.program))(t).results(c)[0]
	for i, want := range []float64{9, 8, 7, 19, 18, 17} {
		if toFloat(dtype.Float32, got[i]) != want {
			t.Errorf("element %d is %v, want %v", i, toFloat(dtype.Float32, got[i]), want)
		}
	}
	c = must(single(kernels.ArgMax, 1))(t)
	c = onForm("argmax", c.program, reducing("columns", dense, 0b01, 3, 2), newSource(1, plain))
	values := []float64{1, 9, 5, 9, 5, 2} // columns (1, 5, 5) and (9, 9, 2)
	cells := make([]uint64, len(values))
	for i, x := range values {
		cells[i] = fromFloat(dtype.Float32, x)
	}
	c.in[0].set(cells)
	if got := must(newOracle(c.program))(t).results(c)[0]; got[0] != 1 || got[1] != 0 {
		t.Errorf("argmax of the columns is %v, want [1 0]", got)
	}
}

func TestCollectorKeepsCount(t *testing.T) {
	var c collector
	c.add(nil)
	if c.err() != nil {
		t.Error("no error became one")
	}
	for range 5 {
		c.add(device.ErrBusy)
	}
	if err := c.err(); !errors.Is(err, device.ErrBusy) || len(c.errs) != reported+1 {
		t.Errorf("five errors became %v", err)
	}
}
