package cuda

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/device"
)

// Bytes longer than the staging memory come through in pieces, at any offset.
func TestTransfersLongerThanTheStaging(t *testing.T) {
	f := newFake()
	f.devices = []map[int]int{goodDevice()}
	d := f.open(t)
	require.NoError(t, d.SetLimit(1<<30))
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, stageSize - 1, stageSize, stageSize + 1, 2 * stageSize, 5*stageSize + 77} {
		const off = 24
		b, err := d.Alloc(int64(n) + off)
		require.NoError(t, err)
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(rng.Uint32())
		}
		want := bytes.Clone(src)
		require.NoError(t, d.Write(b, off, src))
		clear(src) // Write has it
		got := make([]byte, n)
		require.NoError(t, d.Read(got, b, off))
		assert.True(t, bytes.Equal(want, got), "%d bytes", n)
		b.Free()
	}
	assert.Equal(t, 1, f.count("cuMemAllocHost"), "made once")
	require.NoError(t, d.Close())
	assert.Empty(t, f.leaked())
}

// A half of the staging is not written again while its bytes are on their way.
func TestStagingWaitsForItsHalf(t *testing.T) {
	f := newFake()
	d := f.open(t)
	require.NoError(t, d.SetLimit(1<<30))
	b, err := d.Alloc(4 * stageSize)
	require.NoError(t, err)
	defer b.Free()
	require.NoError(t, d.Write(b, 0, make([]byte, 2*stageSize)))
	assert.Zero(t, f.count("cuEventSynchronize"), "two halves, no wait")
	require.NoError(t, d.Write(b, 0, make([]byte, 1)))
	assert.Equal(t, 1, f.count("cuEventSynchronize"))
}

// A transfer that fails before anything is enqueued says so; one that fails
// later has left the memory half written.
func TestTransferFails(t *testing.T) {
	for _, test := range []struct {
		name   string
		fail   func(failing) status
		lost   bool
		reason string
	}{
		{"no pinned memory", failAll("cuMemAllocHost", outOfMemory), false, "cuda:0: cuMemAllocHost: code 2: out of memory"},
		{"no event", failAll("cuEventCreate", invalidValue), false, "cuda:0: cuEventCreate: code 1"},
		{"first copy", failNth("cuMemcpyHtoDAsync", 0, invalidValue), false, "cuda:0: cuMemcpyHtoDAsync: code 1"},
		{"second copy", failNth("cuMemcpyHtoDAsync", 1, invalidValue), true, "cuMemcpyHtoDAsync: code 1"},
		{"first copy on a dead context", failNth("cuMemcpyHtoDAsync", 0, launchFailed), true, "CUDA_ERROR_LAUNCH_FAILED"},
		{"record", failNth("cuEventRecord", 0, invalidValue), true, "cuEventRecord: code 1"},
		{"wait", failNth("cuEventSynchronize", 0, invalidValue), true, "cuEventSynchronize: code 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake()
			d := f.open(t)
			require.NoError(t, d.SetLimit(1<<30))
			b, err := d.Alloc(4 * stageSize)
			require.NoError(t, err)
			f.fail = test.fail
			err = d.Write(b, 0, make([]byte, 3*stageSize))
			require.ErrorContains(t, err, test.reason)
			if test.lost {
				assert.ErrorIs(t, err, device.ErrLost)
				require.NoError(t, d.Close())
				return
			}
			assert.NotErrorIs(t, err, device.ErrLost)
			f.fail = nil
			assert.NoError(t, d.Write(b, 0, make([]byte, 3*stageSize)), "the device lives on")
			b.Free()
			require.NoError(t, d.Close())
			assert.Empty(t, f.leaked())
		})
	}
}
