package devicetest

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// simAble is a sim that gathers, scatters, scans and sorts, naively, and into
// which a test plants a bug.
type simAble struct{ *sim }

// cells are a strided operand of a simAble.
type cells struct {
	d       dtype.DType
	all     []uint64
	first   int
	strides []int
	b       *simBuffer
}

func (d *simAble) cells(t dtype.DType, s device.Strided) (*cells, error) {
	b, err := d.own(s.Buffer)
	if err != nil {
		return nil, err
	}
	return &cells{t, decode(t.Size(), b.data), int(s.Offset) / t.Size(), s.Strides, b}, nil
}

func (c *cells) at(p []int) int {
	off := c.first
	for k, i := range p {
		off += i * c.strides[k]
	}
	return off
}

func (c *cells) store() { copy(c.b.data, encode(c.d.Size(), c.all)) }

// walk visits the points of x with their places in the table, -1 out of range.
func (d *simAble) walk(x *device.Indexed, visit func(v, t *cells, p []int, at int)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	v, err := d.cells(x.DType, x.Values)
	if err != nil {
		return err
	}
	t, err := d.cells(x.DType, x.Table)
	if err != nil {
		return err
	}
	index, err := d.cells(x.IndexDType, x.Index)
	if err != nil {
		return err
	}
	var bad *device.IndexError
	odometer(x.Sizes, func(p []int) {
		at := t.at(p)
		for j, limit := range x.Limits {
			step := x.Step
			if d.has("ignores the step between indices") {
				step = 1
			}
			i := toInt(x.IndexDType, index.all[index.at(p)+j*step])
			if i < 0 && !d.has("counts from the start only") {
				i += int64(limit)
			}
			if i < 0 || i >= int64(limit) {
				place := append([]int{}, p[x.IndexAxis:x.IndexAxis+x.IndexRank]...)
				if x.Tuples {
					place = append(place, j)
				}
				if bad == nil || slices.Compare(place, bad.Place) < 0 {
					bad = &device.IndexError{Value: toInt(x.IndexDType, index.all[index.at(p)+j*x.Step]), Place: place, Size: limit}
				}
				at = -1
				break
			}
			at += int(i) * x.Jumps[j]
		}
		visit(v, t, p, at)
	})
	v.store()
	t.store()
	if bad != nil && !d.has("says nothing of bad indices") {
		return bad
	}
	return nil
}

func (d *simAble) Gather(x *device.Indexed) error {
	return d.walk(x, func(v, t *cells, p []int, at int) {
		switch {
		case at >= 0:
			v.all[v.at(p)] = t.all[at]
		case !d.has("leaves what was there"):
			v.all[v.at(p)] = 0
		}
	})
}

func (d *simAble) Scatter(x *device.Indexed, how device.Merge) error {
	done := map[int]bool{}
	return d.walk(x, func(v, t *cells, p []int, at int) {
		if at < 0 || done[at] && d.has("the first of several stays") {
			return
		}
		done[at] = true
		t.all[at] = merged(x.DType, how, t.all[at], v.all[v.at(p)])
	})
}

func (d *simAble) Scan(s *device.Scan) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	in, err := d.cells(s.DType, s.In)
	if err != nil {
		return err
	}
	out := in
	if s.Out.Buffer != s.In.Buffer {
		if out, err = d.cells(s.DType, s.Out); err != nil {
			return err
		}
	}
	c := scanCase{dtype: s.DType, op: s.Op}
	odometer(s.Lines, func(p []int) {
		acc := c.identity()
		from, to := *in, *out
		from.first, to.first = in.at(p), out.at(p)
		if to.strides = s.Out.Strides[len(s.Lines):]; d.has("runs only one way") {
			to.strides = []int{max(to.strides[0], -to.strides[0])}
		}
		from.strides = s.In.Strides[len(s.Lines):]
		for i := range s.N {
			before := acc
			acc = c.step(acc, from.all[from.at([]int{i})])
			if s.Exclusive && !d.has("is never exclusive") {
				out.all[max(to.at([]int{i}), 0)%len(out.all)] = before
			} else {
				out.all[max(to.at([]int{i}), 0)%len(out.all)] = acc
			}
		}
	})
	out.store()
	return nil
}

