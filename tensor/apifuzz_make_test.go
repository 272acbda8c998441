package tensor_test

import (
	"math"
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// new makes a tensor of random elements on the device of the calls.
func (p *player) new(d dtype.DType, sizes []int) *twin {
	return p.newOn(p.dev, d, sizes)
}

func (p *player) newOn(dev device.Device, d dtype.DType, sizes []int) *twin {
	bits := p.elements(d, shapeSize(sizes))
	p.note("New", d, sizes)
	x := makeBits(d, bits, sizes)
	if dev != p.host {
		x = x.To(dev)
	}
	return p.result(x, derived(dev, d, sizes, bits)) // sizes may be those of a tensor and one axis more
}

// create calls a constructor.
func (p *player) create() {
	switch p.next(16) {
	case 0:
		p.filled()
	case 1:
		p.arange()
	case 2:
		p.linspace()
	case 3:
		p.draw()
	case 4:
		p.scalar()
	case 5:
		p.fromSlice()
	case 6:
		p.badSizes()
	case 7:
		n := p.next(6)
		d := p.dtype()
		one, _ := dtype.BoolNumber(true).Bits(dtype.Bool)
		bits := make([]uint64, n*n)
		for i := range n {
			bits[i*n+i] = convert(dtype.Bool, d, one)
		}
		p.note("Eye", d, n)
		p.result(tensor.On(p.dev).Eye(d, n), fresh(p.dev, d, []int{n, n}, bits))
	case 8:
		p.newOn(p.host, p.dtype(), p.shape())
	default:
		p.new(p.dtype(), p.shape())
	}
}

// filled makes a tensor of one number, alone or like another.
func (p *player) filled() {
	d, sizes, dev := p.dtype(), p.shape(), p.dev
	v, n := p.number()
	form := p.next(6)
	like := p.any()
	if form > 2 {
		if dead := refusedBy(like); dead != nil {
			d, sizes, dev = dtype.Invalid, nil, nil
		} else {
			d, sizes, dev = like.dtype(), like.sizes, p.host
			if like.store != nil {
				dev = like.store.dev
			}
		}
	}
	var got *tensor.Tensor
	switch form {
	case 0:
		p.note("Zeros", d, sizes)
		got, n = tensor.On(p.dev).Zeros(d, sizes...), dtype.BoolNumber(false)
	case 1:
		p.note("Ones", d, sizes)
		got, n = tensor.On(p.dev).Ones(d, sizes...), dtype.BoolNumber(true)
	case 2:
		p.note("Full", d, v, sizes)
		got = tensor.On(p.dev).Full(d, v, sizes...)
	case 3:
		p.note("ZerosLike", like)
		got, n = tensor.ZerosLike(like.real), dtype.BoolNumber(false)
	case 4:
		p.note("OnesLike", like)
		got, n = tensor.OnesLike(like.real), dtype.BoolNumber(true)
	case 5:
		p.note("FullLike", like, v)
		got = tensor.FullLike(like.real, v)
	}
	if dead := refusedBy(like); form > 2 && dead != nil {
		p.result(got, dead)
		return
	}
	if n.Kind() == dtype.BoolKind && d != dtype.Bool {
		v, _ := n.Int64()
		n = dtype.IntNumber(v)
	}
	bits, err := n.Bits(d)
	if err != nil {
		p.result(got, failing(nil))
		return
	}
	want := fresh(dev, d, sizes, slices.Repeat([]uint64{bits}, shapeSize(sizes)))
	if form > 2 {
		want.scope = like.scope
	}
	p.result(got, want)
}

// arange counts with integers or halves.
func (p *player) arange() {
	d := p.dtype()
	start, stop, step := p.next(21)-10, p.next(41)-20, p.next(9)-4
	var a, b, c any = start, stop, step
	scale := 1.0
	if d.IsFloat() && p.rarely(2) {
		a, b, c, scale = float64(start)/2, float64(stop)/2, float64(step)/2, 0.5
	}
	p.note("Arange", d, a, b, c)
	got := tensor.On(p.dev).Arange(d, a, b, c)
	if step == 0 || d == dtype.Bool {
		p.result(got, failing(nil))
		return
	}
	var bits []uint64
	_, err := dtype.IntNumber(int64(start)).Bits(d)
	for v := start; step > 0 && v < stop || step < 0 && v > stop; v += step {
		n := dtype.IntNumber(int64(v))
		if d.IsFloat() {
			n = dtype.FloatNumber(float64(v) * scale)
		}
		element, e := n.Bits(d)
		if e != nil {
			err = e
		}
		bits = append(bits, element)
	}
	if err != nil {
		p.result(got, failing(nil))
		return
	}
	p.result(got, fresh(p.dev, d, []int{len(bits)}, bits))
}

// linspace has exact ends and lies near the line; every device gives the same.
func (p *player) linspace() {
	d, n := p.dtype(), p.next(20)
	start, stop := float64(p.next(64)-32)/8, float64(p.next(64)-32)/8
	p.note("Linspace", d, start, stop, n)
	got := tensor.On(p.dev).Linspace(d, start, stop, n)
	if !d.IsFloat() {
		p.result(got, failing(nil))
		return
	}
	bits, err := readBits(tensor.Linspace(d, start, stop, n), d)
	if err != nil {
		p.faultf("linspace on the CPU: %v", err)
	}
	for i, b := range bits {
		want := start
		if n > 1 {
			want += (stop - start) * float64(i) / float64(n-1)
		}
		if v := numberOfBits(d, b).Float64(); math.Abs(v-want) > 0.03 || (i == 0 || i == n-1) && v != want {
			p.faultf("linspace(%v, %v, %d) is %v at %d", start, stop, n, v, i)
		}
	}
	p.result(got, fresh(p.dev, d, []int{n}, bits))
}

// draw takes random numbers, which are the same on the CPU.
func (p *player) draw() {
	d, sizes, seed := p.dtype(), p.shape(), uint64(p.next(256))
	a, b := tensor.NewRand(seed), tensor.NewRand(seed)
	if p.rarely(2) {
		a, b = a.Split(), b.Split()
	}
	draw := (*tensor.Rand).Uniform
	if p.rarely(2) {
		draw = (*tensor.Rand).Normal
	}
	p.note("Rand", d, sizes, seed)
	got := draw(a.On(p.dev), d, sizes...)
	if !d.IsFloat() {
		p.result(got, failing(nil))
		return
	}
	bits, err := readBits(draw(b, d, sizes...), d)
	if err != nil {
		p.faultf("random numbers on the CPU: %v", err)
	}
	p.result(got, fresh(p.dev, d, sizes, bits))
}

// fromSlice makes two tensors over parts of one slice.
func (p *player) fromSlice() {
	const n = 24
	store := &cellStore{dtype.Int32, p.host, make([]uint64, n)}
	data := make([]int32, n)
	rng := p.random()
	for i := range data {
		data[i] = rng.Int32()
		store.cells[i] = uint64(uint32(data[i]))
	}
	for range 2 {
		from := p.next(n)
		to := from + p.next(n-from+1)
		t := &twin{sizes: []int{to - from}, store: store}
		for i := from; i < to; i++ {
			t.at = append(t.at, i)
		}
		p.note("FromSlice", from, to)
		p.result(tensor.FromSlice(data[from:to]), t)
	}
}

// badSizes asks for what cannot be.
func (p *player) badSizes() {
	d := p.dtype()
	p.note("Zeros of bad sizes")
	var got *tensor.Tensor
	switch p.next(5) {
	case 0:
		got = tensor.On(p.dev).Zeros(d, 2, -1)
	case 1:
		got = tensor.On(p.dev).Ones(d, math.MaxInt, 3, 0)
	case 2:
		got = tensor.On(p.dev).Zeros(d, make([]int, 33)...)
	case 3:
		got = tensor.On(nil).Zeros(d, 2)
	case 4:
		got = tensor.On(p.dev).Zeros(dtype.Invalid, 2)
	}
	p.result(got, failing(nil))
}

func (p *player) scalar() *twin {
	var got *tensor.Tensor
	v := p.next(256)
	form := p.next(7)
	n := dtype.IntNumber(int64(v))
	switch form {
	case 0:
		got, n = tensor.Scalar(v%2 == 1), dtype.BoolNumber(v%2 == 1)
	case 1:
		got = tensor.Scalar(uint8(v))
	case 2:
		got, n = tensor.Scalar(int32(v-128)), dtype.IntNumber(int64(v-128))
	case 3:
		got, n = tensor.Scalar(v-4), dtype.IntNumber(int64(v-4))
	case 4:
		got, n = tensor.Scalar(math.MinInt64+int64(v)), dtype.IntNumber(math.MinInt64+int64(v))
	case 5:
		got, n = tensor.Scalar(float32(v-128)/8), dtype.FloatNumber(float64(v-128)/8)
	case 6:
		f := [...]float64{0.1, math.NaN(), math.Inf(1), 1e300, math.Copysign(0, -1), 2.5}[v%6]
		got, n = tensor.Scalar(f), dtype.FloatNumber(f)
	}
	p.note("Scalar", n)
	return p.result(got, weakTwin(n))
}
