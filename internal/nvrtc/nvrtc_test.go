package nvrtc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestErrorNames(t *testing.T) {
	assert.Equal(t, "NVRTC_ERROR_COMPILATION; the compiler says: line 1", (&Error{6, "line 1"}).Error())
	assert.Equal(t, "unknown NVRTC error 8", (&Error{Code: 8}).Error())
	assert.Equal(t, "unknown NVRTC error -1", (&Error{Code: -1}).Error())
}

func TestTarget(t *testing.T) {
	_, err := New(10, 2, nil)
	assert.ErrorIs(t, err, errNoArchs)
	n, err := New(13, 0, []int{90, 75, 80})
	require.NoError(t, err)
	for capability, want := range map[int]int{52: 75, 75: 75, 79: 75, 86: 80, 90: 90, 120: 90} {
		assert.Equal(t, want, n.Target(capability), "on %d", capability)
	}
	assert.Contains(t, Options(75, PTX), "--gpu-architecture=compute_75")
	assert.Contains(t, Options(75, Cubin), "--gpu-architecture=sm_75")
	assert.Contains(t, Options(75, Cubin), "--fmad=false")
}

func TestChoose(t *testing.T) {
	made := func(major, minor int, archs ...int) *Compiler {
		c, err := New(major, minor, archs)
		require.NoError(t, err)
		return c
	}
	old, middle, recent := made(11, 8, 35, 52, 90), made(12, 4, 50, 90), made(13, 0, 75, 120)
	all := []*Compiler{recent, middle, old}
	for _, test := range []struct {
		name               string
		all                []*Compiler
		driver, capability int
		want               *Compiler
	}{
		{"none", nil, 12020, 75, nil},
		{"the driver's own", all, 13000, 90, recent},
		{"older than the driver", all, 12080, 90, middle},
		{"the newest that is no newer", all, 12020, 90, old},
		{"a GPU that the newest has dropped", all, 13000, 61, middle},
		{"a GPU that all have dropped", []*Compiler{recent}, 13000, 61, nil},
		{"all newer than the driver", []*Compiler{recent, middle}, 11040, 90, middle},
		{"in any order", []*Compiler{old, recent, middle}, 12080, 90, middle},
	} {
		assert.Same(t, test.want, Choose(test.all, test.driver, test.capability), test.name)
	}
}

func TestOpenAllSaysWhatItLookedFor(t *testing.T) {
	_, err := OpenAll("libstride0-absent.so.1", "libstride0-absent.so.2")
	assert.ErrorContains(t, err, "libstride0-absent.so.1")
	assert.ErrorContains(t, err, "libstride0-absent.so.2")
}
