package devicetest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// bigLine is one element more than two full levels of the canonical tree hold.
const bigLine = 1<<20 + 1

// bigChecks reduce more elements than the oracle should visit one by one: the
// tree is built from Go's own arithmetic instead.
func bigChecks() []check {
	return []check{
		{"sum of 2^20+1 float32", func(s *suite) error { return s.bigSum(1, bigLine, 0b10) }},
		{"sum over a leading axis of 2^20+1", func(s *suite) error { return s.bigSum(bigLine, 2, 0b01) }},
		{"argmax at the end of 2^20+1", (*suite).bigArgMax},
	}
}

// bigCase reduces float32 in (-1, 1) in a dense form.
func bigCase(op kernels.Op, mask axisMask, sizes ...int) (*launchCase, error) {
	c, err := single(op, 1)
	if err != nil {
		return nil, err
	}
	f := reducing(fmt.Sprint(sizes), dense, mask, sizes...)
	c.name, c.space, c.reduced = op.String()+"_float32, "+f.name, f.space, f.reduced
	c.in[0] = newOperand(dtype.Float32, f.in[0].operandView(), guardCells)
	c.out[0] = newOperand(c.out[0].dtype, f.out.operandView(), guardCells)
	rng := rand.New(rand.NewPCG(1, 1))
	line := c.in[0].line()
	for i := range line {
		line[i] = uint64(math.Float32bits(float32(int32(rng.Uint32())) * 0x1p-31))
	}
	return c, nil
}

// bigSum sums the rows or the columns of a matrix.
func (s *suite) bigSum(rows, cols int, mask axisMask) error {
	c, err := bigCase(kernels.Sum, mask, rows, cols)
	if err != nil {
		return err
	}
	lines := make([][]float32, len(c.out[0].line()))
	for i, v := range c.in[0].line() {
		at := i / cols
		if mask == 0b01 {
			at = i % cols
		}
		lines[at] = append(lines[at], math.Float32frombits(uint32(v)))
	}
	var want []uint64
	for _, line := range lines {
		sum := canonical(line, 0, func(s, t float32) float32 { return float32(s + t) })
		want = append(want, uint64(math.Float32bits(sum)))
	}
	return s.expect(c, want)
}

// bigArgMax puts the greatest element last.
func (s *suite) bigArgMax() error {
	c, err := bigCase(kernels.ArgMax, 0b1, bigLine)
	if err != nil {
		return err
	}
	c.in[0].line()[bigLine-1] = fromFloat(dtype.Float32, 2)
	return s.expect(c, []uint64{bigLine - 1})
}

// expect runs a case whose only output is known.
func (s *suite) expect(c *launchCase, want []uint64) error {
	bufs, err := c.enqueue(s.dev)
	if err != nil {
		return c.fail(err)
	}
	defer bufs.free()
	_, err = c.compare(s.dev, bufs, [][]uint64{want})
	return c.fail(err)
}
