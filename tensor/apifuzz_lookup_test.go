package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

var lookups = []string{"IndexSelect", "Gather", "GatherElements", "TakeAlongAxis", "GatherND", "ScatterElements", "ScatterAdd", "IndexAdd", "ScatterND"}

// lookUp calls an operation at indices.
func (p *player) lookUp() {
	name := lookups[p.next(len(lookups))]
	t := p.any()
	axis := p.axis(len(t.sizes))
	index, batch := p.indexFor(name, t, axis)
	if shapeSize(t.sizes)*shapeSize(index.sizes) > maxCells {
		return
	}
	switch name {
	case "IndexSelect", "Gather", "GatherElements", "TakeAlongAxis", "GatherND":
		p.gather(name, t, axis, index, batch)
	default:
		p.scatter(name, t, axis, index)
	}
}

func (p *player) gather(name string, t *twin, axis int, index *twin, batch int) {
	p.note(name, t, axis, index, batch)
	var got *tensor.Tensor
	switch name {
	case "IndexSelect":
		got = t.real.IndexSelect(axis, index.real)
	case "Gather":
		got = t.real.Gather(axis, index.real)
	case "GatherElements":
		got = t.real.GatherElements(axis, index.real)
	case "TakeAlongAxis":
		got = t.real.TakeAlongAxis(axis, index.real)
	case "GatherND":
		if batch == 0 && p.rarely(2) {
			got = t.real.GatherND(index.real)
		} else {
			got = t.real.GatherND(index.real, tensor.GatherOpts{Batch: batch})
		}
	}
	dev, want := p.operands(t, index)
	var l *lookup
	if want == nil {
		if l, want = newLookup(name, t.based(dev), axis, index.asIndex(dev), batch); want == nil {
			want = p.late(got, l, l.gathered(dev, t, index))
		}
	}
	p.result(got, want)
}

func (p *player) scatter(name string, t *twin, axis int, index *twin) {
	updates := p.updatesFor(name, t, axis, index)
	how := tensor.Merge(p.next(int(tensor.MergeMax) + 1))
	if p.rarely(64) {
		how = 77
	}
	p.note(name, t, axis, index, updates, how)
	var got *tensor.Tensor
	switch name {
	case "ScatterElements":
		got = t.real.ScatterElements(axis, index.real, updates.real, how)
	case "ScatterAdd":
		got, how = t.real.ScatterAdd(axis, index.real, updates.real), tensor.MergeAdd
	case "IndexAdd":
		got, how = t.real.IndexAdd(axis, index.real, updates.real), tensor.MergeAdd
	case "ScatterND":
		got = t.real.ScatterND(index.real, updates.real, how)
	}
	dev, want := p.operands(t, index, updates)
	var l *lookup
	if want == nil {
		if l, want = newLookup(name, t.based(dev), axis, index.asIndex(dev), 0); want == nil {
			want = p.late(got, l, l.scattered(dev, updates, how, t, index, updates))
		}
	}
	p.result(got, want)
}

// newLookup describes the operation of that name, or says why it must fail.
func newLookup(name string, table *twin, axis int, index *twin, batch int) (*lookup, *twin) {
	l := &lookup{table: table, index: index}
	if table.dead || index.dead {
		return nil, failing(nil)
	}
	a, ok := from(axis, len(table.sizes))
	same := len(table.sizes) == len(index.sizes)
	switch {
	case name == "GatherND" || name == "ScatterND":
		ok = l.tuples(batch)
	case !ok || (name == "IndexSelect" || name == "IndexAdd") && len(index.sizes) != 1:
		ok = false
	case name == "IndexAdd":
		l.added(a)
	case name == "TakeAlongAxis":
		ok = same && l.alongside(a)
	case name == "Gather" || name == "IndexSelect":
		l.slicesAlong(a)
	default:
		for i, n := range index.sizes {
			same = same && (i == a || n <= table.sizes[i])
		}
		if ok = same; ok {
			l.beside(a)
		}
	}
	if !ok {
		return nil, failing(nil)
	}
	return l, nil
}

