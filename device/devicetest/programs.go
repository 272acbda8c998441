package devicetest

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// programChecks run Programs of several instructions, outputs, scalars and
// indices, and operands that share a buffer.
func programChecks() []check {
	var checks []check
	for _, p := range programs {
		checks = append(checks, check{"program " + p.name, func(s *suite) error {
			var errs collector
			built, err := p.build()
			if err != nil {
				return err
			}
			for i, f := range s.upTo3(p.forms()) {
				m := []mood{plain, sparse, wild}[i%3]
				_, err := s.try(p.name, onForm(p.name, built, f, newSource(uint64(i), m)))
				errs.add(err)
			}
			return errs.err()
		}})
	}
	return append(checks, check{"operands that share a buffer", (*suite).checkShared})
}

// sample is a Program worth testing as a whole.
type sample struct {
	name  string
	write func(b *kernels.Builder, do applyFunc)
	forms func() []form
}

func (p sample) build() (*kernels.Program, error) {
	b := kernels.NewBuilder()
	p.write(b, func(op kernels.Op, args ...kernels.Value) kernels.Value {
		v, err := b.Apply(op, kernels.Attr{}, args...)
		if err != nil {
			return -1 // the Builder keeps the error
		}
		return v
	})
	return b.Program()
}

// programs are the samples.
var programs = []sample{
	{"chain with three outputs", func(b *kernels.Builder, do applyFunc) {
		x, y, z := b.Input(dtype.Float32), b.Input(dtype.Float32), b.Input(dtype.Float32)
		v := do(kernels.Add, do(kernels.Mul, x, y), z)
		b.Output(v)
		b.Output(do(kernels.Tanh, v))
		b.Output(do(kernels.Lt, v, y))
	}, someMapForms},
	{"long chain", func(b *kernels.Builder, do applyFunc) {
		v := b.Input(dtype.Float32)
		y := b.Input(dtype.Float32)
		for range 6 {
			v = do(kernels.Sigmoid, do(kernels.Sub, do(kernels.Exp, v), y))
		}
		b.Output(v)
	}, someMapForms},
	{"mixed dtypes", func(b *kernels.Builder, do applyFunc) {
		i, f, m := b.Input(dtype.Int32), b.Input(dtype.Float64), b.Input(dtype.Uint8)
		v := do(kernels.Mul, do(kernels.Add, i, f), m)
		b.Output(v)
		b.Output(b.Cast(v, dtype.Int32))
		b.Output(do(kernels.Where, do(kernels.Ge, i, m), i, m))
	}, someMapForms},
	{"scalars of every dtype", func(b *kernels.Builder, do applyFunc) {
		x := b.Input(dtype.Float32)
		v := do(kernels.Add, b.Scalar(dtype.Bool), b.Scalar(dtype.Uint8))
		v = do(kernels.Add, v, do(kernels.Mul, b.Scalar(dtype.Int32), b.Scalar(dtype.Int64)))
		b.Output(do(kernels.Sub, x, v))
		b.Output(do(kernels.Sub, do(kernels.Mul, b.Scalar(dtype.Float64), x), b.Scalar(dtype.Float32)))
	}, someMapForms},
	{"scalars only", func(b *kernels.Builder, _ applyFunc) {
		b.Output(b.Scalar(dtype.Float64))
		b.Output(b.Scalar(dtype.Uint8))
		b.Output(b.Scalar(dtype.Bool))
	}, someMapForms},
	{"one value twice, and an input nobody reads", func(b *kernels.Builder, do applyFunc) {
		x := b.Input(dtype.Int64)
		b.Input(dtype.Float32)
		v := do(kernels.Square, x)
		b.Output(v)
		b.Output(v)
		b.Output(x)
	}, someMapForms},
	{"indices", func(b *kernels.Builder, do applyFunc) {
		i, j := b.Index(0), b.Index(1)
		b.Output(do(kernels.Sub, do(kernels.Mul, i, b.Scalar(dtype.Int64)), j))
		b.Output(do(kernels.Where, do(kernels.Le, j, i), b.Input(dtype.Float32), b.Scalar(dtype.Float32)))
	}, indexForms},
	{"random bits", func(b *kernels.Builder, _ applyFunc) {
		v, _ := b.Apply(kernels.Random, kernels.Attr{DType: dtype.Float32}, b.Index(1), b.Scalar(dtype.Uint64))
		w, _ := b.Apply(kernels.Random, kernels.Attr{DType: dtype.Float64}, b.Index(0), b.Scalar(dtype.Uint64))
		b.Output(v)
		b.Output(w)
	}, indexForms},
	{"root of the mean of squares", func(b *kernels.Builder, do applyFunc) {
		x, mu := b.Input(dtype.Float32), b.Input(dtype.Float32)
		sum := do(kernels.Sum, do(kernels.Square, do(kernels.Sub, x, mu)))
		mean := do(kernels.Div, sum, b.Count(dtype.Float32))
		b.Output(sum)
		b.Output(do(kernels.Sqrt, mean))
		b.Output(do(kernels.Gt, mean, b.Scalar(dtype.Float32)))
	}, someReduceForms},
	{"weighted sum of integers", func(b *kernels.Builder, do applyFunc) {
		x, w := b.Input(dtype.Int32), b.Input(dtype.Int64)
		b.Output(do(kernels.Neg, do(kernels.Sum, do(kernels.Mul, x, w))))
	}, someReduceForms},
	{"sum beyond an index", func(b *kernels.Builder, do applyFunc) {
		far := do(kernels.Lt, b.Scalar(dtype.Int64), b.Index(1))
		b.Output(do(kernels.Sum, do(kernels.Where, far, b.Input(dtype.Float32), b.Scalar(dtype.Float32))))
	}, indexReduceForms},
	{"argmax of a distance", func(b *kernels.Builder, do applyFunc) {
		x, y := b.Input(dtype.Float32), b.Input(dtype.Float32)
		b.Output(do(kernels.ArgMax, do(kernels.Abs, do(kernels.Sub, x, y))))
	}, someReduceForms},
}

