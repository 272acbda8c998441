package tensor_test

import (
	"errors"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
	"github.com/stride0/stride0/tensor/tensortest"
)

// alive checks which tensors are freed.
func alive(t *testing.T, when string, want bool, xs map[string]*tensor.Tensor) {
	t.Helper()
	for name, x := range xs {
		if got := x.Err() == nil; got != want {
			t.Errorf("%s: %s is alive: %v (%v), want %v", when, name, got, x.Err(), want)
		}
	}
}

// A scope inside another one: results belong to the inner while one of its
// tensors takes part, else to the outer.
func TestNestedScopes(t *testing.T) {
	tensortest.CheckLeaks(t, cpu.Default())
	x := tensor.Ones(dtype.Float32, large)
	outer := tensor.NewScope()
	a := x.In(outer)
	inner := tensor.NewScope()
	b := a.In(inner).MulScalar(2)
	c := a.AddScalar(1) // computed while inner is open, but from a only
	d := c.Add(b)
	kept := d.Sum()
	view := d.Reshape(-1, 2)
	inner.Keep(kept, c) // c is outer's: nothing to do
	inner.Close()
	alive(t, "inner closed", false, map[string]*tensor.Tensor{"b": b, "d": d, "view": view})
	alive(t, "inner closed", true, map[string]*tensor.Tensor{"x": x, "a": a, "c": c, "kept": kept})
	again := kept.In(outer).AddScalar(1)
	outer.Close()
	alive(t, "outer closed", false, map[string]*tensor.Tensor{"a": a, "c": c, "again": again})
	alive(t, "outer closed", true, map[string]*tensor.Tensor{"x": x, "kept": kept})
	wantData(t, kept, tensor.Shape{}, float32(4*large))
	must(t, x.Free())
	must(t, kept.Free())
}

// Scopes may close in any order; what belongs to the one that is open stays.
func TestOuterScopeClosesFirst(t *testing.T) {
	tensortest.CheckLeaks(t, cpu.Default())
	x := tensor.Ones(dtype.Float32, large)
	defer x.Free()
	outer, inner := tensor.NewScope(), tensor.NewScope()
	a := x.In(outer)
	b := a.In(inner)
	c := b.Add(a)
	outer.Close()
	alive(t, "outer closed", false, map[string]*tensor.Tensor{"a": a})
	alive(t, "outer closed", true, map[string]*tensor.Tensor{"b": b, "c": c})
	wantData(t, c.Slice(tensor.R(0, 2)), tensor.Shape{2}, float32(2), 2)
	wantError(t, c.Add(a).Err(), tensor.ErrFreed, "add")
	inner.Close()
	alive(t, "inner closed", false, map[string]*tensor.Tensor{"b": b, "c": c})
}

// A view that was kept holds the memory of a base that was not.
func TestKeepAView(t *testing.T) {
	tensortest.CheckLeaks(t, cpu.Default())
	s := tensor.NewScope()
	base := tensor.Arange(dtype.Float32, 0, large, 1).In(s).Square()
	view := base.Slice(tensor.R(1, 4))
	s.Keep(view)
	s.Keep(view)
	s.Close()
	alive(t, "closed", false, map[string]*tensor.Tensor{"base": base})
	wantData(t, view, tensor.Shape{3}, float32(1), 4, 9)
	after := view.AddScalar(1)
	wantData(t, after, tensor.Shape{3}, float32(2), 5, 10)
	must(t, view.Free())
	if err := view.Free(); err != tensor.ErrFreed {
		t.Errorf("the second Free: %v", err)
	}
}

// Writes inside a scope reach the tensor outside, and stay when it closes.
func TestWritesInsideAScope(t *testing.T) {
	tensortest.CheckLeaks(t, cpu.Default())
	x := tensor.Zeros(dtype.Float32, large)
	defer x.Free()
	s := tensor.NewScope()
	in := x.In(s)
	must(t, in.AddAssign(in.AddScalar(2)))
	must(t, in.Set(7, 1))
	s.Close()
	wantData(t, x.Slice(tensor.R(0, 3)), tensor.Shape{3}, float32(2), 7, 2)
	if err := in.Fill(0); !errors.Is(err, tensor.ErrFreed) {
		t.Errorf("a write after Close: %v", err)
	}
}

func TestManyNestedScopes(t *testing.T) {
	tensortest.CheckLeaks(t, cpu.Default())
	x := tensor.Ones(dtype.Float32, large)
	defer x.Free()
	var all []*tensor.Scope
	y := x
	for range 50 {
		s := tensor.NewScope()
		all = append(all, s)
		y = y.In(s).AddScalar(1)
	}
	wantData(t, y.Slice(tensor.R(0, 1)), tensor.Shape{1}, float32(51))
	for i := len(all) - 1; i >= 0; i-- {
		all[i].Close()
	}
	wantError(t, y.Err(), tensor.ErrFreed)
}

// A Scalar among the results of Compose stays what it is: it has no memory to
// give back.
func TestScalarComposedInAScope(t *testing.T) {
	s := tensor.NewScope()
	x := tensor.Ones(dtype.Float32, 2).In(s)
	r := tensor.Compose("one", 1, []*tensor.Tensor{x}, func(*tensor.Scope) ([]*tensor.Tensor, error) {
		return []*tensor.Tensor{tensor.Scalar(1.5)}, nil
	})[0]
	s.Close()
	if v, err := tensor.Item[float64](r); err != nil || v != 1.5 {
		t.Errorf("%v, %v", v, err)
	}
}
