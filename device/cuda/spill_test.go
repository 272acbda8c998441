package cuda

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/internal/nvrtc"
	"github.com/stride0/stride0/kernels"
)

// spillReport is what ptxas says of one kernel.
var spillReport = regexp.MustCompile(`Compiling entry function '(\S+)'[^\n]*\n[^\n]*\n\D*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)

// TestNoRowSpills: the kernels of every row for every dtype become machine code
// without a register spilt, in the forms with the fewest and the most axes. One
// GPU at a time is enough to ask for: -run TestNoRowSpills/sm_90.
func TestNoRowSpills(t *testing.T) {
	if os.Getenv("STRIDE0_FULL") != "1" {
		t.Skip("takes many minutes; set STRIDE0_FULL=1 to run it")
	}
	c := needNVRTC(t)
	for _, arch := range []int{75, 80, 86, 89, 90} {
		if c.Target(arch) != arch {
			continue // this NVRTC does not know it
		}
		t.Run(fmt.Sprintf("sm_%d", arch), func(t *testing.T) {
			for _, op := range kernels.Ops() {
				if source := rowSources(t, op); source != "" {
					t.Run(op.String(), func(t *testing.T) { noSpills(t, c, source, arch) })
				}
			}
		})
	}
}

// noSpills compiles a source and checks what ptxas says of each kernel.
func noSpills(t *testing.T, c *nvrtc.Compiler, source string, arch int) {
	_, log, err := c.Compile(source, arch, nvrtc.Cubin, "--ptxas-options=-v")
	require.NoError(t, err)
	found := spillReport.FindAllStringSubmatch(log, -1)
	require.Len(t, found, strings.Count(source, "__global__"), "ptxas reports on each kernel")
	for _, m := range found {
		assert.Equal(t, "0 0", m[3]+" "+m[4], "spilt bytes of %s", m[1])
	}
}

// rowSources returns the kernels of a row that take the most registers, for all
// dtypes it is defined for.
func rowSources(t *testing.T, op kernels.Op) string {
	t.Helper()
	if op.Row().Expand != nil {
		return "" // cut into other rows
	}
	var out strings.Builder
	seen, n := map[string]bool{}, 0
	for _, d := range dtype.All() {
		for _, to := range dtype.All() {
			p := rowProgram(op, d, to)
			if p == nil || seen[p.Key()] {
				continue
			}
			seen[p.Key()] = true
			for _, text := range rowForms(t, p) {
				name := fmt.Sprintf("%s_%d_", kernels.KernelGroup(p), n)
				fmt.Fprintf(&out, "namespace n%d {\n%s}\n", n, strings.ReplaceAll(text, kernels.KernelGroup(p)+"_", name))
				n++
			}
		}
	}
	return out.String()
}

// rowForms spells p in the common forms with no and with the most axes.
func rowForms(t *testing.T, p *kernels.Program) []string {
	t.Helper()
	l, err := kernels.Lower(p)
	require.NoError(t, err)
	var out []string
	for _, f := range kernels.CommonForms(l) {
		if f.Scalars != 0 || f.Kept == 3 || f.Kept == 6 {
			continue
		}
		text, err := kernels.Spell(kernels.CUDA, p, l, f, l.Stages()...)
		require.NoError(t, err)
		out = append(out, text)
	}
	return out
}

// rowProgram returns op alone on inputs of dtype d that yields to, or nil where
// the row is not defined for them.
func rowProgram(op kernels.Op, d, to dtype.DType) *kernels.Program {
	row := op.Row()
	input := func(d dtype.DType) kernels.Leaf { return kernels.Leaf{Kind: kernels.OpInput, DType: d} }
	index := kernels.Leaf{Kind: kernels.OpIndex, DType: dtype.Int64}
	scalar := func(d dtype.DType) kernels.Leaf { return kernels.Leaf{Kind: kernels.OpScalar, DType: d} }
	leaves := make([]kernels.Leaf, row.Arity)
	for i := range leaves {
		leaves[i] = input(d)
	}
	switch row.Rule {
	case kernels.RuleWhere:
		leaves[0] = input(dtype.Bool)
	case kernels.RuleMask:
		leaves[1] = input(dtype.Bool)
	case kernels.RuleArange:
		leaves = []kernels.Leaf{index, scalar(d), scalar(d)}
	case kernels.RuleRandom:
		leaves = []kernels.Leaf{index, scalar(dtype.Uint64)}
	case kernels.RuleCast, kernels.RuleBits:
	default:
		to = d
	}
	args := make([]kernels.Arg, len(leaves))
	for i, l := range leaves {
		args[i].DType = l.DType
	}
	sig, err := kernels.Resolve(op, kernels.Attr{DType: to}, args)
	if err != nil {
		return nil
	}
	p, err := kernels.Single(op, sig, sig.Result, leaves...)
	if err != nil {
		return nil
	}
	return p
}
