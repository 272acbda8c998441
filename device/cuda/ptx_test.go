package cuda

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/internal/nvrtc"
	"github.com/stride0/stride0/kernels"
)

func TestFind(t *testing.T) {
	text := []byte("aaaa 3\nxyzbbbb 0\ncccc 5\n12345")
	for key, want := range map[string]string{"aaaa": "xyz", "cccc": "12345"} {
		got, err := find(text, key)
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
	got, err := find(text, "dddd")
	assert.Nil(t, got)
	assert.NoError(t, err)
	for _, damaged := range []string{"aaaa", "aaaa 9\nxyz", "aaaa -1\n", "\n"} {
		_, err := find([]byte(damaged), "dddd")
		assert.ErrorContains(t, err, "no key and length", damaged)
	}
}

func TestEmbedded(t *testing.T) {
	l, bufs, err := task{kernels.Add, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, newFake().open(t))
	require.NoError(t, err)
	defer free(bufs)
	low, err := kernels.Lower(l.Program)
	require.NoError(t, err)
	f, err := kernels.FormNamed(low, "flat")
	require.NoError(t, err)
	source, err := kernels.Spell(kernels.CUDA, l.Program, low, f, 0)
	require.NoError(t, err)
	ptx, err := embedded("add_float32", source)
	require.NoError(t, err)
	assert.Contains(t, string(ptx), ".entry add_float32_flat(")
	assert.Contains(t, string(ptx), ".target sm_52")
	ptx, err = embedded("add_float32", source+" ")
	assert.Nil(t, ptx, "another source")
	assert.NoError(t, err)
	ptx, err = embedded("no_group", source)
	assert.Nil(t, ptx)
	assert.NoError(t, err)
}

// TestWhereKernelsComeFrom: the archive, then NVRTC's PTX, then its machine
// code, each where the one before does not do.
func TestWhereKernelsComeFrom(t *testing.T) {
	add := task{kernels.Add, dtype.Float32, broadcast.Shape{8}, 0}
	mean := task{kernels.Mean, dtype.Float32, broadcast.Shape{8}, 1}
	for _, test := range []struct {
		name     string
		task     task
		tooOld   int // how many images the driver finds too new
		compiler bool
		loads    int
		builds   int
		want     error
	}{
		{"archive", add, 0, true, 1, 0, nil},
		{"archive without NVRTC", add, 0, false, 1, 0, nil},
		{"archive on an old driver", add, 1, true, 2, 1, nil},
		{"archive on an old driver without NVRTC", add, 1, false, 1, 0, ptxTooNew},
		{"NVRTC", mean, 0, true, 1, 1, nil},
		{"NVRTC newer than the driver", mean, 1, true, 2, 2, nil},
		{"neither", mean, 0, false, 0, 0, device.ErrUnsupported},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake()
			drv := f.driver()
			if !test.compiler {
				drv.compilers = nil
			}
			dev, err := drv.Open(0)
			require.NoError(t, err)
			d := dev.(*Device)
			f.fail = func(c failing) status {
				if c.name == "cuModuleLoadDataEx" && c.same < test.tooOld {
					return ptxTooNew
				}
				return success
			}
			l, bufs, err := test.task.launch(t, d)
			require.NoError(t, err)
			l.Scalars = make([]uint64, len(l.Program.Scalars))
			err = d.Run(l)
			if test.want == nil {
				assert.NoError(t, err)
			} else {
				assert.ErrorIs(t, err, test.want)
			}
			assert.Equal(t, test.loads, f.count("cuModuleLoadDataEx"))
			assert.Equal(t, test.builds, f.count("nvrtcCompileProgram"))
			free(bufs)
			require.NoError(t, d.Close())
			assert.Empty(t, f.leaked())
		})
	}
}

func TestCompilerErrorShowsTheLog(t *testing.T) {
	f := newFake()
	d := f.open(t)
	f.fail = failNth("nvrtcCompileProgram", 0, invalidValue)
	l, bufs, err := task{kernels.Mean, dtype.Float32, broadcast.Shape{8}, 1}.launch(t, d)
	require.NoError(t, err)
	defer free(bufs)
	l.Scalars = make([]uint64, 1)
	err = d.Run(l)
	var e *nvrtc.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "cuda:0: nvrtcCompileProgram of sum_div_float32_block: code 6: NVRTC_ERROR_COMPILATION; the compiler says: no such function", err.Error())
	require.NoError(t, d.Run(l), "the next launch builds again")
	f.fail = failAll("cuModuleLoadDataEx", 218)
	l, more, err := task{kernels.Neg, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	defer free(more)
	assert.ErrorContains(t, d.Run(l), "CUDA_ERROR_INVALID_PTX; the driver's compiler says: line 1: no")
}
