package tensor_test

import (
	"math"
	"reflect"
	"strings"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// rowMethod is a method of Tensor that is a form of a row.
type rowMethod struct {
	name  string
	index int // among the methods of *Tensor
	typ   reflect.Type
	op    kernels.Op
	keep  bool
}

var (
	tensorType = reflect.TypeFor[*tensor.Tensor]()
	errorType  = reflect.TypeFor[error]()
	dtypeType  = reflect.TypeFor[dtype.DType]()
	anyType    = reflect.TypeFor[any]()
)

// rowMethods are found by name: a row's, alone or with one of the endings that
// the generated forms have. So a new row joins by itself.
var rowMethods = findRowMethods()

func findRowMethods() (found []rowMethod) {
	byName := map[string]kernels.Op{}
	for _, op := range kernels.Ops() {
		byName[strings.ReplaceAll(op.String(), "_", "")] = op
	}
	for i := range tensorType.NumMethod() {
		m := tensorType.Method(i)
		for _, ending := range []string{"", "Keep", "Axes", "Scalar", "Assign"} {
			base, has := strings.CutSuffix(m.Name, ending)
			if op, ok := byName[strings.ToLower(base)]; ok && has && callable(m.Type) {
				found = append(found, rowMethod{m.Name, i, m.Type, op, ending == "Keep"})
				break
			}
		}
	}
	return found
}

// callable reports whether the player can make arguments of those types.
func callable(m reflect.Type) bool {
	for i := 1; i < m.NumIn(); i++ {
		switch in := m.In(i); in {
		case tensorType, dtypeType, anyType, reflect.TypeFor[float64](), reflect.TypeFor[[]int]():
		default:
			return false
		}
	}
	return m.NumOut() == 1 && (m.Out(0) == tensorType || m.Out(0) == errorType)
}

// callMethod calls one of them.
func (p *player) callMethod() {
	m := rowMethods[(p.next(256)<<8+p.next(256))%len(rowMethods)]
	t := p.any()
	c := rowCall{op: m.op, in: []*twin{t}, host: p.host, attr: kernels.Attr{Keep: m.keep}}
	args, words := []reflect.Value{}, []any{t}
	var variadic []int
	for i := 1; i < m.typ.NumIn(); i++ {
		var arg any
		switch m.typ.In(i) {
		case tensorType:
			u := p.partner(t)
			c.in = append(c.in, u)
			arg = u.real
			words = append(words, u)
		case dtypeType:
			c.attr.DType = p.dtype()
			if p.rarely(32) {
				c.attr.DType = dtype.Invalid
			}
			arg = c.attr.DType
		case anyType:
			v, n := p.number()
			c.in = append(c.in, weakTwin(n))
			arg = v
		case reflect.TypeFor[float64]():
			v := float64(p.next(64)-16) / 8
			c.in = append(c.in, weakTwin(dtype.FloatNumber(v)))
			arg = v
		default:
			axes, mask, ok := p.axes(len(t.sizes))
			c.axes = axisChoice{len(axes) > 0 || !m.typ.IsVariadic(), mask, !ok}
			variadic, arg = axes, axes
		}
		if m.typ.In(i) != tensorType {
			words = append(words, arg)
		}
		args = append(args, reflect.ValueOf(arg))
	}
	if m.op == kernels.Var || m.op == kernels.Std {
		c.in = append(c.in, weakTwin(dtype.FloatNumber(0))) // the correction
	}
	p.note(m.name, words...)
	p.ops[m.op]++
	p.readNaNs(m.op, c.in...)
	method := reflect.ValueOf(t.real).Method(m.index)
	var out []reflect.Value
	if m.typ.IsVariadic() && variadic != nil {
		out = method.CallSlice(args)
	} else {
		out = method.Call(args)
	}
	if m.typ.Out(0) == errorType {
		c.dst = t
		err, _ := out[0].Interface().(error)
		p.written(err, c)
		return
	}
	p.result(out[0].Interface().(*tensor.Tensor), c.outcome())
}

// spread calls VarWith or StdWith.
func (p *player) spread() {
	t := p.any()
	o := tensor.VarOpts{Keep: p.rarely(2), Correction: [...]float64{0, 1, 2, -1, 0.5, math.NaN()}[p.next(6)]}
	c := rowCall{op: kernels.Var, in: []*twin{t, weakTwin(dtype.FloatNumber(o.Correction))}, host: p.host, attr: kernels.Attr{Keep: o.Keep}}
	if !p.rarely(3) {
		axes, mask, ok := p.axes(len(t.sizes))
		o.Axes, c.axes = axes, axisChoice{true, mask, !ok}
	}
	if p.rarely(2) {
		p.note("VarWith", t, o)
		p.result(t.real.VarWith(o), c.outcome())
		return
	}
	c.op = kernels.Std
	p.note("StdWith", t, o)
	p.result(t.real.StdWith(o), c.outcome())
}

// partner returns an operand to go with t: mostly one that broadcasts with it.
func (p *player) partner(t *twin) *twin {
	switch p.next(8) {
	case 0, 1:
		return p.any()
	case 2:
		return p.scalar()
	case 3:
		return t
	}
	sizes := append([]int{}, t.sizes...)
	if len(sizes) > 0 && p.rarely(3) {
		sizes = sizes[p.next(len(sizes)):]
	}
	for i := range sizes {
		if p.rarely(4) {
			sizes[i] = 1
		}
	}
	if shapeSize(sizes) > maxCells {
		return p.any()
	}
	d := p.dtype()
	if t.store != nil && p.rarely(2) {
		d = t.store.dtype
	}
	dev := p.dev
	if t.store != nil && !p.rarely(32) {
		dev = t.store.dev
	}
	return p.newOn(dev, d, sizes)
}

// written compares the outcome of a call that writes into a tensor.
func (p *player) written(err error, c rowCall) {
	want := c.outcome()
	if p.failure(err, want) {
		return
	}
	p.check(c.dst)
}