type applyFunc = func(op kernels.Op, args ...kernels.Value) kernels.Value

// someMapForms are forms of each class.
func someMapForms() []form {
	fs := append(stretchedForms(), cornerForms()...)
	return append(fs, sameShape("flat", dense, 1025), sameShape("strided", reversedInner, 5, 19),
		sameShape("transposed", transposed, 33, 17), sameShape("long", dense, 5000))
}

// indexForms have at least two axes, which a Plan must not fuse or flip.
func indexForms() []form {
	return []form{
		sameShape("grid", dense, 7, 33),
		sameShape("transposed", transposed, 33, 7),
		sameShape("backwards", reversed, 5, 70),
		sameShape("swirled", swirled, 3, 4, 5, 2),
		sameShape("ones", oddOnes, 1, 9, 1),
		sameShape("tall", dense, 1030, 2),
		sameShape("wide", dense, 2, 1030),
		sameShape("one element", dense, 1, 1),
		sameShape("empty", dense, 4, 0),
		broadcasting("stretched", []int{6, 11}, at(dense, 11), at(dense, 6, 1), at(dense)),
	}
}

func indexReduceForms() []form {
	return []form{
		reducing("rows", dense, 0b10, 5, 70),
		reducing("leading", dense, 0b01, 70, 5),
		reducing("all", dense, 0b11, 33, 35),
		reducing("middle, backwards", reversed, 0b010, 4, 40, 3),
		reducing("outer and inner, transposed", transposed, 0b101, 5, 4, 9),
		reducing("long", dense, 0b10, 2, 2100),
		reducing("nothing", dense, 0, 4, 5),
		reducing("no elements", dense, 0b01, 0, 3),
	}
}

// someReduceForms have two inputs: one whole, one stretched along the reduced
// axes, the kept ones, or none.
func someReduceForms() []form {
	var fs []form
	for _, f := range indexReduceForms()[:7] {
		along, across := f, f
		along.name, across.name = f.name+", second stretched along", f.name+", second stretched across"
		along.in[1] = spec{sizes: f.out.sizes, place: dense}
		across.in[1] = spec{sizes: f.space[len(f.space)-1:], place: dense}
		fs = append(fs, f, along, across)
	}
	return fs
}

// onForm puts a Program on a form.
func onForm(name string, p *kernels.Program, f form, src *source) *launchCase {
	c := &launchCase{name: name + ", " + f.name, program: p, space: f.space, reduced: f.reduced}
	for i, d := range p.Inputs {
		o := newOperand(d, f.in[i].operandView(), guardCells+f.in[i].lead)
		o.fill(src)
		c.in = append(c.in, o)
	}
	for _, d := range p.Scalars {
		c.scalars = append(c.scalars, src.next(d))
	}
	for _, v := range p.Outputs {
		c.out = append(c.out, newOperand(p.Instrs[v].Type, f.out.operandView(), guardCells+f.out.lead))
	}
	for _, in := range p.Instrs {
		if in.Op == kernels.OpIndex {
			c.indexed |= 1 << broadcast.AxisMask(in.Slot)
		}
	}
	return c
}