// asIndex returns t as indices, a failure when its dtype is none of an index.
func (t *twin) asIndex(dev device.Device) *twin {
	if d := t.dtype(); !d.IsInteger() || d == dtype.Uint64 {
		return failing(nil)
	}
	return t.based(dev)
}

// indexFor makes indices for an operation on t, mostly such as fit.
func (p *player) indexFor(name string, t *twin, axis int) (index *twin, batch int) {
	if p.rarely(12) || t.store == nil {
		return p.any(), p.next(3)
	}
	a, ok := from(axis, len(t.sizes))
	limit := 1
	if ok {
		limit = t.sizes[a]
	}
	var sizes []int
	switch name {
	case "IndexSelect", "IndexAdd":
		sizes = []int{p.next(6)}
	case "Gather":
		for range p.next(3) {
			sizes = append(sizes, p.next(4))
		}
	case "GatherND", "ScatterND":
		if name == "GatherND" {
			batch = p.next(min(len(t.sizes), 2) + 1)
		}
		sizes = slices.Clone(t.sizes[:batch])
		for range p.next(3) {
			sizes = append(sizes, p.next(4))
		}
		k := p.next(min(len(t.sizes)-batch, 3) + 1)
		if sizes = append(sizes, k); k > 0 {
			limit = slices.Min(t.sizes[batch : batch+k])
		}
	default:
		sizes = slices.Clone(t.sizes)
		for i, n := range sizes {
			if i == a {
				sizes[i] = p.next(6)
			} else if name == "TakeAlongAxis" && p.rarely(4) {
				sizes[i] = 1
			} else if n > 0 && name != "TakeAlongAxis" && p.rarely(4) {
				sizes[i] = p.next(n)
			}
		}
	}
	return p.newIndex(t, limit, sizes), batch
}

// newIndex makes indices into an axis of size limit; rarely one is out of range.
func (p *player) newIndex(t *twin, limit int, sizes []int) *twin {
	all := []dtype.DType{dtype.Int64, dtype.Int32, dtype.Int8, dtype.Uint8, dtype.Int16, dtype.Uint32}
	d := all[p.next(len(all))]
	rng, wild := p.random(), p.rarely(8)
	bits := make([]uint64, shapeSize(sizes))
	for i := range bits {
		n := int64(0)
		if limit > 0 {
			n = int64(rng.IntN(min(limit, 127)))
		}
		if d.Kind() == dtype.IntKind && rng.IntN(3) == 0 {
			n = max(n-int64(limit), -int64(min(limit, 128)))
		}
		if wild && rng.IntN(4) == 0 {
			n = int64(rng.IntN(100))
		}
		bits[i], _ = dtype.IntNumber(n).Bits(d)
	}
	p.note("New", d, sizes)
	x := makeBits(d, bits, sizes)
	if t.store.dev != p.host {
		x = x.To(t.store.dev)
	}
	return p.result(x, fresh(t.store.dev, d, sizes, bits))
}

// updatesFor makes updates, mostly such as broadcast to the points.
func (p *player) updatesFor(name string, t *twin, axis int, index *twin) *twin {
	if t.store == nil || t.dead || index.store == nil || index.dead || p.rarely(12) {
		return p.any()
	}
	l, wrong := newLookup(name, t, axis, index.asIndex(t.store.dev), 0)
	if wrong != nil || p.rarely(8) {
		return p.scalar()
	}
	sizes := slices.Clone(l.sizes)
	for i := range sizes {
		if p.rarely(6) {
			sizes[i] = 1
		}
	}
	if len(sizes) > 0 && p.rarely(6) {
		sizes = sizes[p.next(len(sizes)):]
	}
	if shapeSize(sizes) > maxCells {
		return p.scalar()
	}
	d := t.store.dtype
	if p.rarely(3) {
		d = p.dtype()
	}
	return p.newOn(t.store.dev, d, sizes)
}
