package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// multiply calls a product of matrices or vectors. Its result is compared by
// the bound of any order of additions, and from then on taken as it came.
func (p *player) multiply() {
	switch p.next(8) {
	case 0:
		p.multiplyVectors()
		return
	case 1:
		p.outer()
		return
	case 2:
		p.vecDot()
		return
	}
	a := p.any()
	if len(a.sizes) < 1 && !p.rarely(8) {
		d := p.dtype()
		a = p.new(d, []int{1 + p.next(3), p.next(6), p.next(6)}[p.next(3):])
	}
	b := p.factor(a)
	switch _, _, ok := product(a, b); {
	case p.rarely(4):
		p.multiplyInto(a, b)
	case ok && p.matmul && !a.dead && !b.dead && len(a.sizes) > 1 && len(b.sizes) > 1 && p.rarely(4):
		p.note("Einsum", a, b)
		p.product(tensor.Einsum("...ij,...jk->...ik", a.real, b.real), a, b, true)
	default:
		p.note("MatMul", a, b)
		p.product(a.real.MatMul(b.real), a, b, false)
	}
}

// product compares a product with a·b. With factored sums what is not finite
// may come out another way.
func (p *player) product(got *tensor.Tensor, a, b *twin, factored bool) {
	want := p.wantProduct(a, b)
	if want == nil {
		sizes, _, _ := product(a, b)
		p.taken(got, a, b, sizes, factored)
		return
	}
	p.result(got, want)
}

// wantProduct returns the failure that a product must be, nil when there is none.
func (p *player) wantProduct(a, b *twin) *twin {
	if dead := refusedBy(a, b); dead != nil {
		return dead
	}
	switch sizes, _, ok := product(a, b); {
	case a.store != nil && b.store != nil && a.store.dev != b.store.dev:
		return failing(tensor.ErrDevices)
	case !ok:
		return failing(nil)
	case !p.matmul && a.store.dev == p.dev && shapeSize(sizes) > 0:
		return failing(device.ErrUnsupported)
	}
	return nil
}

// taken reads a product, compares it and takes it, as of those sizes, into the pool.
func (p *player) taken(got *tensor.Tensor, a, b *twin, sizes []int, factored bool) {
	if err := got.Err(); err != nil {
		p.faultf("failed: %v", err)
	}
	_, d, _ := product(a, b)
	bits := p.productBits(got, d, shapeSize(sizes))
	p.checkProduct(a, b, d, bits, factored)
	want := fresh(a.store.dev, d, sizes, bits)
	if want.scope = a.scope; b.scope != nil && (a.scope == nil || b.scope.opened > a.scope.opened) {
		want.scope = b.scope
	}
	p.result(got, want)
}

// productBits reads n elements.
func (p *player) productBits(x *tensor.Tensor, d dtype.DType, n int) []uint64 {
	bits, err := readBits(x, d)
	if err != nil || len(bits) != n {
		p.faultf("the product has %d elements, want %d (%v)", len(bits), n, err)
	}
	return bits
}

// multiplyInto calls MatMulInto.
func (p *player) multiplyInto(a, b *twin) {
	dst := p.target()
	sizes, d, ok := product(a, b)
	if ok && !p.rarely(4) {
		if dst = p.newOn(a.store.dev, []dtype.DType{d, d, p.dtype()}[p.next(3)], sizes); p.rarely(2) {
			dst = p.viewOf(dst)
		}
	}
	want := p.wantProductInto(dst, a, b)
	p.note("MatMulInto", dst, a, b)
	err := tensor.MatMulInto(dst.real, a.real, b.real)
	if p.failure(err, want) {
		return
	}
	if dst.store.dtype == d {
		bits := p.productBits(dst.real, d, len(dst.at))
		p.checkProduct(a, b, d, bits, false)
		dst.write(bits)
		return
	}
	bits, err := readBits(dst.real, dst.store.dtype)
	if err != nil {
		p.faultf("the destination cannot be read: %v", err)
	}
	dst.write(bits)
}

// wantProductInto returns what MatMulInto must make of dst.
func (p *player) wantProductInto(dst, a, b *twin) *twin {
	if dst.isWeak() {
		return failing(nil)
	}
	if dead := refusedBy(dst, a, b); dead != nil {
		return dead
	}
	sizes, d, ok := product(a, b)
	switch {
	case a.isWeak() && b.isWeak():
		return failing(nil)
	case a.store != nil && a.store.dev != dst.store.dev, b.store != nil && b.store.dev != dst.store.dev:
		return failing(tensor.ErrDevices)
	case !ok || d.Kind() > dst.store.dtype.Kind() || !slices.Equal(sizes, dst.sizes):
		return failing(nil)
	case dst.shared():
		return failing(tensor.ErrShared)
	case !p.matmul && dst.store.dev == p.dev && shapeSize(sizes) > 0:
		return failing(device.ErrUnsupported)
	}
	return dst
}

// factor returns a right operand, mostly one that fits.
func (p *player) factor(a *twin) *twin {
	if p.rarely(6) || len(a.sizes) < 1 || a.store == nil {
		return p.any()
	}
	d := p.dtype()
	if p.rarely(2) {
		d = a.store.dtype
	}
	n := len(a.sizes)
	if p.rarely(4) {
		return p.newOn(a.store.dev, d, []int{a.sizes[n-1]})
	}
	sizes := []int{a.sizes[n-1], p.next(6)}
	if transposed := p.rarely(3); transposed {
		sizes[0], sizes[1] = sizes[1], sizes[0]
		b := p.newOn(a.store.dev, d, sizes)
		p.note("T", b)
		return p.result(b.real.T(), b.permuted([]int{1, 0}))
	}
	if n > 2 && p.rarely(2) {
		batch := a.sizes[n-3]
		if p.rarely(3) {
			batch = 1
		}
		sizes = append([]int{batch}, sizes...)
	}
	return p.newOn(a.store.dev, d, sizes)
}

// asMatrix returns the sizes of an operand with the axis that a vector lacks.
func asMatrix(sizes []int, right bool) []int {
	switch {
	case len(sizes) != 1:
		return sizes
	case right:
		return []int{sizes[0], 1}
	}
	return []int{1, sizes[0]}
}

// product returns the sizes and the dtype of a·b.
func product(a, b *twin) (sizes []int, d dtype.DType, ok bool) {
	if a.store == nil || b.store == nil || len(a.sizes) == 0 || len(b.sizes) == 0 || a.store.dev != b.store.dev {
		return nil, 0, false
	}
	as, bs := asMatrix(a.sizes, false), asMatrix(b.sizes, true)
	m, n := len(as), len(bs)
	if as[m-1] != bs[n-2] {
		return nil, 0, false
	}
	if sizes, ok = stretch(as[:m-2], bs[:n-2]); !ok {
		return nil, 0, false
	}
	if len(a.sizes) > 1 {
		sizes = append(sizes, as[m-2])
	}
	if len(b.sizes) > 1 {
		sizes = append(sizes, bs[n-1])
	}
	d, err := dtype.Promote(a.store.dtype, b.store.dtype)
	return sizes, d, err == nil
}
