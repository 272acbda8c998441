package tensor_test

import (
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// large is a number of elements beyond what lives in a tensor's own allocation.
const large = 1 << 12

func TestFreeOnce(t *testing.T) {
	for _, n := range []int{2, large} {
		x := iota32(n)
		if err := x.Free(); err != nil {
			t.Fatal(err)
		}
		if err := x.Free(); err != tensor.ErrFreed {
			t.Errorf("the second Free: %v", err)
		}
		if err := x.Err(); err != tensor.ErrFreed {
			t.Errorf("Err: %v", err)
		}
		wantError(t, x.Add(x).Err(), tensor.ErrFreed, "add", "lifetime_test.go")
		wantError(t, iota32(n).Add(x).Err(), tensor.ErrFreed)
		wantError(t, x.Reshape(n).Err(), tensor.ErrFreed, "reshape")
		_, err := tensor.Data[float32](x)
		wantError(t, err, tensor.ErrFreed, "data")
		wantError(t, tensor.Into(x, kernels.Add, x, x), tensor.ErrFreed)
		if x.Shape().Size() != 1 || len(x.Shape()) != 0 || x.Device() != nil || x.DType() != dtype.Invalid {
			t.Errorf("a freed tensor has shape %v, dtype %v", x.Shape(), x.DType())
		}
	}
}

func TestViewsKeepTheirBaseAlive(t *testing.T) {
	for _, n := range []int{4, large} {
		x := iota32(n)
		v := x.Slice(tensor.R(0, 2))
		if err := x.Free(); err != nil {
			t.Fatal(err)
		}
		wantData(t, v, tensor.Shape{2}, float32(0), 1)
		w := v.Flip()
		if err := v.Free(); err != nil {
			t.Fatal(err)
		}
		wantData(t, w, tensor.Shape{2}, float32(1), 0)
		if err := errors.Join(w.Free(), nil); err != nil {
			t.Fatal(err)
		}
	}
}

func live() int64 { return device.Stats(cpu.Default()).Pool.Live }

// settle waits until the pool has taken back what is garbage.
func settle() {
	for range 3 {
		runtime.GC()
	}
	_ = cpu.Default().Close() // waits for cleanups; refuses as long as others hold blocks
}

func TestFreeGivesMemoryBackWithTheLastView(t *testing.T) {
	settle()
	before := live()
	x := tensor.Zeros(dtype.Float32, large)
	v := x.Slice(tensor.R(1, 3))
	held := live() - before
	if held < 4*large {
		t.Fatalf("%d bytes are live for %d", held, 4*large)
	}
	_ = x.Free()
	if live()-before != held {
		t.Error("memory went away under a view")
	}
	_ = v.Free()
	if got := live() - before; got > 0 {
		t.Errorf("%d bytes are still live", got)
	}
}

func TestFailuresGiveMemoryBack(t *testing.T) {
	settle()
	before := live()
	wantError(t, tensor.NewRand(1).Uniform(dtype.Int64, large).Err(), nil, "uniform")
	x := tensor.Zeros(dtype.Float32, large)
	v := x.Flip()
	wantError(t, tensor.Into(x, kernels.Add, v, iota32(3)), nil, "add")
	_, _ = v.Free(), x.Free()
	if got := live() - before; got > 0 {
		t.Errorf("%d bytes are still live", got)
	}
}

func TestDroppedResultsAreCollected(t *testing.T) {
	x := tensor.Ones(dtype.Float32, large)
	const limit = 512 << 20
	rounds, smallRounds := 20_000, 100_000
	if raced {
		rounds, smallRounds = 500, 2000
	}
	for i := range rounds { // 320 MB if nothing came back: the pool must pace itself
		if err := x.Add(x).Err(); err != nil {
			t.Fatal(err)
		}
		if i%1000 == 0 && live() > limit/2 {
			t.Fatalf("%d bytes are live after %d results", live(), i)
		}
	}
	small := tensor.Ones(dtype.Float32, 8)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range smallRounds {
		small.Add(small)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("%d dropped results left %d bytes", smallRounds, grown)
	}
}

// A result is right although its operands are garbage while it is computed.
func TestOperandsDroppedInFlight(t *testing.T) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	for i := range 100 {
		y := tensor.Full(dtype.Float32, i, large).Add(tensor.Full(dtype.Float32, 1, large)).Max()
		if v, err := tensor.Item[float32](y); v != float32(i+1) || err != nil {
			t.Errorf("round %d: %v, %v", i, v, err)
			break
		}
	}
	close(stop)
	wg.Wait()
}

