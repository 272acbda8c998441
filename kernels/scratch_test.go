package kernels_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, want int
	}{
		{"nothing", 0, 0},
		{"one block is the result", kernels.Block, 0},
		{"two blocks", kernels.Block + 1, 2},
		{"a full second level", kernels.Block * kernels.Block, kernels.Block},
		{"a third level", kernels.Block*kernels.Block + 1, kernels.Block + 1 + 2},
		{"as many as 32 bits count", math.MaxInt32, 1<<21 + 1<<11 + 2},
	} {
		assert.Equal(t, c.want, kernels.Blocks(c.n), c.name)
	}
	// Each level has at least 1/1024 of the one below, and less than 1 more.
	assert.InEpsilon(t, float64(math.MaxInt)/1023, float64(kernels.Blocks(math.MaxInt)), 1e-5, "as many as an int counts")
}

func TestScratch(t *testing.T) {
	program := func(op kernels.Op, d dtype.DType) *kernels.Program {
		b := kernels.NewBuilder()
		args := make([]kernels.Value, op.Row().Arity)
		for i := range args {
			args[i] = b.Input(d)
		}
		b.Output(apply(b, op, args...))
		p, err := b.Program()
		assert.NoError(t, err)
		return p
	}
	long := &broadcast.Plan{Outer: 3, Inner: 2*kernels.Block + 1}
	assert.EqualValues(t, 3*3*4, kernels.Scratch(program(kernels.Sum, dtype.Float32), long), "float32 states")
	assert.EqualValues(t, 3*3*8, kernels.Scratch(program(kernels.Sum, dtype.Uint8), long), "bytes sum to int64")
	assert.EqualValues(t, 3*3*16, kernels.Scratch(program(kernels.ArgMax, dtype.Bool), long), "two parts, 8 bytes each")
	assert.Zero(t, kernels.Scratch(program(kernels.Add, dtype.Float32), long), "no reduction")
	assert.Zero(t, kernels.Scratch(program(kernels.Sum, dtype.Float32), &broadcast.Plan{Outer: 3, Inner: kernels.Block}), "one block")
}
