package devicetest

import (
	"fmt"
	"math"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// scanChecks test the ability to compute running sums and their like.
func (s *suite) scanChecks() []check {
	scanner, ok := s.dev.(device.Scanner)
	if !ok {
		return nil
	}
	var checks []check
	for _, d := range []dtype.DType{dtype.Int32, dtype.Int64, dtype.Uint64, dtype.Float32, dtype.Float64, dtype.Bool} {
		for op := device.ScanSum; op <= device.ScanMax; op++ {
			if d == dtype.Bool && op < device.ScanMin {
				continue
			}
			c := scanCase{scanner, d, op}
			checks = append(checks, check{fmt.Sprintf("scan %v %v", op, d), c.check})
		}
	}
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		c := scanCase{scanner, d, device.ScanSum}
		checks = append(checks, check{fmt.Sprintf("scan sum %v bound", d), c.checkBound})
	}
	return checks
}

type scanCase struct {
	scanner device.Scanner
	dtype   dtype.DType
	op      device.ScanOp
}

// scanShapes are shapes with the axis to scan.
var scanShapes = []struct {
	sizes []int
	axis  int
}{{[]int{9}, 0}, {[]int{1}, 0}, {[]int{0}, 0}, {[]int{4, 7}, 1}, {[]int{4, 7}, 0}, {[]int{5, 130}, 0}, {[]int{130, 5}, 0},
	{[]int{3, 4, 5}, 1}, {[]int{3, 0, 5}, 2}, {[]int{3, 0, 5}, 1}, {[]int{2, 1, 3, 2}, 2}, {[]int{40, 3000}, 1}}

func (c scanCase) check(s *suite) error {
	var errs collector
	for i, sh := range scanShapes {
		for j, place := range walkPlaces {
			if j%3 != i%3 || count(sh.sizes) > 1000 && j > 3 {
				continue
			}
			in := newOperand(c.dtype, place(sh.sizes), guardCells)
			out := newOperand(c.dtype, walkPlaces[(5*j+i)%len(walkPlaces)](sh.sizes), guardCells)
			c.fill(in, uint64(i))
			errs.add(c.on(in, out, sh.axis, j%2 == 1, i/2%2 == 1).run(s.dev))
			errs.add(c.on(in, in, sh.axis, j%2 == 0, i/2%2 == 0).run(s.dev))
		}
	}
	return errs.err()
}

// fill gives values that add and multiply exactly in any order: few and small,
// or for minima and maxima any.
func (c scanCase) fill(o operand, seed uint64) {
	if c.op >= device.ScanMin {
		o.fill(newSource(seed, wild))
		return
	}
	values := []int{1, 2, -1, 0, 3, 1, -2, 1, 1}
	if c.op == device.ScanProd {
		values = []int{1, -1, 2, 1, 1, -1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}
	}
	var list []uint64
	for _, v := range values {
		list = append(list, smallest(c.dtype, v))
	}
	o.set(list)
}

// on is the case of scanning in into out, which may be in itself. A running
// product of float32 may overflow, in any order alike: its factors are powers of 2.
func (c scanCase) on(in, out operand, axis int, exclusive, reverse bool) *abilityCase {
	operands := []operand{in}
	if out.mem != in.mem {
		operands = append(operands, out)
	}
	k := newAbilityCase(fmt.Sprintf("scan %v of %v along axis %d into %v, exclusive %v, reverse %v", c.op, in.view, axis, out.view, exclusive, reverse), operands...)
	n := in.view.sizes[axis]
	outer := append([]int(nil), in.view.sizes...)
	outer[axis] = 1
	odometer(outer, func(p []int) {
		acc := c.identity()
		for i := range n {
			p[axis] = i
			if reverse {
				p[axis] = n - 1 - i
			}
			before := acc
			acc = c.step(acc, in.get(p))
			if exclusive {
				k.expect(out, p, before)
			} else {
				k.expect(out, p, acc)
			}
		}
		p[axis] = 0
	})
	k.call = func(b buffers) error {
		s := c.describe(b, in, out, axis, reverse)
		s.Exclusive = exclusive
		defer clear(s.Lines)
		defer clear(s.In.Strides)
		return c.scanner.Scan(s)
	}
	return k
}

