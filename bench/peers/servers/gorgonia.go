package servers

import (
	gt "gorgonia.org/tensor"

	"github.com/stride0/stride0/bench/peers/protocol"
)

// gorgonia computes on one thread, products by gonum. It has no broadcasting:
// its users repeat the smaller operand, as here, in each run.
func gorgonia(int) (protocol.Maker, error) {
	return func(w string) (map[string]protocol.Run, error) {
		switch w {
		case "W1":
			return gorgoniaPair(gt.Add, dense(1e6), dense(1e6), 1e6), nil
		case "W2":
			return gorgoniaPair(gt.Add, dense(1<<25), dense(1<<25), 1<<25), nil
		case "W3":
			return gorgoniaRepeat(dense(4096, 4096), dense(1, 4096), 0), nil
		case "W4":
			return gorgoniaRepeat(dense(4096, 4096), dense(4096, 1), 1), nil
		case "W7":
			y := dense(2048, 2048)
			if err := y.T(); err != nil {
				return nil, err
			}
			return gorgoniaPair(gt.Add, dense(2048, 2048), y, 2048, 2048), nil
		case "W8":
			return gorgoniaPair(gt.Mul, dense(1e6), float32(1.7), 1e6), nil
		case "W9exp":
			return gorgoniaUnary(gt.Exp, 1e6), nil
		case "W9tanh":
			return gorgoniaUnary(gt.Tanh, 1e6), nil
		case "W13a":
			return gorgoniaPair(gt.Add, dense(1), dense(1), 1), nil
		case "W13b":
			return gorgoniaPair(gt.Add, dense(16), dense(16), 16), nil
		case "W16":
			x, err := dense(8192, 6144).Slice(gt.S(0, 8192, 2), gt.S(0, 6144, 3))
			if err != nil {
				return nil, err
			}
			return gorgoniaPair(gt.Mul, x, dense(4096, 2048), 4096, 2048), nil
		}
		return gorgoniaMore(w), nil
	}, nil
}

// gorgoniaMore are reductions, products and softmax; nil for what it lacks.
func gorgoniaMore(w string) map[string]protocol.Run {
	switch w {
	case "W10sum":
		return gorgoniaReduce((*gt.Dense).Sum, dense(1<<25))
	case "W10sum0":
		return gorgoniaReduce((*gt.Dense).Sum, dense(4096, 4096), 0)
	case "W10sum1":
		return gorgoniaReduce((*gt.Dense).Sum, dense(4096, 4096), 1)
	case "W10max1":
		return gorgoniaReduce((*gt.Dense).Max, dense(4096, 4096), 1)
	case "W14a":
		return gorgoniaPair(gorgoniaMatMul, dense(512, 512), dense(512, 512), 512, 512)
	case "W14b":
		return gorgoniaPair(gorgoniaMatMul, dense(1024, 1024), dense(1024, 1024), 1024, 1024)
	case "W15":
		x, existing := dense(4096, 1024), dense(4096, 1024)
		run := func(opts ...gt.FuncOpt) protocol.Run {
			return func() error { _, err := gt.SoftMax(x, 1, opts...); return err }
		}
		return map[string]protocol.Run{protocol.Alloc: run(), protocol.Out: run(gt.WithReuse(existing))}
	}
	return nil
}

// dense is a tensor of random numbers.
func dense(sizes ...int) *gt.Dense {
	n := 1
	for _, size := range sizes {
		n *= size
	}
	return gt.New(gt.WithShape(sizes...), gt.WithBacking(random(n)))
}

func gorgoniaMatMul(x, y any, opts ...gt.FuncOpt) (gt.Tensor, error) {
	return gt.MatMul(x.(gt.Tensor), y.(gt.Tensor), opts...)
}

func gorgoniaPair(op func(x, y any, opts ...gt.FuncOpt) (gt.Tensor, error), x, y any, result ...int) map[string]protocol.Run {
	existing := dense(result...)
	return map[string]protocol.Run{
		protocol.Alloc: func() error { _, err := op(x, y); return err },
		protocol.Out:   func() error { _, err := op(x, y, gt.WithReuse(existing)); return err },
	}
}

func gorgoniaUnary(op func(gt.Tensor, ...gt.FuncOpt) (gt.Tensor, error), n int) map[string]protocol.Run {
	x, existing := dense(n), dense(n)
	return map[string]protocol.Run{
		protocol.Alloc: func() error { _, err := op(x); return err },
		protocol.Out:   func() error { _, err := op(x, gt.WithReuse(existing)); return err },
	}
}

func gorgoniaRepeat(x, y *gt.Dense, axis int) map[string]protocol.Run {
	existing := dense(4096, 4096)
	run := func(opts ...gt.FuncOpt) protocol.Run {
		return func() error {
			repeated, err := gt.Repeat(y, axis, 4096)
			if err == nil {
				_, err = gt.Add(x, repeated, opts...)
			}
			return err
		}
	}
	return map[string]protocol.Run{protocol.Alloc: run(), protocol.Out: run(gt.WithReuse(existing))}
}

func gorgoniaReduce(method func(*gt.Dense, ...int) (*gt.Dense, error), x *gt.Dense, along ...int) map[string]protocol.Run {
	return map[string]protocol.Run{protocol.Alloc: func() error { _, err := method(x, along...); return err }}
}
