package kernels_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

func TestAxesResolve(t *testing.T) {
	for _, c := range []struct {
		name string
		set  kernels.AxisSet
		rank int
		want uint32
	}{
		{"zero value is all", kernels.AxisSet{}, 3, 0b111},
		{"all of no axes", kernels.AxisSet{}, 0, 0},
		{"all of 32", kernels.AxisSet{}, 32, 0xffffffff},
		{"none", kernels.NoAxes, 3, 0},
		{"an empty list is none", kernels.Axes(), 3, 0},
		{"from both ends", kernels.Axes(0, -1), 3, 0b101},
		{"the first of 32 from the end", kernels.Axes(-32), 32, 1},
		{"the last of 32", kernels.Axes(31), 32, 1 << 31},
		{"of a single element, as in NumPy", kernels.Axes(0), 0, 0},
		{"of a single element, from the end", kernels.Axes(-1), 0, 0},
	} {
		got, err := c.set.Resolve(c.rank)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, got, c.name)
	}
}

func TestAxesErrorsNameTheAxis(t *testing.T) {
	for _, c := range []struct {
		name, text string
		set        kernels.AxisSet
		rank       int
	}{
		{"too large", "axis 2 is out of range for rank 2; valid axes are -2..1", kernels.Axes(2), 2},
		{"too small", "axis -3 is out of range", kernels.Axes(-3), 2},
		{"beyond any rank", "an axis is outside -2..1", kernels.Axes(1 << 30), 2},
		{"below any rank", "an axis is outside -2..1", kernels.Axes(-33), 2},
		{"twice", "an axis is named twice", kernels.Axes(1, 1), 2},
		{"once from each end", "axis 1 is named twice (as 1 and -1)", kernels.Axes(1, -1), 2},
		{"of a single element", "axis 1 is out of range for rank 0", kernels.Axes(1), 0},
	} {
		_, err := c.set.Resolve(c.rank)
		require.ErrorContains(t, err, c.text, c.name)
	}
}

func TestAppliedCarriesAttributes(t *testing.T) {
	op, attr := kernels.Sum.Applied()
	assert.Equal(t, kernels.Sum, op)
	assert.Equal(t, kernels.Attr{}, attr)

	want := kernels.Attr{Axes: kernels.Axes(1, 0), Keep: true, DType: dtype.Int64}
	op, attr = kernels.Sum.With(want).Applied()
	assert.Equal(t, kernels.Sum, op)
	assert.True(t, attr == want, "attributes are comparable")
	assert.True(t, attr.Axes == kernels.Axes(0, 1), "axes are a set")
}
