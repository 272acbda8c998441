package devicetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// gatherChecks test the ability to gather and scatter, where the device has it.
func (s *suite) gatherChecks() []check {
	gatherer, ok := s.dev.(device.Gatherer)
	if !ok {
		return nil
	}
	var checks []check
	for _, of := range []dtype.DType{dtype.Int32, dtype.Int64} {
		for _, d := range []dtype.DType{dtype.Bool, dtype.Int16, dtype.Float32, dtype.Float64, dtype.Int64} {
			if of == dtype.Int32 && d.Size() != 4 {
				continue // how an index is read does not depend on what is moved
			}
			for _, c := range []struct {
				name string
				run  func(g *gatherCase) error
			}{
				{"gather", (*gatherCase).checkGather},
				{"gather out of range", (*gatherCase).checkGatherRange},
				{"scatter", (*gatherCase).checkScatter},
				{"scatter out of range", (*gatherCase).checkScatterRange},
			} {
				checks = append(checks, check{fmt.Sprintf("%s %v %v", c.name, d, of), func(s *suite) error {
					return c.run(&gatherCase{s: s, gatherer: gatherer, dtype: d, of: of, rng: rand.New(rand.NewPCG(5, uint64(d)))})
				}})
			}
		}
	}
	return checks
}

type gatherCase struct {
	s         *suite
	gatherer  device.Gatherer
	dtype, of dtype.DType
	rng       *rand.Rand
	turn      int // of the ways to lay operands out
}

// walkForm says how a table, its index and the walk over both go together:
// per axis of the space the axis of the table and of the index that it is, -1
// for neither, and the axes of the table that indices name.
type walkForm struct {
	name         string
	table, index []int // sizes
	space        []int // sizes of the walk
	along, by    []int // per axis of the space: of the table, of the index
	named        []int
	tuples       bool // the last axis of the index holds the indices of a point
	indexAxis    int
}

var walkForms = []walkForm{
	{name: "one axis", table: []int{7}, index: []int{9}, space: []int{9}, along: []int{-1}, by: []int{0}, named: []int{0}},
	{name: "long", table: []int{300}, index: []int{9001}, space: []int{9001}, along: []int{-1}, by: []int{0}, named: []int{0}},
	{name: "rows", table: []int{6, 5}, index: []int{4}, space: []int{4, 5}, along: []int{-1, 1}, by: []int{0, -1}, named: []int{0}},
	{name: "columns", table: []int{5, 6}, index: []int{4}, space: []int{5, 4}, along: []int{0, -1}, by: []int{-1, 0}, named: []int{1}, indexAxis: 1},
	{name: "elements along rows", table: []int{5, 6}, index: []int{5, 9}, space: []int{5, 9}, along: []int{0, -1}, by: []int{0, 1}, named: []int{1}},
	{name: "elements along columns", table: []int{5, 6}, index: []int{9, 4}, space: []int{9, 4}, along: []int{-1, 1}, by: []int{0, 1}, named: []int{0}},
	{name: "elements in the middle", table: []int{3, 4, 5}, index: []int{3, 2, 5}, space: []int{3, 2, 5}, along: []int{0, -1, 2}, by: []int{0, 1, 2}, named: []int{1}},
	{name: "matrix of indices", table: []int{3, 4, 5}, index: []int{2, 3}, space: []int{3, 2, 3, 5}, along: []int{0, -1, -1, 2}, by: []int{-1, 0, 1, -1}, named: []int{1}, indexAxis: 1},
	{name: "pairs", table: []int{3, 4, 5}, index: []int{6, 2}, space: []int{6, 5}, along: []int{-1, 2}, by: []int{0, -1}, named: []int{0, 1}, tuples: true},
	{name: "triples", table: []int{3, 4, 5}, index: []int{4, 3, 3}, space: []int{4, 3}, along: []int{-1, -1}, by: []int{0, 1}, named: []int{0, 1, 2}, tuples: true},
	{name: "tuples of none", table: []int{3}, index: []int{4, 0}, space: []int{4, 3}, along: []int{-1, 0}, by: []int{0, -1}, tuples: true},
	{name: "single index", table: []int{4, 5}, index: []int{}, space: []int{5}, along: []int{1}, by: []int{-1}, named: []int{0}},
	{name: "no indices", table: []int{4, 5}, index: []int{0}, space: []int{0, 5}, along: []int{-1, 1}, by: []int{0, -1}, named: []int{0}},
	{name: "sizes of one", table: []int{1, 4, 1}, index: []int{1, 3, 1}, space: []int{1, 3, 1}, along: []int{0, -1, 2}, by: []int{0, 1, 2}, named: []int{1}},
}

var walkPlaces = []placement{dense, stepped, padded, reversed, transposed, swirled, oddOnes, shifted(3)}

// walk is one form with its operands.
type walk struct {
	walkForm
	values, tab, idx operand
}

// each lays the forms out in several ways, with indices drawn by draw from the
// size of the axis they name, and visits them.
func (g *gatherCase) each(draw func(size int) int64, visit func(w *walk) error) error {
	var errs collector
	g.turn++
	for i, f := range walkForms {
		for j := range 2 {
			place := func(sizes []int, k int) view { return walkPlaces[(i+3*j+g.turn+k)%len(walkPlaces)](sizes) }
			w := &walk{walkForm: f, values: newOperand(g.dtype, place(f.space, 0), guardCells),
				tab: newOperand(g.dtype, place(f.table, 1), guardCells), idx: newOperand(g.of, place(f.index, 2), guardCells)}
			src := newSource(uint64(i), ties)
			w.values.fill(src)
			w.tab.fill(src)
			odometer(f.index, func(at []int) {
				name := 0
				if f.tuples {
					name = at[len(at)-1]
				}
				w.idx.mem.cells[w.idx.cell(at)] = trim(g.of, uint64(draw(f.table[f.named[name]])))
			})
			errs.add(visit(w))
		}
	}
	return errs.err()
}