// describe returns the scan as the device takes it.
func (c scanCase) describe(b buffers, in, out operand, axis int, reverse bool) *device.Scan {
	s := &device.Scan{Op: c.op, DType: c.dtype, N: in.view.sizes[axis], Label: "scan"}
	axes := lineAxes(len(in.view.sizes), axis)
	for _, a := range axes[:len(axes)-1] {
		s.Lines = append(s.Lines, in.view.sizes[a])
	}
	s.In, s.Out = b.strided(in, axes...), b.strided(out, axes...)
	if last := len(axes) - 1; reverse && s.N > 0 {
		for _, x := range []*device.Strided{&s.In, &s.Out} {
			x.Offset += int64((s.N - 1) * x.Strides[last] * c.dtype.Size())
			x.Strides[last] = -x.Strides[last]
		}
	}
	return s
}

// lineAxes returns the axes but one, then that one.
func lineAxes(rank, axis int) []int {
	axes := upTo(rank)
	return append(append(axes[:axis:axis], axes[axis+1:]...), axis)
}

// identity is what a scan begins with.
func (c scanCase) identity() uint64 {
	switch c.op {
	case device.ScanSum:
		return smallest(c.dtype, 0)
	case device.ScanProd:
		return smallest(c.dtype, 1)
	}
	lowest := c.op == device.ScanMax
	switch d := c.dtype; {
	case d == dtype.Bool:
		return map[bool]uint64{true: 0, false: 1}[lowest]
	case d.IsFloat():
		return fromFloat(d, math.Inf(map[bool]int{true: -1, false: 1}[lowest]))
	case d.Kind() == dtype.UintKind:
		return map[bool]uint64{true: 0, false: trim(d, math.MaxUint64)}[lowest]
	default:
		least := uint64(1) << (8*d.Size() - 1)
		return map[bool]uint64{true: least, false: least - 1}[lowest]
	}
}

// step takes in one element.
func (c scanCase) step(acc, v uint64) uint64 {
	if c.dtype == dtype.Uint64 && c.op >= device.ScanMin {
		if (acc < v) == (c.op == device.ScanMin) {
			return acc
		}
		return v
	}
	how := [...]device.Merge{device.MergeAdd, device.MergeMul, device.MergeMin, device.MergeMax}[c.op]
	return merged(c.dtype, how, acc, v)
}

// checkBound scans random numbers twice: within the bound of n roundings in
// the accumulating type, and with the same bits.
func (c scanCase) checkBound(s *suite) error {
	const n = 5000
	in, out := newOperand(c.dtype, dense([]int{n}), guardCells), newOperand(c.dtype, dense([]int{n}), guardCells)
	in.fill(newSource(3, plain))
	first, err := c.results(s, in, out)
	if err != nil {
		return err
	}
	second, err := c.results(s, in, out)
	if err != nil {
		return err
	}
	unit := math.Ldexp(1, -23)
	if c.dtype == dtype.Float64 {
		unit = math.Ldexp(1, -51) // the naive sum is rounded too
	}
	sum, magnitude := 0.0, 0.0
	for i := range n {
		x := toFloat(c.dtype, in.get([]int{i}))
		sum, magnitude = sum+x, magnitude+math.Abs(x)
		if got := toFloat(c.dtype, first[i]); !(math.Abs(got-sum) <= float64(i+1)*unit*magnitude) {
			return fmt.Errorf("element %d of a running sum is %v, want %v", i, got, sum)
		}
		if first[i] != second[i] {
			return fmt.Errorf("element %d differs between two runs: %#x and %#x", i, first[i], second[i])
		}
	}
	return nil
}

func (c scanCase) results(s *suite, in, out operand) ([]uint64, error) {
	b, err := upload(s.dev, in, out)
	if err != nil {
		return nil, err
	}
	defer b.free()
	if err := c.scanner.Scan(c.describe(b, in, out, 0, false)); err != nil {
		return nil, err
	}
	cells, err := b.download(s.dev, out.mem)
	if err != nil {
		return nil, err
	}
	return cells[out.origin:], nil
}
