package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

func setupKernel(flags *flag.FlagSet) func(io.Writer) error {
	op := flags.String("op", "", "the operation: add, sum, ...; also as the first word")
	dialect := flags.String("dialect", "opencl", "the language to spell it in: opencl or cuda")
	elem := flags.String("dtype", "float32", "the element type of the operands")
	to := flags.String("to", "float64", "the element type that cast converts to")
	form := flags.String("form", "", "how operands lie: flat, ls, rs, nd3, r4 ...; rows, block, lead for reductions")
	return func(out io.Writer) error {
		d, err := kernels.DialectNamed(*dialect)
		if err != nil {
			return err
		}
		source, err := kernelSource(d, *op, *elem, *to, *form)
		if err != nil {
			return err
		}
		_, err = io.WriteString(out, source)
		return err
	}
}

// kernelSource spells one operation as the first piece that devices must run.
func kernelSource(d *kernels.Dialect, name, elem, to, form string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("name an operation, as in stride0 kernel add; there are %s", operations())
	}
	op, ok := kernels.OpByName(name)
	if !ok {
		return "", fmt.Errorf("no operation %q; there are %s", name, operations())
	}
	p, err := program(op, elem, to)
	if err != nil {
		return "", err
	}
	pieces, err := kernels.Split(p, kernels.SplitRunnable)
	if err != nil {
		return "", err
	}
	p = pieces[0].Program
	l, err := kernels.Lower(p)
	if err != nil {
		return "", err
	}
	if form == "" {
		form = "flat"
		if l.Reduce != nil {
			form = "rows"
		}
	}
	f, err := kernels.FormNamed(l, form)
	if err != nil {
		return "", err
	}
	return kernels.Spell(d, p, l, f, l.Stages()...)
}

// program builds the operation on operands of one dtype, as tensors do.
func program(op kernels.Op, elem, to string) (*kernels.Program, error) {
	d, err := dtypeNamed(elem)
	if err != nil {
		return nil, err
	}
	attr := kernels.Attr{DType: d}
	row := op.Row()
	leaves := make([]kernels.Leaf, row.Arity)
	for i := range leaves {
		leaves[i] = kernels.Leaf{Kind: kernels.OpInput, DType: d}
	}
	switch row.Rule {
	case kernels.RuleCast, kernels.RuleBits:
		if attr.DType, err = dtypeNamed(to); err != nil {
			return nil, err
		}
	case kernels.RuleWhere:
		leaves[0].DType = dtype.Bool
	case kernels.RuleMask:
		leaves[1].DType = dtype.Bool
	case kernels.RuleArange:
		leaves[0] = kernels.Leaf{Kind: kernels.OpIndex, DType: dtype.Int64}
		leaves[1].Kind, leaves[2].Kind = kernels.OpScalar, kernels.OpScalar
	case kernels.RuleRandom:
		leaves[0] = kernels.Leaf{Kind: kernels.OpIndex, DType: dtype.Int64}
		leaves[1] = kernels.Leaf{Kind: kernels.OpScalar, DType: dtype.Uint64}
	}
	args := make([]kernels.Arg, len(leaves))
	for i, l := range leaves {
		args[i].DType = l.DType
	}
	sig, err := kernels.Resolve(op, attr, args)
	if err != nil {
		return nil, err
	}
	return kernels.Single(op, sig, sig.Result, leaves...)
}

func dtypeNamed(name string) (dtype.DType, error) {
	var names []string
	for _, d := range dtype.All() {
		if d.String() == name {
			return d, nil
		}
		names = append(names, d.String())
	}
	return dtype.Invalid, fmt.Errorf("no dtype %q; there are %s", name, strings.Join(names, ", "))
}

// operations lists the names of all operations.
func operations() string {
	var names []string
	for _, op := range kernels.Ops() {
		names = append(names, op.String())
	}
	return strings.Join(names, ", ")
}
