package kernels

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
)

// unpack reads a geometry as the struct in the source lies in memory.
func unpack(t *testing.T, fields []field, wide bool, raw []byte) map[string][]int64 {
	t.Helper()
	out := map[string][]int64{}
	for kind := longField; kind <= uintField; kind++ {
		for _, f := range fields {
			for range f.n {
				switch {
				case f.kind != kind:
				case kind == longField || kind == offField && wide:
					out[f.name] = append(out[f.name], int64(binary.NativeEndian.Uint64(raw)))
					raw = raw[8:]
				default:
					v := binary.NativeEndian.Uint32(raw)
					out[f.name] = append(out[f.name], int64(v))
					if kind == offField {
						out[f.name][len(out[f.name])-1] = int64(int32(v))
					}
					raw = raw[4:]
				}
			}
		}
	}
	assert.Less(t, len(raw), 8, "only padding is left")
	return out
}

// machine carries out Steps on int64 cells as the kernels do, to check what
// the geometry says. Its operation is the sum.
type machine struct {
	t       *testing.T
	p       *Program
	l       *Lowered
	cells   [][]int64 // per operand
	scratch []int64
	groups  int // along y and z of a launch
}

func (m *machine) run(s Step) {
	fields := geometryFields(m.l, s.Form, len(m.p.Inputs), len(m.p.Outputs), nil)
	g := unpack(m.t, fields, s.Form.Wide, s.Geometry)
	switch s.Form.Kind {
	case FlatForm:
		for i := range g["items"][0] {
			m.element(func(o int) int64 {
				if s.Form.Scalars>>o&1 == 1 {
					return g["base"][o]
				}
				return g["base"][o] + i
			})
		}
	case GridForm:
		m.each(s, g, func(x, y, z int64) {
			if x >= g["items"][0] || y >= g["items"][1] || z >= g["items"][2] {
				return
			}
			k := append([]int64{x, y}, split(g, "", z, int(s.Form.Kept)-2)...)
			m.element(func(o int) int64 { return g["base"][o] + dot(k, g[fmt.Sprintf("stride%d", o)]) })
		})
	default:
		m.each(s, g, func(x, y, z int64) {
			o, b := x, y
			if s.Form.Kind == BlockForm {
				o, b = y, z
				if x != 0 {
					return // the other lanes
				}
			}
			if o < g["outer"][0] && b < g["blocks"][0] {
				m.block(s, g, o, b)
			}
		})
	}
}

// each visits the work-items of a step, those that fill up groups too.
func (m *machine) each(s Step, g map[string][]int64, visit func(x, y, z int64)) {
	var n [3]int64
	for i := range n {
		groups := (s.Items[i] + s.Group[i] - 1) / s.Group[i]
		assert.True(m.t, groups > 0 && (i == 0 || groups <= m.groups), "%d groups along axis %d", groups, i)
		n[i] = int64(groups * s.Group[i])
	}
	for z := range n[2] {
		for y := range n[1] {
			for x := range n[0] {
				visit(x, y+g["origin"][0], z+g["origin"][1])
			}
		}
	}
}

// element adds the inputs.
func (m *machine) element(at func(operand int) int64) {
	var sum int64
	last := len(m.cells) - 1
	for o, cells := range m.cells[:last] {
		sum += cells[at(o)]
	}
	m.write(last, at(last), sum)
}

// write writes an element of an operand, which no other work-item does.
func (m *machine) write(operand int, at, v int64) {
	assert.Zero(m.t, m.cells[operand][at], "element %d is written twice", at)
	m.cells[operand][at] = v
}

// block does one block of one result.
func (m *machine) block(s Step, g map[string][]int64, o, b int64) {
	k := split(g, "", o, int(s.Form.Kept))
	var sum int64
	for q := b * Block; q < min((b+1)*Block, g["inner"][0]); q++ {
		if s.Stage&FromStates != 0 {
			sum += m.scratch[g["from"][0]+o*g["inner"][0]+q]
			continue
		}
		at := g["base"][0] + dot(k, g["stride0"])
		if s.Form.Unit {
			at += q
		} else {
			at += dot(split(g, "r", q, int(s.Form.Reduced)), g["along0"])
		}
		sum += m.cells[0][at] * (g["position"][0] + q + 1)
	}
	if s.Stage&ToStates != 0 {
		m.scratch[g["to"][0]+b+dot(k, g["to_stride"])] = sum
	} else {
		m.write(1, g["base"][1]+dot(k, g["stride1"]), sum)
	}
}