func (d *simAble) Sort(s *device.Sort) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	in, err := d.cells(s.DType, s.In)
	if err != nil {
		return err
	}
	outs := []*cells{nil, nil}
	for i, o := range []device.Strided{s.Values, s.Positions} {
		if o.Buffer == nil {
			continue
		}
		if outs[i], err = d.cells([]dtype.DType{s.DType, dtype.Int64}[i], o); err != nil {
			return err
		}
	}
	c := sortCase{dtype: s.DType, descending: s.Descending}
	odometer(s.Lines, func(p []int) {
		line := make([]uint64, s.N)
		for i := range line {
			line[i] = in.all[in.at(append(slices.Clone(p), i))]
		}
		order := c.order(line)
		switch {
		case d.has("NaN first when descending") && s.Descending:
			slices.SortStableFunc(order, func(i, j int) int {
				return cmp.Compare(map[bool]int{true: 0, false: 1}[isNaN(s.DType, line[i])], map[bool]int{true: 0, false: 1}[isNaN(s.DType, line[j])])
			})
		case d.has("is not stable") && s.N > 1:
			slices.SortFunc(order, func(i, j int) int {
				if line[i] == line[j] || c.dtype.IsFloat() && line[i]|line[j] == negativeZero(c.dtype) {
					return j - i
				}
				return slices.Index(order, i) - slices.Index(order, j)
			})
		}
		for i, pos := range order[:s.K] {
			for which, v := range []uint64{line[pos], uint64(pos)} {
				if o := outs[which]; o != nil {
					o.all[o.at(append(slices.Clone(p), i))] = v
				}
			}
		}
	})
	for _, o := range outs {
		if o != nil {
			o.store()
		}
	}
	return nil
}

// abilityErrors runs the checks of those names.
func abilityErrors(t *testing.T, dev device.Device, names ...string) map[string]error {
	t.Helper()
	s := &suite{dev: dev, declined: map[string]bool{}}
	errs := map[string]error{}
	for _, c := range slices.Concat(s.gatherChecks(), s.scanChecks(), s.sortChecks()) {
		if slices.Contains(names, c.name) {
			errs[c.name] = c.run(s)
		}
	}
	if len(errs) != len(names) {
		t.Fatalf("%d checks ran, want %v", len(errs), names)
	}
	return errs
}

func TestAbilityChecksPassNaiveDevice(t *testing.T) {
	for name, dev := range map[string]device.Device{"sim": &simAble{newSim("")}, "lagging": Lagging(&simAble{newSim("")}, LagOptions{})} {
		for check, err := range abilityErrors(t, dev, "gather bool int64", "gather out of range float32 int32", "scatter int16 int64",
			"scatter out of range int64 int64", "scan sum int32", "scan max float64", "sort float32 descending=true", "sort int8 descending=false") {
			if err != nil {
				t.Errorf("%s: %s: %v", name, check, err)
			}
		}
	}
}

func TestAbilityBugsAreFound(t *testing.T) {
	for bug, found := range map[string]string{
		"ignores the step between indices": "gather bool int64",
		"counts from the start only":       "gather bool int64",
		"says nothing of bad indices":      "scatter out of range int64 int64",
		"leaves what was there":            "gather out of range float32 int32",
		"the first of several stays":       "scatter float32 int64",
		"runs only one way":                "scan max float64",
		"is never exclusive":               "scan sum int32",
		"NaN first when descending":        "sort float32 descending=true",
		"is not stable":                    "sort float32 descending=false",
	} {
		t.Run(bug, func(t *testing.T) {
			if abilityErrors(t, &simAble{newSim(bug)}, found)[found] == nil {
				t.Errorf("not found by the check %q", found)
			}
		})
	}
}

// A lagging device reports a bad index with the next Sync or Read, once, and
// names the operation and the line.
func TestLaggingReportsIndicesLate(t *testing.T) {
	dev := Lagging(&simAble{newSim("")}, LagOptions{})
	g := &gatherCase{gatherer: dev.(device.Gatherer), dtype: dtype.Float32, of: dtype.Int64}
	f := walkForms[0]
	w := &walk{walkForm: f, values: newOperand(g.dtype, dense(f.space), 0), tab: newOperand(g.dtype, dense(f.table), 0), idx: newOperand(g.of, dense(f.index), 0)}
	w.idx.set([]uint64{0, 7})
	b := must(upload(dev, w.values, w.tab, w.idx))(t)
	defer b.free()
	if err := g.gatherer.Gather(w.describe(b)); err != nil {
		t.Fatalf("the call itself returned %v", err)
	}
	_, err := b.download(dev, w.values.mem)
	want := "walk at here.go:1: index 7 at (1) is out of range for axis 0 of size 7; valid indices are -7 to 6"
	if !isIndexError(err) || err.Error() != want {
		t.Errorf("reading returned %v, want %s", err, want)
	}
	if _, err := b.download(dev, w.values.mem); err != nil {
		t.Errorf("reading again returned %v", err)
	}
	if _, ok := dev.(device.MatMuler); ok {
		t.Error("multiplies matrices, which its inner device does not")
	}
}
