package tensor_test

import (
	"fmt"
	"math"
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// live calls what moves, frees, keeps and reads tensors.
func (p *player) live() {
	t := p.any()
	switch p.next(8) {
	case 0:
		p.free(t)
	case 1, 2:
		p.move(t)
	case 3:
		p.enter(t)
	case 4:
		p.leave()
	case 5:
		p.lend(t)
	case 6:
		p.item(t)
	case 7:
		p.print(t)
	}
}

// free frees a tensor; views of it live on.
func (p *player) free(t *twin) {
	p.check(t)
	p.note("Free", t)
	before := t.real.Err()
	if err := t.real.Free(); err != before {
		p.faultf("Free returned %v, want %v", err, before)
	}
	if before != nil {
		return
	}
	if err := t.real.Err(); err != tensor.ErrFreed {
		p.faultf("Err is %v after Free", err)
	}
	*t = twin{real: t.real, name: t.name, dead: true}
}

// move calls To.
func (p *player) move(t *twin) {
	dev := p.dev
	switch {
	case p.rarely(32):
		dev = nil
	case p.rarely(2):
		dev = p.host
	}
	p.note("To", t, dev)
	got := t.real.To(dev)
	dead := refusedBy(t)
	switch {
	case dead != nil:
		p.result(got, dead)
	case dev == nil:
		p.result(got, failing(nil))
	case t.store == nil:
		p.result(got, t.settled(dev))
	case t.store.dev == dev:
		p.result(got, t.like(t.sizes, t.at))
	default:
		c := t.cloned()
		c.store.dev = dev
		p.result(got, c)
	}
}

// enter puts a view of a tensor in a Scope, an open one or a new one.
func (p *player) enter(t *twin) {
	if len(p.scopes) == 0 || p.rarely(4) {
		p.scopes = append(p.scopes, &scopeTwin{real: tensor.NewScope(), opened: len(p.scopes)})
	}
	s := p.scopes[p.next(len(p.scopes))]
	if p.rarely(32) {
		p.note("In", t, "nil")
		want := refusedBy(t)
		if want == nil {
			want = failing(nil)
		}
		p.result(t.real.In(nil), want)
		return
	}
	p.note("In", t, s.opened)
	got := t.real.In(s.real)
	dead := refusedBy(t)
	switch {
	case dead != nil:
		p.result(got, dead)
	case s.closed:
		p.result(got, failing(tensor.ErrFreed))
	case t.store == nil:
		p.result(got, weakTwin(t.weak))
	default:
		v := t.like(t.sizes, t.at)
		v.scope = s
		p.result(got, v)
	}
}

// leave keeps a tensor or closes a Scope.
func (p *player) leave() {
	if len(p.scopes) == 0 {
		return
	}
	s := p.scopes[p.next(len(p.scopes))]
	if t := p.any(); p.rarely(2) && t.real != nil {
		p.note("Keep", s.opened, t)
		if s.real.Keep(t.real); t.scope == s {
			t.scope = nil
		}
		return
	}
	p.checkAll()
	p.note("Close", s.opened)
	s.real.Close()
	s.closed = true
	for _, t := range p.pool {
		if t.scope == s {
			*t = twin{real: t.real, name: t.name, dead: true}
		}
	}
}

// lend reads through WithData, where the host has the memory.
func (p *player) lend(t *twin) {
	p.note("WithData", t)
	var bits []uint64
	err := tensor.WithData(t.real, func(v []float32) error {
		for _, x := range v {
			bits = append(bits, uint64(math.Float32bits(x)))
		}
		return nil
	})
	switch {
	case t.dead:
		p.failure(err, refusedBy(t))
	case t.store == nil || t.store.dtype != dtype.Float32 || !t.contiguous() || !mapped(t.store.dev):
		p.failure(err, failing(nil))
	default:
		p.failure(err, t)
		p.compare(t, bits)
	}
}

func mapped(d device.Device) bool {
	_, ok := d.(device.Mapper)
	return ok
}

// item reads one element, as the right type or as another.
func (p *player) item(t *twin) {
	p.note("Item", t)
	v, err := tensor.Item[int64](t.real)
	switch {
	case t.dead:
		p.failure(err, refusedBy(t))
	case t.store == nil && t.weak.Kind() == dtype.IntKind:
		if n, _ := t.weak.Int64(); err != nil || n != v {
			p.faultf("Item is %v, %v, want %v", v, err, n)
		}
	case t.store == nil || t.store.dtype != dtype.Int64 || len(t.at) != 1:
		p.failure(err, failing(nil))
	default:
		p.failure(err, t)
		p.compare(t, []uint64{uint64(v)})
	}
}

// print must say something, of whatever tensor.
func (p *player) print(t *twin) {
	formats := []string{"%v", "%+v", "%.3f", "%d", "%q", "%s"}
	format := formats[p.next(len(formats))]
	p.note("String", t, format)
	if text := fmt.Sprintf(format, t.real); text == "" {
		p.faultf("%v prints nothing with %s", t, format)
	}
	if t.real.String() == "" {
		p.faultf("%v prints nothing", t)
	}
}

// more calls what takes several tensors or none of the other forms.
func (p *player) more() {
	switch p.next(6) {
	case 0, 1:
		p.multiply()
	case 2, 3:
		p.sumTo()
	case 4:
		p.broadcastAll()
	case 5:
		p.spread()
	}
}

// sumTo sums to a shape that would have been stretched.
func (p *player) sumTo() {
	t := p.any()
	sizes := slices.Clone(t.sizes)
	if p.rarely(2) && len(sizes) > 0 {
		sizes = sizes[p.next(len(sizes)):]
	}
	for i := range sizes {
		if p.rarely(3) {
			sizes[i] = 1
		}
	}
	if p.rarely(16) {
		sizes = p.shape()
	}
	p.note("SumTo", t, sizes)
	got := t.real.SumTo(sizes...)
	if dead := refusedBy(t); dead != nil {
		p.result(got, dead)
		return
	}
	if !stretchesExactly(sizes, t.sizes) {
		p.result(got, failing(nil))
		return
	}
	var axes []int
	var mask uint32
	for i, n := range t.sizes {
		j := i - len(t.sizes) + len(sizes)
		if n != 1 && (j < 0 || sizes[j] == 1) {
			axes, mask = append(axes, i), mask|1<<i
		}
	}
	switch {
	case len(axes) == 0 && t.dtype().IsFloat() && t.store == nil && len(sizes) == 0:
		p.result(got, weakTwin(t.weak))
	case len(axes) == 0 && t.dtype().IsFloat() && strided(t.at, sizes):
		p.result(got, t.like(sizes, t.at))
	default:
		want := rowCall{op: kernels.Sum, attr: kernels.Attr{Axes: kernels.Axes(axes...), Keep: true},
			axes: axisChoice{true, mask, false}, in: []*twin{t}, host: p.host}.outcome()
		if want.store != nil {
			want.sizes = sizes
		}
		p.result(got, want)
	}
}

// broadcastAll stretches several tensors to one shape.
func (p *player) broadcastAll() {
	ts := []*twin{p.any()}
	for range p.next(3) {
		ts = append(ts, p.partner(ts[0]))
	}
	real := make([]*tensor.Tensor, len(ts))
	ok, sizes, words := true, []int{}, []any{}
	for i, t := range ts {
		real[i] = t.real
		words = append(words, t)
		if !ok || t.dead {
			continue
		}
		sizes, ok = stretch(sizes, t.sizes)
		ok = ok && t.store != nil && ts[0].store != nil && t.store.dev == ts[0].store.dev
	}
	if shapeSize(sizes) > 1<<16 {
		return // the model lists the elements of a view, however few it has of its own
	}
	p.note("BroadcastTensors", words...)
	views, err := tensor.BroadcastTensors(real...)
	want := refusedBy(ts...)
	if want == nil && !ok {
		want = failing(nil)
	}
	if want != nil {
		p.failure(err, want)
		return
	}
	if err != nil || len(views) != len(ts) {
		p.faultf("%d views, %v", len(views), err)
	}
	for i, t := range ts {
		v := t.like(sizes, nil)
		for _, pos := range stretchOver(t.sizes, sizes) {
			v.at = append(v.at, t.at[pos])
		}
		p.result(views[i], v)
	}
}