// split takes a linear index apart by the divisors of a geometry.
func split(g map[string][]int64, prefix string, rest int64, axes int) []int64 {
	var k []int64
	for a := range axes - 1 {
		n, mul := uint64(rest), uint64(g[prefix+"mul"][a])
		q := int64(uint32((n*mul>>32 + n) >> g[prefix+"shift"][a]))
		k = append(k, rest-q*g[prefix+"size"][a])
		rest = q
	}
	return append(k, rest)
}

func dot(k, strides []int64) (sum int64) {
	for a, i := range k {
		sum += i * strides[a]
	}
	return sum
}

// numbered returns n cells with different contents.
func numbered(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i*i%1009 + 3)
	}
	return out
}

var stepLimits = []Limits{DeviceLimits, {broadcast.IndexLimit, 1}, {broadcast.IndexLimit, 2}, {3000, 5}, {100, 65_535}, {7, 1}}

func TestStepsOfElements(t *testing.T) {
	p, l := elementwise(t, Add)
	for _, c := range []struct{ a, b shape }{
		{shape{}, shape{}}, {shape{300}, shape{300}}, {shape{}, shape{40, 5}}, {shape{7, 1}, shape{9}},
		{shape{3, 1, 4, 1}, shape{2, 1, 5}}, {shape{2, 1, 3, 1, 2}, shape{2, 1, 4, 1}},
		{shape{2, 1, 2, 1, 2, 1, 2}, shape{3, 1, 2, 1, 2, 1}}, {shape{1, 3}, shape{5, 1}},
	} {
		space, err := broadcast.Shapes(c.a, c.b)
		require.NoError(t, err)
		plan := planOf(space, 0, 0, c.a, c.b, space)
		for _, limit := range stepLimits {
			m := machine{t: t, p: p, l: l, groups: limit.Groups, cells: [][]int64{numbered(c.a.Size() + 2), numbered(c.b.Size() + 3), make([]int64, space.Size()+4)}}
			f, err := ChooseForm(l, plan, true)
			require.NoError(t, err)
			steps, err := Steps(p, l, f, plan, []int64{2, 3, 4}, 0, limit)
			require.NoError(t, err)
			for _, s := range steps {
				m.run(s)
			}
			assert.Equal(t, added(space, c.a, c.b, m.cells[0][2:], m.cells[1][3:]), m.cells[2][4:], "%v + %v, limits %v, form %v", c.a, c.b, limit, f)
			assert.Equal(t, make([]int64, 4), m.cells[2][:4])
		}
	}
}

// added adds two row-major operands with the help of nothing but the rule.
func added(space, a, b shape, x, y []int64) []int64 {
	out := make([]int64, space.Size())
	for i := range out {
		var at [2]int
		for o, s := range []shape{a, b} {
			rest, stride := i, 1
			for axis := range len(space) {
				k := rest % space[len(space)-1-axis]
				rest /= space[len(space)-1-axis]
				if j := len(s) - 1 - axis; j >= 0 {
					if s[j] != 1 {
						at[o] += k * stride
					}
					stride *= s[j]
				}
			}
		}
		out[i] = x[at[0]] + y[at[1]]
	}
	return out
}

