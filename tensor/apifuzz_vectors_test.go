package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/kernels"
)

// vectors returns two operands, mostly vectors, and the failure when they are
// none.
func (p *player) vectors(same bool) (a, b *twin, want *twin) {
	a, b = p.any(), p.any()
	if !p.rarely(3) {
		n := p.next(9)
		a, b = p.new(p.dtype(), []int{n}), p.new(p.dtype(), []int{n})
		if !same || p.rarely(8) {
			b = p.new(p.dtype(), []int{p.next(9)})
		}
	}
	for _, t := range []*twin{a, b} {
		if dead := refusedBy(t); dead != nil {
			return a, b, dead
		}
		if len(t.sizes) != 1 {
			return a, b, failing(nil)
		}
	}
	return a, b, nil
}

func (p *player) multiplyVectors() {
	a, b, want := p.vectors(true)
	p.note("Dot", a, b)
	if got := a.real.Dot(b.real); want != nil {
		p.result(got, want)
	} else {
		p.product(got, a, b, false)
	}
}

func (p *player) outer() {
	a, b, want := p.vectors(false)
	p.note("Outer", a, b)
	if want == nil {
		column := a.like([]int{len(a.at), 1}, a.at)
		want = rowCall{op: kernels.Mul, in: []*twin{column, b}, host: p.host}.outcome()
	}
	p.result(a.real.Outer(b.real), want)
}

// vecDot is a product of rows and columns.
func (p *player) vecDot() {
	a := p.any()
	b := p.partner(a)
	axis := p.axis(max(len(a.sizes), len(b.sizes)))
	p.note("VecDot", a, b, axis)
	got := a.real.VecDot(b.real, axis)
	if dead := refusedBy(a, b); dead != nil {
		p.result(got, dead)
		return
	}
	back := axis
	if axis >= 0 {
		back -= max(len(a.sizes), len(b.sizes))
	}
	if n, m := len(a.sizes)+back, len(b.sizes)+back; back >= 0 || min(n, m) < 0 || a.sizes[n] != b.sizes[m] {
		p.result(got, failing(nil))
		return
	}
	row, column := a.alongLast(back), b.alongLast(back)
	n := len(row.sizes) - 1
	row.sizes = slices.Insert(row.sizes, n, 1)
	column.sizes = append(column.sizes, 1)
	if want := p.wantProduct(row, column); want != nil {
		p.result(got, want)
		return
	}
	sizes, _, _ := product(row, column)
	p.taken(got, row, column, sizes[:len(sizes)-2], false)
}

// alongLast moves an axis, counted from the end, to the last place.
func (t *twin) alongLast(back int) *twin {
	var order []int
	for i := range t.sizes {
		if i != len(t.sizes)+back {
			order = append(order, i)
		}
	}
	return t.permuted(append(order, len(t.sizes)+back))
}
