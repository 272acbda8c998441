package devicetest

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// orderChecks prove that operations take effect in the order of the calls,
// from one goroutine and from many.
func orderChecks() []check {
	return []check{
		{"order of writes, launches and copies", (*suite).checkOrder},
		{"free with work in flight", (*suite).checkFreeInFlight},
		{"drop with work in flight", (*suite).checkDropInFlight},
		{"many goroutines", (*suite).checkConcurrent},
	}
}

// single returns the case of one operation of float32 on a line of n, without
// guard words of its own.
func single(op kernels.Op, n int) (*launchCase, error) {
	b := kernels.NewBuilder()
	args := make([]kernels.Value, op.Row().Arity)
	for i := range args {
		args[i] = b.Input(dtype.Float32)
	}
	v, err := b.Apply(op, kernels.Attr{}, args...)
	if err != nil {
		return nil, err
	}
	b.Output(v)
	p, err := b.Program()
	if err != nil {
		return nil, err
	}
	return onForm(op.String(), p, sameShape("line", dense, n), newSource(1, plain)), nil
}

// line launches op over the first n float32 of buffers: inputs, then the output.
func (s *suite) line(op kernels.Op, n int, bufs ...device.Buffer) error {
	c, err := single(op, n)
	if err != nil {
		return err
	}
	plan, err := c.plan()
	if err != nil {
		return err
	}
	places := make([]device.Operand, len(bufs))
	for i, b := range bufs {
		places[i].Buffer = b
	}
	last := len(places) - 1
	return s.dev.Run(&device.Launch{Program: c.program, Plan: plan, Inputs: places[:last], Outputs: places[last:], Label: op.String()})
}

// constant returns n float32 of value x as bytes.
func constant(n int, x float64) []byte {
	cells := make([]uint64, n)
	for i := range cells {
		cells[i] = fromFloat(dtype.Float32, x)
	}
	return encode(4, cells)
}

// checkOrder interleaves writes, launches and copies on the same buffers
// without waiting: acc = acc + x for x = 1, 2, 3, ..., where x is overwritten
// while earlier launches may still wait.
func (s *suite) checkOrder() error {
	const n, rounds = 3000, 20
	acc, err := s.filled(constant(n, 0))
	if err != nil {
		return err
	}
	defer acc.Free()
	x, err := s.filled(constant(n, 0))
	if err != nil {
		return err
	}
	defer x.Free()
	tmp, err := s.dev.Alloc(4 * n)
	if err != nil {
		return err
	}
	defer tmp.Free()
	for i := range rounds {
		if err := errors.Join(
			s.dev.Write(x, 0, constant(n, float64(i+1))),
			s.line(kernels.Add, n, acc, x, tmp),
			s.dev.Write(x, 0, constant(n, -1e9)),
			s.dev.Copy(acc, 0, tmp, 0, 4*n),
			s.line(kernels.Neg, n, tmp, tmp),
		); err != nil {
			return err
		}
	}
	if err := errors.Join(s.holds(acc, constant(n, rounds*(rounds+1)/2)), s.holds(tmp, constant(n, -rounds*(rounds+1)/2))); err != nil {
		return err
	}
	return s.dev.Sync()
}

// checkFreeInFlight frees an operand right after the launch that uses it.
func (s *suite) checkFreeInFlight() error {
	return s.inFlight(20, device.Buffer.Free)
}

// checkDropInFlight drops an operand without Free, with the garbage collector
// running.
func (s *suite) checkDropInFlight() error {
	return s.inFlight(10, func(device.Buffer) {})
}

// inFlight squares an operand, ends its life with end, and fills memory of the
// same size with something else while the launch may still wait.
func (s *suite) inFlight(rounds int, end func(x device.Buffer)) error {
	const n = 2000
	for i := range rounds {
		y, err := s.dev.Alloc(4 * n)
		if err != nil {
			return err
		}
		if err := s.squareOnce(n, float64(i), y, end); err != nil {
			return err
		}
		runtime.GC()
		spoiler, err := s.filled(constant(n, -1e9))
		if err != nil {
			return err
		}
		err = s.holds(y, constant(n, float64(i*i)))
		spoiler.Free()
		y.Free()
		if err != nil {
			return fmt.Errorf("round %d: %w", i, err)
		}
	}
	return nil
}

// squareOnce is a function of its own so that nothing refers to x afterwards.
func (s *suite) squareOnce(n int, value float64, y device.Buffer, end func(x device.Buffer)) error {
	x, err := s.filled(constant(n, value))
	if err != nil {
		return err
	}
	defer end(x)
	return s.line(kernels.Square, n, x, y)
}

// checkConcurrent works from many goroutines on buffers of their own and on
// one that all read.
func (s *suite) checkConcurrent() error {
	const n, workers, rounds = 700, 8, 10
	common, err := s.filled(constant(n, 3))
	if err != nil {
		return err
	}
	defer common.Free()
	errs := make([]error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for r := range rounds {
				errs[w] = errors.Join(errs[w], s.concurrentRound(common, n, float64(w*rounds+r)))
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

func (s *suite) concurrentRound(common device.Buffer, n int, value float64) error {
	own, err := s.filled(constant(n, value))
	if err != nil {
		return err
	}
	defer own.Free()
	if err := errors.Join(s.line(kernels.Mul, n, own, common, own), s.line(kernels.Add, n, own, common, own)); err != nil {
		return err
	}
	got := make([]byte, 4*n)
	if err := s.dev.Read(got, own, 0); err != nil {
		return err
	}
	if !bytes.Equal(got, constant(n, 3*value+3)) {
		return fmt.Errorf("3*%v + 3 is wrong: first element %v", value, decode(4, got)[0])
	}
	if err := s.reduceOnce(common, n); err != nil {
		return err
	}
	return s.dev.Sync()
}

// reduceOnce sums common, all of whose elements are 3.
func (s *suite) reduceOnce(common device.Buffer, n int) error {
	c, err := single(kernels.Sum, n)
	if err != nil {
		return err
	}
	c.reduced = 1
	c.out[0].view = dense([]int{1})
	plan, err := c.plan()
	if err != nil {
		return err
	}
	result, err := s.dev.Alloc(4)
	if err != nil {
		return err
	}
	defer result.Free()
	if err := s.dev.Run(&device.Launch{Program: c.program, Plan: plan, Inputs: []device.Operand{{Buffer: common}},
		Outputs: []device.Operand{{Buffer: result}}, Label: "sum"}); err != nil {
		return err
	}
	return s.holds(result, constant(1, float64(3*n)))
}

// checkCloseBusy closes the device while a buffer lives. It is the last check:
// a device that gives in is closed.
func (s *suite) checkCloseBusy() error {
	content := noise(9, 64)
	b, err := s.filled(content)
	if err != nil {
		return err
	}
	defer b.Free()
	if err := s.dev.Close(); !errors.Is(err, device.ErrBusy) {
		return fmt.Errorf("Close with a live buffer returned %v, want ErrBusy", err)
	}
	if err := s.holds(b, content); err != nil {
		return fmt.Errorf("after a refused Close: %w", err)
	}
	return nil
}
