package devicetest

import (
	"math"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// scatter is the case of scattering; bad is the number of points out of range.
// Several points have one place in most: the order of merging shows.
func (g *gatherCase) scatter(w *walk, how device.Merge) (c *abilityCase, bad int) {
	c = newAbilityCase("scatter "+how.String()+" "+w.String(), w.tab, w.values, w.idx)
	odometer(w.space, func(p []int) {
		at, ok := w.place(p, g.of)
		if !ok {
			bad++
			return
		}
		c.expect(w.tab, at, merged(g.dtype, how, c.after[w.tab.mem][w.tab.cell(at)], w.values.get(p)))
	})
	c.call = func(b buffers) error {
		x := w.describe(b)
		defer forget(x)
		return g.gatherer.Scatter(x, how)
	}
	return c, bad
}

// merges are all of them.
var merges = []device.Merge{device.MergeReplace, device.MergeAdd, device.MergeMul, device.MergeMin, device.MergeMax}

func (g *gatherCase) checkScatter() error {
	var errs collector
	for _, how := range merges {
		errs.add(g.each(g.valid, func(w *walk) error {
			w.values.fill(newSource(uint64(how), sparse))
			c, _ := g.scatter(w, how)
			return c.run(g.s.dev)
		}))
	}
	return errs.err()
}

func (g *gatherCase) checkScatterRange() error {
	return g.each(g.sometimesWrong, func(w *walk) error {
		c, bad := g.scatter(w, device.MergeAdd)
		return g.reports(c, w, bad)
	})
}

// merged merges one element.
func merged(d dtype.DType, how device.Merge, a, b uint64) uint64 {
	switch {
	case how == device.MergeReplace:
		return b
	case d == dtype.Bool:
		if how == device.MergeAdd || how == device.MergeMax {
			return a | b
		}
		return a & b
	case d == dtype.Float32:
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		return uint64(math.Float32bits(mergedOf(how, x, y)))
	case d == dtype.Float64:
		return math.Float64bits(mergedOf(how, math.Float64frombits(a), math.Float64frombits(b)))
	}
	return trim(d, uint64(mergedOf(how, toInt(d, a), toInt(d, b))))
}

func mergedOf[T int64 | float32 | float64](how device.Merge, a, b T) T {
	switch how {
	case device.MergeAdd:
		return a + b
	case device.MergeMul:
		return a * b
	case device.MergeMin:
		return min(a, b)
	}
	return max(a, b)
}
