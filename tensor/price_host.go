package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// goesToHost foresees that the device will not support a checked operation,
// which is then computed on the CPU.
func (k *task) goesToHost() bool {
	if !mayUseHost(k.Op, k.dev) {
		return false
	}
	if k.Op == opMatMul {
		return k.checkMatMuler() != nil
	}
	if k.dev.Info().Float64 {
		return false
	}
	l, err := kernels.Lower(k.launch.Program)
	return err == nil && l.UsesFloat64(k.launch.Program)
}

// priceOnHost adds up what onHost allocates. What is on the CPU then is priced
// as an operation there, on tensors without memory.
func (k *task) priceOnHost() (Cost, error) {
	var c Cost
	there := call{Op: k.Op, Attr: k.Attr}
	var in [kernels.MaxArity]*Tensor
	for i, t := range k.in[:k.arity] {
		if in[i] = t; t.store == nil {
			continue
		}
		in[i] = t.asOnHost()
		few, _ := unstretchedAll(t.layout)
		c.addTransfer(few, t.dtype)
	}
	switch {
	case k.Dst != nil:
		if err := checkWritable(k.Dst); err != nil {
			return Cost{}, err
		}
		there.Dst = unmade(k.Dst.dtype, k.Dst.layout.Shape())
		c.addTransfer(*k.Dst.layout, k.Dst.dtype)
		c.Copies += int64(k.Dst.byteSize()) // the result on its way back
	case k.Op == opMatMul:
		c.Result = int64(k.result.Size()) * int64(k.matMulResult().Size())
	default:
		c.Result = int64(k.result.Size()) * int64(k.sig.Result.Size())
	}
	host, err := price(there, in[:k.arity])
	c.Host += host.Total()
	return c, reason(err)
}

// addTransfer adds the copy to the CPU of a tensor that is not stretched, which
// goes through one on its own device when the elements are not in one piece.
func (c *Cost) addTransfer(l broadcast.Layout, d dtype.DType) {
	bytes := int64(l.Size()) * int64(d.Size())
	c.Host += bytes
	if storedTransposed(&l) {
		l, _ = l.Transpose(-2, -1) // as toHost copies it; the axes are there
	}
	if !l.IsContiguous() {
		c.Copies += bytes
	}
}

// asOnHost returns what toHost makes of t, without memory.
func (t *Tensor) asOnHost() *Tensor {
	few, stretched := unstretchedAll(t.layout)
	u := unmade(t.dtype, few.Shape())
	if storedTransposed(&few) {
		u = unmade(t.dtype, transposed(few.Shape()))
		l, _ := u.layout.Transpose(-2, -1) // a matrix has both axes
		u.setLayout(l)
	}
	if stretched {
		l, _ := u.layout.BroadcastTo(t.layout.Shape()) // it was so before
		u.setLayout(l)
	}
	return u
}

// unmade returns a row-major tensor on the CPU that has no memory: something to
// price, never to read.
func unmade(d dtype.DType, shape Shape) *Tensor {
	t := viewOf(&storage{dev: host()}, d, broadcast.RowMajor(shape))
	t.store.refs.Store(1)
	return t
}