func TestStepsOfReductions(t *testing.T) {
	b := NewBuilder()
	v, err := b.Apply(Sum, Attr{}, b.Input(dtype.Int64))
	require.NoError(t, err)
	b.Output(v)
	p, l := lowered(t, b)
	for _, c := range []struct {
		space   shape
		reduced broadcast.AxisMask
		stages  []Stage
	}{
		{shape{3}, 1, []Stage{0}},
		{shape{4, 0}, 0b10, []Stage{0}},
		{shape{1024}, 1, []Stage{0}},
		{shape{1025}, 1, []Stage{ToStates, FromStates}},
		{shape{3, 2100}, 0b10, []Stage{ToStates, FromStates}},
		{shape{2100, 3}, 0b01, []Stage{ToStates, FromStates}},
		{shape{3, 50, 2, 60}, 0b1010, []Stage{ToStates, FromStates}},
		{shape{1<<20 + 5}, 1, []Stage{ToStates, FromStates | ToStates, FromStates}},
	} {
		out := c.space.Clone()
		for i := range out {
			if c.reduced.Has(i) {
				out[i] = 1
			}
		}
		plan := planOf(c.space, c.reduced, 0, c.space, out)
		for i, limit := range stepLimits[:5] {
			f, err := ChooseForm(l, plan, i%2 == 0)
			require.NoError(t, err)
			m := machine{t: t, p: p, l: l, groups: limit.Groups, cells: [][]int64{numbered(c.space.Size() + 2), make([]int64, out.Size()+3)},
				scratch: make([]int64, 5+Scratch(p, plan)/8)}
			steps, err := Steps(p, l, f, plan, []int64{2, 3}, 5, limit)
			require.NoError(t, err)
			if limit == DeviceLimits {
				var stages []Stage
				for _, s := range steps {
					stages = append(stages, s.Stage)
				}
				assert.Equal(t, c.stages, stages, "%v", c.space)
			}
			for _, s := range steps {
				m.run(s)
			}
			assert.Equal(t, weighted(c.space, c.reduced, m.cells[0][2:]), m.cells[1][3:], "%v over %b, limits %v", c.space, c.reduced, limit)
		}
	}
}

// weighted sums elements times their positions among those reduced to the same
// result, counted from 1.
func weighted(space shape, reduced broadcast.AxisMask, x []int64) []int64 {
	results := 1
	for i, n := range space {
		if !reduced.Has(i) {
			results *= n
		}
	}
	out, seen := make([]int64, results), make([]int64, results)
	for i := range x[:space.Size()] {
		at, stride, rest := 0, 1, i
		for axis := len(space) - 1; axis >= 0; axis-- {
			if !reduced.Has(axis) {
				at += rest % space[axis] * stride
				stride *= space[axis]
			}
			rest /= space[axis]
		}
		seen[at]++
		out[at] += x[i] * seen[at]
	}
	return out
}

func TestStepsOfNothing(t *testing.T) {
	p, l := elementwise(t, Add)
	plan := planOf(shape{3, 0}, 0, 0, shape{3, 0}, shape{3, 0}, shape{3, 0})
	f, err := ChooseForm(l, plan, true)
	require.NoError(t, err)
	steps, err := Steps(p, l, f, plan, []int64{0, 0, 0}, 0, DeviceLimits)
	require.NoError(t, err)
	assert.Empty(t, steps)
}

// A column of 1,024 elements 3 million apart cannot be cut: its offsets need
// 64 bits.
func TestWideSteps(t *testing.T) {
	p, l := elementwise(t, Sum)
	in, err := broadcast.NewLayout(shape{1024, 2}, []int{3_000_000, 1}, 0)
	if err != nil {
		t.Skip("the span does not fit this machine's int")
	}
	out := broadcast.RowMajor(shape{1, 2})
	var plan broadcast.Plan
	plan.Build(shape{1024, 2}, 1, 0, 1, &in, &out)
	f, err := ChooseForm(l, &plan, true)
	require.NoError(t, err)
	steps, err := Steps(p, l, f, &plan, []int64{0, 0}, 0, DeviceLimits)
	require.NoError(t, err)
	require.Len(t, steps, 1)
	assert.True(t, steps[0].Form.Wide)
	g := unpack(t, geometryFields(l, steps[0].Form, 1, 1, nil), true, steps[0].Geometry)
	assert.Equal(t, []int64{3_000_000}, g["along0"])
}

func TestGroups(t *testing.T) {
	for _, c := range []struct{ items, group [3]int }{
		{[3]int{1000, 9, 9}, [3]int{256, 1, 1}}, {[3]int{20, 9, 9}, [3]int{32, 8, 1}},
		{[3]int{3, 9, 9}, [3]int{4, 8, 8}}, {[3]int{2, 2, 900}, [3]int{4, 8, 8}},
	} {
		assert.Equal(t, c.group, gridGroup(c.items), "%v", c.items)
	}
}
