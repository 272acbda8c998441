package cuda

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/internal/nvrtc"
	"github.com/stride0/stride0/kernels"
)

// The tests of this file need NVRTC, which needs no GPU (Debian: libnvrtc11.2).

func needNVRTC(t testing.TB) *nvrtc.Compiler {
	t.Helper()
	c, err := nvrtc.Open(nvrtc.Libraries...)
	if err == nil {
		return c
	}
	if devicetest.Required("nvrtc") {
		t.Fatalf("STRIDE0_REQUIRE lists nvrtc: %v", err)
	}
	t.Skipf("needs NVRTC: %v", err)
	return nil
}

// trained are the operations that training a network of dense layers needs:
// those of examples/digits.
var trained = []kernels.Op{kernels.Add, kernels.Sub, kernels.Mul, kernels.Div, kernels.Neg, kernels.Exp, kernels.Log, kernels.Relu,
	kernels.Eq, kernels.Gt, kernels.Where, kernels.Cast, kernels.Copy, kernels.Maximum, kernels.Sqrt, kernels.Sum, kernels.Max, kernels.Mean, kernels.ArgMax}

// kernelSources returns every kernel of an operation on a dtype in every layout
// class, in all of its stages, each in a namespace of its own so that the
// compiler takes them together.
func kernelSources(t *testing.T, op kernels.Op, d dtype.DType) string {
	t.Helper()
	row := op.Row()
	args, leaves := make([]kernels.Arg, row.Arity), make([]kernels.Leaf, row.Arity)
	for i := range args {
		args[i].DType, leaves[i] = d, kernels.Leaf{Kind: kernels.OpInput, DType: d}
	}
	if row.Rule == kernels.RuleWhere {
		args[0].DType, leaves[0].DType = dtype.Bool, dtype.Bool
	}
	sig, err := kernels.Resolve(op, kernels.Attr{DType: dtype.Float64}, args) // what cast converts to
	if err != nil {
		return ""
	}
	p, err := kernels.Single(op, sig, sig.Result, leaves...)
	require.NoError(t, err)
	l, err := kernels.Lower(p)
	require.NoError(t, err)
	var out strings.Builder
	for i, name := range []string{"flat", "ls", "rs", "nd3", "r4", "r8", "block", "lead"} {
		for _, wide := range []bool{false, true} {
			f, err := kernels.FormNamed(l, name)
			if err != nil || wide && f.Kind == kernels.FlatForm {
				continue
			}
			f.Wide = wide
			text, err := kernels.Spell(kernels.CUDA, p, l, f, l.Stages()...)
			require.NoError(t, err)
			if wide { // the name is that of the narrow kernel
				text = strings.ReplaceAll(text, kernels.KernelGroup(p), "wide_"+kernels.KernelGroup(p))
			}
			fmt.Fprintf(&out, "namespace n%d_%v {\n%s}\n", i, wide, text)
		}
	}
	return out.String()
}

// spill is what ptxas says of a kernel with too few registers.
var spill = regexp.MustCompile(`(\d+) bytes spill (stores|loads)`)

// TestKernelsCompile: every kernel becomes PTX and machine code for GPUs from
// Turing to Hopper, without a register spilt, and no PTX may be contracted.
func TestKernelsCompile(t *testing.T) {
	c := needNVRTC(t)
	archs := []int{75, 80, 86, 89, 90}
	types := []dtype.DType{dtype.Float32, dtype.Int64, dtype.Bool, dtype.BFloat16}
	if !devicetest.Required("nvrtc") && os.Getenv("STRIDE0_FULL") != "1" { // all take a minute
		archs, types = archs[:1], types[:1]
	}
	for _, d := range types {
		t.Run(d.String(), func(t *testing.T) {
			var source strings.Builder
			for i, op := range trained {
				fmt.Fprintf(&source, "namespace o%d {\n%s}\n", i, kernelSources(t, op, d))
			}
			ptx, log, err := c.Compile(source.String(), c.Target(52), nvrtc.PTX)
			require.NoError(t, err)
			assert.Empty(t, log, "no warnings")
			assert.Regexp(t, `\.visible \.entry \w*add_\w+_nd3\(`, string(ptx))
			assert.NotRegexp(t, `\b(add|sub|mul)\.f(32|64)\b`, string(ptx), "an operation without a rounding mode may be fused")
			for _, arch := range archs {
				if c.Target(arch) != arch {
					continue // this NVRTC does not know it
				}
				binary, log, err := c.Compile(source.String(), arch, nvrtc.Cubin, "--ptxas-options=-v")
				require.NoError(t, err)
				assert.NotEmpty(t, binary)
				found := spill.FindAllStringSubmatch(log, -1)
				require.NotEmpty(t, found, "ptxas tells of spills")
				for _, m := range found {
					assert.Equal(t, "0", m[1], "sm_%d: %s", arch, m[0])
				}
			}
		})
	}
}
