package tensor

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

func TestWritesAreCounted(t *testing.T) {
	x := Zeros(dtype.Float32, 4)
	v := x.Slice(R(0, 2))
	before := x.store.writes.Load()
	_ = v.Add(v)
	if err := Into(v, kernels.Add, v, v); err != nil {
		t.Fatal(err)
	}
	if err := WithMutableData(v, func([]float32) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if Into(x.BroadcastTo(3, 4), kernels.Add, x, x) == nil || WithMutableData(v, func([]int32) error { return nil }) == nil {
		t.Fatal("no errors")
	}
	if n := x.store.writes.Load() - before; n != 2 {
		t.Errorf("%d writes counted, want 2", n)
	}
}

// Operations end as many references as they begin, also when they fail.
func TestReferencesBalance(t *testing.T) {
	x, y, m := Ones(dtype.Float32, 6), Ones(dtype.Float32, 5), Ones(dtype.Float32, 2, 3)
	for _, step := range []func(){
		func() { x.Add(x) },
		func() { x.Add(y) },
		func() { x.Sum(3) },
		func() { m.MatMul(m) },
		func() { m.MatMul(m.Slice(All, R(0, End, 2))) },
		func() { m.T().BroadcastTo(3, 3, 2).Flip(1, 2).MatMul(m) },
		func() { _ = Into(x, kernels.Add, x.Flip(), y) },
		func() { _, _ = Data[float32](x) },
		func() { _ = WithData(x, func([]float32) error { return nil }) },
		func() { x.To(host()) },
	} {
		// Views that are dropped keep their reference: count them apart.
		before := x.store.refs.Load() + y.store.refs.Load()
		step()
		if d := x.store.refs.Load() + y.store.refs.Load() - before; d > 1 || d < 0 {
			t.Errorf("%d references left over", d)
		}
	}
	x3 := Ones(dtype.Float32, 2, 3)
	v := x3.T()
	if v.Reshape(6); x3.store.refs.Load() != 2 { // x3 and v
		t.Errorf("%d references after a Reshape that copied", x3.store.refs.Load())
	}
	x2 := Ones(dtype.Float32, 6)
	x2.Add(y)
	_ = Into(x2, kernels.Mul, x2, x2)
	if n := x2.store.refs.Load(); n != 1 {
		t.Errorf("%d references to a tensor without views", n)
	}
}

// A recycled task must not keep tensors alive nor carry one call's state into
// the next.
func TestTasksAreRecycledEmpty(t *testing.T) {
	x := Ones(dtype.Float32, 2, 3)
	for _, c := range []func() *Tensor{
		func() *Tensor { return x.Add(x.T()) },
		func() *Tensor { return x.Sum(1) },
		func() *Tensor { return Eye(dtype.Float32, 3) },
		func() *Tensor { return x.MatMul(x.T().Flip(0)) },
	} {
		k := new(task)
		tasks.Put(k)
		c()
		for _, k := range []*task{k, tasks.Get().(*task)} {
			if k.in != [kernels.MaxArity]*Tensor{} || k.out != nil || k.dev != nil || k.Dst != nil || k.nheld != 0 ||
				k.ncopies != 0 || k.reduced != 0 || k.indexed != 0 || k.launch.Program != nil || k.layouts[0] != nil || k.operands[0].Buffer != nil {
				t.Errorf("a recycled task holds %+v", k)
			}
		}
	}
}

// What enqueuePieces relies on: only the last piece writes the result, and all
// others write values of reductions.
func TestPiecesWriteTemporariesFirst(t *testing.T) {
	for _, op := range kernels.Ops() {
		row := op.Row()
		args := make([]kernels.Arg, row.Arity)
		leaves := make([]kernels.Leaf, len(args))
		for i := range args {
			d, kind := dtype.Float32, kernels.OpInput
			if !row.Kinds.Has(d) {
				d = dtype.Int32
			}
			if rule := row.Rule; rule == kernels.RuleWhere && i == 0 || rule == kernels.RuleMask && i == 1 {
				d = dtype.Bool
			}
			if i >= len(args)-len(row.Params) {
				kind = kernels.OpScalar
			}
			args[i], leaves[i] = kernels.Arg{DType: d}, kernels.Leaf{Kind: kind, DType: d}
		}
		sig, err := kernels.Resolve(op, kernels.Attr{DType: dtype.Float32}, args)
		if err != nil {
			t.Fatal(err)
		}
		p, err := kernels.Single(op, sig, sig.Result, leaves...)
		if err != nil {
			t.Fatal(err)
		}
		pieces, err := p.Pieces(kernels.SplitRunnable)
		if err != nil || len(p.Outputs) != 1 {
			t.Fatalf("%v: %v, %d outputs", op, err, len(p.Outputs))
		}
		for i, piece := range pieces {
			for _, v := range piece.Outputs {
				if last := i == len(pieces)-1; last != (v == p.Outputs[0]) || !last && !p.Instrs[v].Reduced || piece.Space == kernels.OneSpace {
					t.Errorf("%v: piece %d of %d yields value %d, a temporary of another kind", op, i, len(pieces), v)
				}
			}
		}
	}
}

func TestSmallResultsAreOneAllocation(t *testing.T) {
	for _, bytes := range []int{0, 1, 64, 65, 256, 257, maxSmall} {
		s := newSmall(bytes, dtype.Uint8, &rank0)
		if n := s.store.buf.Size(); n != int64(bytes) {
			t.Errorf("%d bytes for %d", n, bytes)
		}
	}
}

func TestLeadingDimension(t *testing.T) {
	x := Zeros(dtype.Float32, 4, 6)
	for _, c := range []struct {
		name  string
		view  *Tensor
		ld    int
		trans bool
		ok    bool
	}{
		{"row-major", x, 6, false, true},
		{"transposed", x.T(), 6, true, true},
		{"some columns", x.Slice(All, R(1, 4)), 6, false, true},
		{"every second row", x.Slice(R(0, End, 2)), 12, false, true},
		{"every second column", x.Slice(All, R(0, End, 2)), 0, false, false},
		{"reversed rows", x.Flip(0), 0, false, false},
		{"one row", x.Slice(R(2, 3)), 6, false, true},
		{"one column", x.Slice(All, R(2, 3)), 6, false, true},
		{"stretched rows", x.Slice(R(0, 1)).BroadcastTo(4, 6), 0, false, false},
		{"stretched columns", x.Slice(All, R(0, 1)).BroadcastTo(4, 6), 0, false, false},
		{"reversed batch", x.Reshape(2, 2, 6).Flip(0), 0, false, false},
	} {
		ld, trans, ok := leading(c.view.layout)
		if ok != c.ok || ok && (ld != c.ld || trans != c.trans) {
			t.Errorf("%s: ld %d, transposed %v, %v; want %d, %v, %v", c.name, ld, trans, ok, c.ld, c.trans, c.ok)
		}
	}
}

func TestAScopeForgetsWhatIsFreed(t *testing.T) {
	s := NewScope()
	x := Ones(dtype.Float32, 2).In(s)
	for range 10 {
		_ = x.Add(x).Free()
	}
	if len(s.members) != 1 {
		t.Errorf("the scope remembers %d tensors, want 1", len(s.members))
	}
	s.Close()
}

func TestCallerMayBeATestOfThisPackage(t *testing.T) {
	var e *Error
	if err := Ones(dtype.Float32, 2).Sum(5).Err(); !errors.As(err, &e) || !strings.Contains(e.At, "internal_test.go:") {
		t.Errorf("At is %q", e.At)
	}
}

func TestSteps(t *testing.T) {
	const two53, least, most = int64(1) << 53, int64(math.MinInt64), int64(math.MaxInt64)
	for _, c := range []struct {
		d                 dtype.DType
		start, stop, step any
		want              int
	}{
		{dtype.Float64, 0, 10.0, 1, 10}, {dtype.Float64, 0, 10, 3, 4}, {dtype.Int64, 0, -1, 1, 0}, {dtype.Int32, 5, 0, -2, 3},
		{dtype.Float32, 0, 1, 0.1, 10}, {dtype.Uint8, 1, 1, 1, 0}, {dtype.Uint8, 0, 256, 1, 256}, {dtype.Uint8, 250, 300, 7, -1},
		{dtype.Int64, two53 + 1, two53 + 3, 1, 2}, {dtype.Int64, most - 2, most, 1, 2}, {dtype.Int64, least, most, most, 3},
		{dtype.Int64, most, least, least, 2}, {dtype.Int64, least, most, 1, -1}, {dtype.Float64, two53 + 1, two53 + 3, 1, 2},
		{dtype.Int32, 0, 2.5, 1, 3}, {dtype.Int32, 2, -0.5, -1, 3}, {dtype.Uint8, 0, 255.5, 1, 256}, {dtype.Uint8, 0, 256.5, 1, -1},
		{dtype.Int64, 0, uint64(1) << 63, int64(1) << 40, 1 << 23}, {dtype.Int32, 0, 1e30, 1, -1}, {dtype.Int32, 0, -1e30, 1, 0},
		{dtype.Int32, 0.5, 3, 1, -1}, {dtype.Float32, 0, math.Inf(1), 1, -1}, {dtype.Float32, math.NaN(), 1, 1, -1},
		{dtype.Float32, 0, 0, 0, -1}, {dtype.Int32, 0, 1, 0, -1}, {dtype.Float32, 0, false, true, 0},
	} {
		var n [3]dtype.Number
		for i, v := range []any{c.start, c.stop, c.step} {
			n[i], _ = numberOf(v)
		}
		if n, err := steps(c.d, n); (err != nil) != (c.want < 0) || err == nil && n != c.want {
			t.Errorf("steps(%v, %v, %v, %v) = %d, %v, want %d", c.d, c.start, c.stop, c.step, n, err, c.want)
		}
	}
}

// noMatMul is the CPU as it would be without the ability.
type noMatMul struct {
	device.Base
	device.Device
}

// A matrix that goes through the host transposed leaves no view of itself.
func TestHostFallbackBalancesReferences(t *testing.T) {
	dev := &noMatMul{Device: host()}
	device.AllowHost(dev)
	x := On(dev).Ones(dtype.Float32, 20, 30) // too large for the Go heap
	v := x.T()
	if r := v.MatMul(x); r.Err() != nil || r.Device() != device.Device(dev) {
		t.Fatal(r.Err())
	}
	v.Free()
	if n := x.store.refs.Load(); n != 1 {
		t.Errorf("%d references, want 1", n)
	}
}
