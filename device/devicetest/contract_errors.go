package devicetest

import (
	"errors"
	"fmt"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// checkFreeTwice frees again after others took the memory: nothing of theirs
// may change.
func (s *suite) checkFreeTwice() error {
	first, err := s.filled(noise(1, 100))
	if err != nil {
		return err
	}
	first.Free()
	content := noise(2, 100)
	second, err := s.filled(content)
	if err != nil {
		return err
	}
	defer second.Free()
	first.Free()
	third, err := s.filled(noise(3, 100))
	if err != nil {
		return err
	}
	defer third.Free()
	first.Free()
	if err := s.dev.Sync(); err != nil {
		return err
	}
	return s.holds(second, content)
}

// uses are calls on a good buffer and one that must be refused.
func (s *suite) uses(good, bad device.Buffer) map[string]error {
	raw := make([]byte, 8)
	errs := map[string]error{
		"Write":     s.dev.Write(bad, 0, raw),
		"Read":      s.dev.Read(raw, bad, 0),
		"Copy to":   s.dev.Copy(bad, 0, good, 0, 8),
		"Copy from": s.dev.Copy(good, 0, bad, 0, 8),
	}
	c, err := single(kernels.Neg, 2)
	if err != nil {
		return map[string]error{"build": err}
	}
	plan, err := c.plan()
	if err != nil {
		return map[string]error{"plan": err}
	}
	for i, who := range []string{"Run from", "Run to"} {
		places := []device.Operand{{Buffer: good}, {Buffer: good}}
		places[i].Buffer = bad
		errs[who] = s.dev.Run(&device.Launch{Program: c.program, Plan: plan, Inputs: places[:1], Outputs: places[1:], Label: "neg"})
	}
	if m, ok := s.dev.(device.MatMuler); ok {
		for i := range 3 {
			bufs := [3]device.Buffer{good, good, good}
			bufs[i] = bad
			errs[fmt.Sprintf("MatMul operand %d", i)] = m.MatMul(oneByOne(bufs[0], bufs[1], bufs[2]))
		}
	}
	s.useAbilities(good, bad, errs)
	return errs
}

// oneByOne multiplies two numbers.
func oneByOne(a, b, c device.Buffer) *device.MatMul {
	return &device.MatMul{DType: dtype.Float32, M: 1, N: 1, K: 1, LDA: 1, LDB: 1, LDC: 1,
		A: device.Operand{Buffer: a}, B: device.Operand{Buffer: b, Offset: 4}, C: device.Operand{Buffer: c, Offset: 8}, Label: "matmul"}
}

func (s *suite) checkUseAfterFree() error {
	good, err := s.filled(make([]byte, 64))
	if err != nil {
		return err
	}
	defer good.Free()
	freed, err := s.filled(make([]byte, 64))
	if err != nil {
		return err
	}
	freed.Free()
	for call, err := range s.uses(good, freed) {
		if !errors.Is(err, device.ErrFreed) {
			return fmt.Errorf("%s with a freed buffer returned %v, want ErrFreed", call, err)
		}
	}
	return s.dev.Sync()
}

// checkForeign hands the device buffers that are not its own.
func (s *suite) checkForeign() error {
	good, err := s.filled(make([]byte, 64))
	if err != nil {
		return err
	}
	defer good.Free()
	other := Lagging(s.dev, LagOptions{})
	foreign, err := other.Alloc(64)
	if err != nil {
		return err
	}
	defer foreign.Free()
	for name, bad := range map[string]device.Buffer{"another device's buffer": foreign, "no buffer": nil} {
		for call, err := range s.uses(good, bad) {
			if err == nil {
				return fmt.Errorf("%s accepted %s", call, name)
			}
		}
	}
	return s.dev.Sync()
}

// checkLaunchBounds launches on buffers that are one element too short, and at
// offsets before and behind them: an error, and nothing written.
func (s *suite) checkLaunchBounds() error {
	const n = 64 // elements of four bytes: whole blocks of any allocator
	content := noise(8, 4*n)
	b, err := s.filled(content)
	if err != nil {
		return err
	}
	defer b.Free()
	c, err := single(kernels.Neg, n)
	if err != nil {
		return err
	}
	plan, err := c.plan()
	if err != nil {
		return err
	}
	inside := device.Operand{Buffer: b}
	for _, off := range []int64{-4, 4, 4 * n, 1 << 40} {
		outside := device.Operand{Buffer: b, Offset: off}
		for who, places := range map[string][2]device.Operand{"input": {outside, inside}, "output": {inside, outside}} {
			err := s.dev.Run(&device.Launch{Program: c.program, Plan: plan, Inputs: places[:1], Outputs: places[1:], Label: "neg"})
			if err == nil {
				return fmt.Errorf("a launch whose %s starts at byte %d of %d and has %d succeeded", who, off, b.Size(), 4*n)
			}
		}
	}
	return s.holds(b, content)
}

// checkOutOfMemory asks for more than any machine has, and then goes on.
func (s *suite) checkOutOfMemory() error {
	for _, need := range []int64{1 << 50, 1 << 62, 1<<63 - 1} {
		b, err := s.dev.Alloc(need)
		if err == nil {
			b.Free()
			return fmt.Errorf("Alloc(%d) succeeded", need)
		}
		var oom *device.OutOfMemoryError
		if !errors.Is(err, device.ErrOutOfMemory) || !errors.As(err, &oom) {
			return fmt.Errorf("Alloc(%d) returned %v, want *OutOfMemoryError", need, err)
		}
		if oom.Need != need {
			return fmt.Errorf("Alloc(%d) reports a need of %d", need, oom.Need)
		}
	}
	c, err := single(kernels.Neg, 2)
	if err != nil {
		return err
	}
	_, err = c.run(s.dev)
	return err
}

// checkLimit lowers the limit of a Limiter to a little more than what lives.
func (s *suite) checkLimit() error {
	if err := device.SetLimit(s.dev, 0); errors.Is(err, device.ErrUnsupported) {
		return nil // no Limiter, or one in front of a device that is none
	}
	standard := device.Stats(s.dev).Pool.Limit
	limit := device.Stats(s.dev).Pool.Live + 1<<20
	if err := device.SetLimit(s.dev, limit); err != nil {
		return err
	}
	defer func() { _ = device.SetLimit(s.dev, 0) }()
	if b, err := s.dev.Alloc(1 << 16); err != nil {
		return fmt.Errorf("Alloc below the limit returned %w", err)
	} else {
		b.Free()
	}
	var oom *device.OutOfMemoryError
	if _, err := s.dev.Alloc(limit + 1); !errors.As(err, &oom) || oom.Limit != limit {
		return fmt.Errorf("Alloc above the limit of %d bytes returned %v", limit, err)
	}
	if err := device.SetLimit(s.dev, 0); err != nil {
		return err
	}
	if now := device.Stats(s.dev).Pool.Limit; now != standard {
		return fmt.Errorf("SetLimit(0) left a limit of %d, it was %d", now, standard)
	}
	return nil
}
