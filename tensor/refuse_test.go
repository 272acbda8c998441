package tensor_test

import (
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// An error about a freed tensor says which one, and who freed it.
func TestFreedOperandsAreNamed(t *testing.T) {
	x, freed := tensor.Ones(dtype.Float32, 2), tensor.Ones(dtype.Float32, 2)
	must(t, freed.Free())
	s := tensor.NewScope()
	scoped := x.In(s).MulScalar(2)
	s.Close()
	for want, err := range map[string]error{
		"sub: operand 1 of 2 was freed by its Scope; Keep it before Close": scoped.Sub(x).Err(),
		"sub: operand 2 of 2 was freed by Free":                            x.Sub(freed).Err(),
		"exp: the tensor was freed by Free":                                freed.Exp().Err(),
		"assign: the source was freed by its Scope":                        x.Assign(scoped),
		"assign: the destination was freed by Free":                        freed.Assign(x),
	} {
		wantError(t, err, tensor.ErrFreed, want)
	}
	wantError(t, x.Add(nil).Err(), tensor.ErrEmpty, "add: operand 2 of 2: nil or zero Tensor")
}

func TestAdviceOfErrors(t *testing.T) {
	x := tensor.Ones(dtype.Float32, 2, 3)
	dev := lagging(t, devicetest.LagOptions{DropAbilities: true})
	a := x.To(dev)
	wantError(t, a.MatMul(a.T()).Err(), device.ErrUnsupported,
		"matmul: lagging(cpu) has no matrix product; device.AllowHost(dev) lets it go through the CPU, or move the operands with To")
	write := func([]float32) error { return nil }
	wantError(t, tensor.WithMutableData(x.T(), write), nil, "write to c := t.Contiguous(), which is a copy, and bring it back with t.Assign(c)")
	wantError(t, tensor.WithMutableData(x.BroadcastTo(4, 2, 3), write), tensor.ErrShared, "several elements share memory")
	for want, y := range map[string]*tensor.Tensor{
		"expand: -1 keeps a size that t has, and (3) has no axis -2; give the size": tensor.Ones(dtype.Float32, 3).Expand(-1, 3),
		"-1 is for Expand": x.BroadcastTo(-1, 3),
		"give every size; only Reshape(-1, ...) works one out":           tensor.New([]float32{1, 2}, -1, 2),
		"uniform: int32 is not a float type; ask for float32 and Cast":   tensor.NewRand(1).Uniform(dtype.Int32, 2),
		"full: 256 is outside the range of uint8; ask for another dtype": tensor.Full(dtype.Uint8, 256, 2),
	} {
		wantError(t, y.Err(), nil, want)
	}
}