// valid draws an index from both ends.
func (g *gatherCase) valid(size int) int64 { return int64(g.rng.IntN(2*size) - size) }

// sometimesWrong draws one index in four out of range.
func (g *gatherCase) sometimesWrong(size int) int64 {
	if g.rng.IntN(4) > 0 {
		return g.valid(size)
	}
	far := []int64{int64(size), -int64(size) - 1, 1<<31 - 1, -1 << 31, int64(size) + 1}
	if g.of == dtype.Int64 {
		far = append(far, 1<<63-1, -1<<63, 1<<32, -1<<32)
	}
	return far[g.rng.IntN(len(far))]
}

// place returns the index of the table at a point; false out of range.
func (w *walk) place(p []int, of dtype.DType) (at []int, ok bool) {
	at = make([]int, len(w.table))
	where := make([]int, len(w.index))
	for k := range p {
		if w.along[k] >= 0 {
			at[w.along[k]] = p[k]
		}
		if w.by[k] >= 0 {
			where[w.by[k]] = p[k]
		}
	}
	for j, axis := range w.named {
		if w.tuples {
			where[len(where)-1] = j
		}
		i := toInt(of, w.idx.get(where))
		if i < 0 {
			i += int64(w.table[axis])
		}
		if i < 0 || i >= int64(w.table[axis]) {
			return nil, false
		}
		at[axis] = int(i)
	}
	return at, true
}

// describe returns the walk as the device takes it.
func (w *walk) describe(b buffers) *device.Indexed {
	x := &device.Indexed{DType: w.tab.dtype, IndexDType: w.idx.dtype, Sizes: slices.Clone(w.space),
		Values: b.strided(w.values, upTo(len(w.space))...), Table: b.strided(w.tab, w.along...), Index: b.strided(w.idx, w.by...),
		IndexAxis: w.indexAxis, IndexRank: len(w.index), Tuples: w.tuples, Axes: slices.Clone(w.named), Label: "walk", At: "here.go:1"}
	if w.tuples {
		x.Step = w.idx.view.strides[len(w.index)-1]
		x.IndexRank--
	}
	for _, axis := range w.named {
		x.Limits, x.Jumps = append(x.Limits, w.table[axis]), append(x.Jumps, w.tab.view.strides[axis])
	}
	return x
}

// forget overwrites what the device must not have kept.
func forget(x *device.Indexed) {
	for _, list := range [][]int{x.Sizes, x.Values.Strides, x.Table.Strides, x.Index.Strides, x.Limits, x.Jumps, x.Axes} {
		clear(list)
	}
}

func (w *walk) String() string {
	return fmt.Sprintf("%s: table %v, index %v, values %v", w.name, w.tab.view, w.idx.view, w.values.view)
}

// gather is the case of gathering; bad is the number of points out of range.
func (g *gatherCase) gather(w *walk) (c *abilityCase, bad int) {
	c = newAbilityCase("gather "+w.String(), w.values, w.tab, w.idx)
	odometer(w.space, func(p []int) {
		at, ok := w.place(p, g.of)
		if !ok {
			bad++
			c.expect(w.values, p, 0)
			return
		}
		c.expect(w.values, p, w.tab.get(at))
	})
	c.call = func(b buffers) error {
		x := w.describe(b)
		defer forget(x)
		return g.gatherer.Gather(x)
	}
	return c, bad
}

func (g *gatherCase) checkGather() error {
	return g.each(g.valid, func(w *walk) error {
		c, _ := g.gather(w)
		return c.run(g.s.dev)
	})
}

func (g *gatherCase) checkGatherRange() error {
	return g.each(g.sometimesWrong, func(w *walk) error {
		c, bad := g.gather(w)
		return g.reports(c, w, bad)
	})
}

// reports runs a case with points out of range: each is reported, once, with
// the first index in row-major order, and the device works on.
func (g *gatherCase) reports(c *abilityCase, w *walk, bad int) error {
	err := c.run(g.s.dev)
	var e *device.IndexError
	if bad == 0 || !errors.As(err, &e) {
		if err == nil && bad > 0 {
			err = c.fail(errors.New("no error for an index out of range"))
		}
		return err
	}
	if !errors.Is(err, device.ErrIndex) {
		return c.fail(fmt.Errorf("%w is not device.ErrIndex", err))
	}
	value, place := w.firstWrong(g.of)
	if e.Value != value || !slices.Equal(e.Place, place) {
		return c.fail(fmt.Errorf("reported index %d at %v, the first is %d at %v", e.Value, e.Place, value, place))
	}
	if err := g.s.dev.Sync(); err != nil {
		return c.fail(fmt.Errorf("reported twice: %w", err))
	}
	return nil
}

// firstWrong returns the first index out of range and its place.
func (w *walk) firstWrong(of dtype.DType) (value int64, place []int) {
	odometer(w.index, func(at []int) {
		name := 0
		if w.tuples {
			name = at[len(at)-1]
		}
		size := int64(w.table[w.named[name]])
		if i := toInt(of, w.idx.get(at)); place == nil && (i < -size || i >= size) {
			value, place = i, append([]int{}, at...)
		}
	})
	return value, place
}

func isIndexError(err error) bool {
	var e *device.IndexError
	return errors.As(err, &e)
}
