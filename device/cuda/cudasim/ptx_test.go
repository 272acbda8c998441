package cudasim

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExtraInstructions(t *testing.T) {
	g := newGPU(t)
	f := g.function(g.module("extra.ptx"), "extra")
	out := g.alloc(64)
	for choice, jumped := range []uint32{111, 110, 100} {
		counter := []uint32{41, 0, 1}[choice]
		require.Zero(t, g.launch(f, [3]int{1, 1, 1}, [3]int{1, 1, 1}, 0, out, uint32(choice)))
		want := []uint32{0x456, 0xffffffff, 0x11111AB1, 0x0F0F00FF ^ 0x33333333 ^ 0x55555555, 0x7fffffff, 0x3f800000, 255, 107, 0x55667788, 0x11223344,
			0xAABB, jumped, counter, (counter + 1) % 42, 8, 1}
		assert.Equal(t, want, download[uint32](g, out, 16))
	}
}

func TestConstantsAreReadOnly(t *testing.T) {
	g := newGPU(t)
	require.Zero(t, g.launch(g.function(g.module("extra.ptx"), "write_constant"), [3]int{1, 1, 1}, [3]int{1, 1, 1}, 0))
	g.wantFault(illegalAddress, []string{"write to a constant", "st.u32 [%rd1+4], 3;"})
}

// PTX that cannot be run is refused when it is loaded, with line and reason,
// also in the log that the caller asks for.
func TestRefusedModules(t *testing.T) {
	head := ".version 7.8\n.target sm_70\n.address_size 64\n"
	kernel := func(line string) string {
		return head + ".visible .entry k(.param .u64 p)\n{\n\t.reg .b32 %r<4>;\n\t.reg .f32 %f<4>;\n\t" + line + "\n\tret;\n}\n"
	}
	tests := []struct {
		name, text string
		code       int
		word       string
	}{
		{"unknown_instruction", kernel("ex2.approx.f32 %f1, %f2;"), invalidPTX, "line 8 `ex2.approx.f32 %f1, %f2;`: unknown instruction ex2.approx.f32"},
		{"unknown_modifier", kernel("add.rz.f32 %f1, %f2, %f3;"), invalidPTX, "unknown instruction add.rz.f32"},
		{"flush_to_zero", kernel("add.ftz.f32 %f1, %f2, %f3;"), invalidPTX, "unknown instruction add.ftz.f32"},
		{"rounding_missing", kernel("cvt.s32.f32 %r1, %f1;"), invalidPTX, "unknown instruction cvt.s32.f32"},
		{"unknown_register", kernel("mov.u32 %r1, %r9;"), invalidPTX, "unknown register %r9"},
		{"unknown_special", kernel("mov.u32 %r1, %clock;"), invalidPTX, "unknown register %clock"},
		{"operands", kernel("add.u32 %r1, %r2;"), invalidPTX, "has 2 operands, not 3"},
		{"label", kernel("bra nowhere;"), invalidPTX, "no label nowhere"},
		{"parameter_end", kernel("ld.param.u32 %r1, [p+8];"), invalidPTX, "outside of parameter p"},
		{"call", kernel("call vprintf, (p);"), invalidPTX, "call of vprintf"},
		{"half_a_function", head + ".visible .entry k()\n{\n", invalidPTX, "the text ends"},
		{"newer_version", strings.Replace(kernel(""), "7.8", "8.6", 1), unsupportedPTX, "newer than the driver"},
		{"newer_gpu", strings.Replace(kernel(""), "sm_70", "sm_90", 1), noBinary, "for sm_90, the device is sm_75"},
		{"machine_code", "\x7fELF\x02\x01", noBinary, "not machine code"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := newGPU(t)
			log := bytes.Repeat([]byte{'x'}, 300)
			options := []byte{5, 0, 0, 0, 6, 0, 0, 0}
			values := []uint64{g.pin(ptr(log)), uint64(len(log))}
			var module uint64
			require.Equal(t, test.code, g.do("cuModuleLoadDataEx", &module, test.text, 2, options, &values[0]))
			require.Less(t, int(values[1]), len(log))
			assert.Contains(t, string(log[:values[1]]), test.word)
			g.ok("cuCtxSynchronize")
		})
	}
}

// The PTX fixtures are what NVRTC makes of the CUDA files beside them.
func TestFixturesUpToDate(t *testing.T) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("needs g++")
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "ptxgen")
	out, err := exec.Command(compiler, "-o", tool, "testdata/ptxgen.cpp", "-ldl").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, name := range []string{"compute", "faulty"} {
		made := filepath.Join(dir, name+".ptx")
		cmd := exec.Command(tool, filepath.Join("testdata", name+".cu"), made)
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState.ExitCode() == 2 {
			t.Skipf("needs NVRTC 11.8: %s", out)
		}
		require.NoError(t, err, "%s", out)
		got, err := os.ReadFile(made)
		require.NoError(t, err)
		want, err := os.ReadFile(filepath.Join("testdata", name+".ptx"))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), "%s.ptx is old: make it again with testdata/ptxgen.cpp", name)
	}
}
