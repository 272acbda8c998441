package servers

import (
	"github.com/stride0/stride0/bench"
	"github.com/stride0/stride0/bench/peers/protocol"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/tensor"
)

// Garbage is the mode that allocates the result and leaves it to the garbage
// collector; in mode alloc it is freed, as libraries do that count references.
const Garbage = "garbage"

// ours is package tensor on the CPU.
func ours(int) (protocol.Maker, error) {
	dev, err := device.Open("cpu")
	if err != nil {
		return nil, err
	}
	return func(w string) (map[string]protocol.Run, error) {
		device.Trim(dev)
		c, ok := find(w)
		if !ok {
			return nil, nil
		}
		return tensorRuns(dev, c)
	}, nil
}

// contiguous is package tensor on the contiguous addition of as many bytes.
func contiguous(int) (protocol.Maker, error) {
	dev, err := device.Open("cpu")
	if err != nil {
		return nil, err
	}
	return func(w string) (map[string]protocol.Run, error) {
		device.Trim(dev)
		c, ok := find(w)
		if !ok {
			return nil, nil
		}
		return tensorRuns(dev, c.Flat())
	}, nil
}

func tensorRuns(dev device.Device, c bench.Case) (map[string]protocol.Run, error) {
	r, err := c.Make(dev, 1)
	if err != nil {
		return nil, err
	}
	runs := map[string]protocol.Run{
		protocol.Alloc: func() error { return freed(r.Fresh(true)) },
		Garbage:        func() error { _, err := r.Fresh(false); return err },
	}
	if r.Into != nil {
		runs[protocol.Out] = func() error { _, err := r.Into(); return err }
	}
	return runs, nil
}

func freed(t *tensor.Tensor, err error) error {
	if err != nil {
		return err
	}
	return t.Free()
}

// tooLong is the product for which a plain loop takes a second.
const tooLong = 1e9

// loop is the hand-written twin of each case but long products.
func loop(int) (protocol.Maker, error) {
	dev, err := device.Open("cpu")
	if err != nil {
		return nil, err
	}
	return func(w string) (map[string]protocol.Run, error) {
		c, ok := find(w)
		if !ok || c.Flops > tooLong {
			return nil, nil
		}
		r, err := c.Make(dev, 1)
		if err != nil || r.Twin == nil {
			return nil, err
		}
		return map[string]protocol.Run{protocol.Out: func() error { r.Twin(); return nil }}, nil
	}, nil
}
