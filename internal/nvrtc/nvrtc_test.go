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
