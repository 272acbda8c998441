package cpu

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRestsGrowWhileLossesFollowSoon says what rest each loss of a millisecond
// is followed by.
func TestRestsGrowWhileLossesFollowSoon(t *testing.T) {
	const ms = int64(time.Millisecond)
	var r rest
	for i, c := range []struct {
		name       string
		now, until int64
	}{
		{"the first", 100, 101},
		{"long after it", 200, 201},
		{"soon after that", 205, 207},
		{"of another helper at once", 206, 208},
		{"soon again", 220, 224},
		{"and again", 230, 238},
		{"and again", 250, 266},
		{"just before calm", 281, 313},
		{"at most", 320, 352},
		{"after calm", 384, 385},
	} {
		r.afterAt(ms, c.now*ms)
		require.Equal(t, c.until*ms, r.until.Load(), "loss %d, %s", i, c.name)
	}
}

// TestRestOfALongLossIsNotCutShort has a helper that lost little report after
// one that lost much.
func TestRestOfALongLossIsNotCutShort(t *testing.T) {
	var r rest
	const ms = int64(time.Millisecond)
	r.afterAt(100*ms, 1000*ms)
	r.afterAt(ms, 1001*ms)
	require.Equal(t, 1100*ms, r.until.Load())
	r.afterAt(100*ms, 1110*ms)
	require.Equal(t, 1310*ms, r.until.Load(), "soon after the long rest")
}

func TestRestIsBounded(t *testing.T) {
	var r rest
	r.afterAt(int64(time.Hour), 1)
	require.Equal(t, 1+int64(time.Second), r.until.Load())
}

func TestRestEnds(t *testing.T) {
	var r rest
	require.False(t, r.now(), "before any loss")
	r.after(time.Hour)
	require.True(t, r.now())
	r.until.Store(1)
	require.False(t, r.now())
	require.Zero(t, r.until.Load(), "the clock is not asked any more")
}