func TestConcurrentReads(t *testing.T) {
	x, y := iota32(64, 64), iota32(64)
	want := data[float32](t, x.Add(y).T().Sum(0))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				got, err := tensor.Data[float32](x.Add(y).T().Sum(0))
				if err != nil || got[63] != want[63] {
					t.Errorf("%v, %v", got, err)
				}
				_ = x.String()
			}
		})
	}
	wg.Wait()
}

// A Free in another goroutine makes operations fail or lets them finish.
func TestConcurrentFree(t *testing.T) {
	for range 30 {
		x := tensor.Ones(dtype.Float32, large)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				y := x.Add(x)
				if err := y.Err(); err != nil {
					if !errors.Is(err, tensor.ErrFreed) {
						t.Error(err)
					}
					return
				}
				if v := data[float32](t, y); v[0] != 2 || v[large-1] != 2 {
					t.Errorf("%v", v[0])
				}
			})
		}
		frees := make(chan error, 2)
		for range 2 {
			wg.Go(func() { frees <- x.Free() })
		}
		wg.Wait()
		if a, b := <-frees, <-frees; (a == nil) == (b == nil) {
			t.Errorf("two Frees returned %v and %v", a, b)
		}
	}
}

func TestScope(t *testing.T) {
	x := tensor.Ones(dtype.Float32, large)
	settle()
	before := live()
	s := tensor.NewScope()
	in := x.In(s)
	a := in.Add(x)
	v := a.Reshape(-1, 2).T()
	like := tensor.ZerosLike(a)
	kept := a.MulScalar(2)
	s.Keep(kept, x) // x is no member: nothing to do
	after := kept.AddScalar(1)
	s.Close()
	s.Close()
	for name, freed := range map[string]*tensor.Tensor{"In": in, "result": a, "view": v, "like": like} {
		if freed.Err() != tensor.ErrFreed {
			t.Errorf("%s after Close: %v", name, freed.Err())
		}
	}
	for name, alive := range map[string]*tensor.Tensor{"outside": x, "kept": kept, "of a kept one": after} {
		if alive.Err() != nil {
			t.Errorf("%s after Close: %v", name, alive.Err())
		}
	}
	_, _ = kept.Free(), after.Free()
	if got := live() - before; got > 0 {
		t.Errorf("%d bytes are still live", got)
	}
	if err := a.Free(); err != tensor.ErrFreed {
		t.Errorf("Free after Close: %v", err)
	}
	if late := x.In(s); !errors.Is(late.Err(), tensor.ErrFreed) {
		t.Errorf("In of a closed scope: %v", late.Err())
	}
}

func TestOfTwoScopesTheLastOpened(t *testing.T) {
	first, last := tensor.NewScope(), tensor.NewScope()
	x, y := iota32(2).In(first), iota32(2).In(last)
	a, b := x.Add(y), y.Add(x)
	first.Close()
	if a.Err() != nil || b.Err() != nil {
		t.Errorf("closing the first scope freed results: %v, %v", a.Err(), b.Err())
	}
	last.Close()
	if a.Err() != tensor.ErrFreed || b.Err() != tensor.ErrFreed {
		t.Errorf("closing the last scope did not: %v, %v", a.Err(), b.Err())
	}
}

func TestFreeInsideAScope(t *testing.T) {
	s := tensor.NewScope()
	a := iota32(2).In(s).Add(iota32(2))
	if err := a.Free(); err != nil {
		t.Fatal(err)
	}
	s.Keep(a)
	s.Close()
	if sc := tensor.Scalar(1).In(tensor.NewScope()); sc.Err() != nil {
		t.Error(sc.Err())
	}
}

func TestScopeIsSafeForGoroutines(t *testing.T) {
	s := tensor.NewScope()
	x := iota32(8).In(s)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if err := x.Add(x).Err(); err != nil && !errors.Is(err, tensor.ErrFreed) {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(s.Close)
	wg.Wait()
}
