package tensor

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stride0/stride0/dtype"
)

// TestShelfGivesStorageToTheNextResult frees small results in every way that
// must, or must not, give their storage to the next one.
func TestShelfGivesStorageToTheNextResult(t *testing.T) {
	ones := Ones(dtype.Float32, 2, 3)
	sum := func() *Tensor { return ones.Add(ones) }
	for _, c := range []struct {
		name string
		free func(x *Tensor)
		want bool
	}{
		{"freed", func(x *Tensor) { _ = x.Free() }, true},
		{"freed twice", func(x *Tensor) { _, _ = x.Free(), x.Free() }, true},
		{"freed with its views", func(x *Tensor) { v := x.T(); _, _ = x.Free(), v.Free() }, true},
		{"freed by a scope", func(x *Tensor) { s := NewScope(); v := x.In(s); _ = x.Free(); s.Close(); _ = v }, true},
		{"freed without its view", func(x *Tensor) { v := x.T(); _ = x.Free(); t.Cleanup(func() { _ = v.Free() }) }, false},
		{"dropped", func(*Tensor) {}, false},
	} {
		took := false
		for range 20 { // a sync.Pool may lose what it was given, and does so under the race detector
			x := sum()
			was := x.store
			c.free(x)
			y := sum()
			took = took || y.store == was
			if got := mustData(t, y); !slices.Equal(got, []float32{2, 2, 2, 2, 2, 2}) {
				t.Fatalf("%s: the next result is %v", c.name, got)
			}
		}
		if took != (c.want && shelved) {
			t.Errorf("%s: storage was used again: %v, want %v", c.name, took, c.want)
		}
	}
	if ones.Free(); Ones(dtype.Float32, 2, 3).store == ones.store {
		t.Error("what a constructor made was given away: operations do not hold it")
	}
}

// TestDataBesideFree reads a tensor that another goroutine frees, while results
// of another size take over its storage: what the race detector watches.
func TestDataBesideFree(t *testing.T) {
	five, zero, one := Full(dtype.Float32, 5, 4), Zeros(dtype.Float32, 4), Ones(dtype.Float32, 2)
	for range 500 {
		x := five.Add(zero)
		var both sync.WaitGroup
		both.Go(func() {
			for range 50 {
				if v, err := Data[float32](x); err == nil && !slices.Equal(v, []float32{5, 5, 5, 5}) {
					t.Errorf("read %v", v)
				} else if err != nil && !errors.Is(err, ErrFreed) {
					t.Error(err)
				}
			}
		})
		both.Go(func() {
			_ = x.Free()
			for range 50 {
				_ = one.Add(one).Free()
			}
		})
		both.Wait()
	}
}

// TestShelfKeepsNoScope gives the storage of a result that belonged to a scope
// to one that does not, and drops the scope without closing it.
func TestShelfKeepsNoScope(t *testing.T) {
	ones := Ones(dtype.Float32, 3)
	takenOver := func() (z *Tensor, ended *atomic.Bool) {
		for range 100 {
			s, ended := NewScope(), new(atomic.Bool)
			runtime.AddCleanup(s, func(b *atomic.Bool) { b.Store(true) }, ended)
			y := ones.In(s).Add(ones)
			was := y.store
			_ = y.Free()
			if z := ones.Add(ones); z.store == was {
				return z, ended
			}
		}
		return nil, nil
	}
	z, ended := takenOver()
	if z == nil {
		t.Skip("no storage was used again")
	}
	for start := time.Now(); !ended.Load(); time.Sleep(time.Millisecond) {
		if runtime.GC(); time.Since(start) > 10*time.Second {
			t.Fatal("a result keeps the scope of the tensor whose storage it took over")
		}
	}
	runtime.KeepAlive(z)
}

func mustData(t *testing.T, x *Tensor) []float32 {
	t.Helper()
	v, err := Data[float32](x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestShelfOfSizes has results of one class of storage with each number of
// elements.
func TestShelfOfSizes(t *testing.T) {
	for n := range 40 {
		x := Full(dtype.Int64, n, n).Add(Full(dtype.Int64, 1, n))
		y := Full(dtype.Int64, n, n).Mul(Full(dtype.Int64, 2, n))
		got, err := Data[int64](x)
		if err != nil || len(got) != n || n > 0 && (got[0] != int64(n+1) || got[n-1] != int64(n+1)) {
			t.Fatalf("%d: %v, %v", n, got, err)
		}
		_, _ = x.Free(), y.Free()
	}
}

// TestFreeBesideOperations frees results while other goroutines compute with
// them and new results take over their storage: an operation sees the elements
// of its operand, or that it was freed.
func TestFreeBesideOperations(t *testing.T) {
	five, zero := Full(dtype.Float32, 5, 4), Full(dtype.Float32, 0, 4)
	var wait sync.WaitGroup
	for range 300 {
		x := five.Add(zero)
		for range 2 {
			wait.Go(func() {
				for i := range 20 {
					y := x.Add(x)
					if i%2 == 1 {
						y = x.MulScalar(2).Neg().Neg()
					}
					switch got, err := Data[float32](y); {
					case errors.Is(err, ErrFreed):
						return
					case err != nil || !slices.Equal(got, []float32{10, 10, 10, 10}):
						t.Errorf("%v, %v", got, err)
					}
				}
			})
		}
		wait.Go(func() {
			_ = x.Free()
			for i := range 20 {
				z := zero.AddScalar(i).Exp()
				_ = z.Free()
				z = zero.AddScalar(i)
				_ = z.Free()
			}
		})
		wait.Wait()
	}
}

// TestFreedTensorsHoldNothing has a tensor that was freed, after an operation
// had looked at it, try to hold its storage, which another tensor has by now.
func TestFreedTensorsHoldNothing(t *testing.T) {
	ones := Ones(dtype.Float32, 3)
	for range 100 {
		x := ones.Add(ones)
		_ = x.Free()
		y := ones.Add(ones)
		if y.store != x.store {
			continue // lost by the sync.Pool
		}
		if x.acquire() {
			t.Fatal("held")
		}
		if n := y.store.refs.Load(); n != 1 {
			t.Fatalf("%d references, want 1", n)
		}
		return
	}
	t.Fatal("no storage was used again")
}
