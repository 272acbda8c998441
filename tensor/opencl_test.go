package tensor_test

import (
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	_ "github.com/stride0/stride0/device/opencl"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// An OpenCL device multiplies on the host, where that is allowed.
func TestProductsOnOpenCL(t *testing.T) {
	dev := devicetest.Open(t, "opencl:0")
	x, v := iota32(2, 3).To(dev), iota32(3).To(dev)
	if !device.HostAllowed(dev) {
		wantError(t, x.MatMul(v).Err(), device.ErrUnsupported, "matmul: opencl:0 has no matrix product", "AllowHost")
		wantError(t, tensor.Einsum("ij,j", x, v).Err(), device.ErrUnsupported, "einsum: opencl:0 has no matrix product", "AllowHost")
	}
	device.AllowHost(dev)
	wantData(t, x.MatMul(v), tensor.Shape{2}, float32(5), 14)
	wantData(t, x.Cast(dtype.Int8).MatMul(x.T().Cast(dtype.Int8)), tensor.Shape{2, 2}, int8(5), 14, 14, 50)
	wantData(t, x.Cast(dtype.BFloat16).MatMul(v.Cast(dtype.BFloat16)).Cast(dtype.Float32), tensor.Shape{2}, float32(5), 14)
	wantData(t, v.Dot(v), tensor.Shape{}, float32(5))
	wantData(t, x.VecDot(v, -1), tensor.Shape{2}, float32(5), 14)
	wantData(t, v.Outer(v), tensor.Shape{3, 3}, float32(0), 0, 0, 0, 1, 2, 0, 2, 4)
	wantData(t, tensor.Einsum("ij,kj,k->ik", x, x, x.Slice(tensor.All, tensor.R(0, 1)).Squeeze()), tensor.Shape{2, 2}, float32(0), 42, 0, 150)
	dst := tensor.On(dev).Ones(dtype.Float32, 4).Slice(tensor.R(0, 4, 2))
	must(t, tensor.MatMulInto(dst, x, v))
	wantData(t, dst, tensor.Shape{2}, float32(5), 14)
}

// An OpenCL device gathers and sorts on the host, where that is allowed. The
// device is shared with nobody: AllowHost is not undone.
func TestIndexOperationsOnOpenCL(t *testing.T) {
	dev := devicetest.Open(t, "opencl:0")
	x := iota32(3, 4).To(dev)
	index := ints(2, 0, -1).To(dev)
	if !device.HostAllowed(dev) {
		wantError(t, x.Gather(0, index).Err(), device.ErrUnsupported, "opencl:0 has no gather", "AllowHost")
	}
	device.AllowHost(dev)
	wantData(t, x.IndexSelect(1, index), tensor.Shape{3, 3}, float32(2), 0, 3, 6, 4, 7, 10, 8, 11)
	wantData(t, x.IndexAdd(1, index, tensor.Scalar(10)).Slice(tensor.R(0, 1)), tensor.Shape{1, 4}, float32(10), 1, 12, 13)
	wantData(t, x.CumSum(0).Slice(tensor.R(2, 3)), tensor.Shape{1, 4}, float32(12), 15, 18, 21)
	wantData(t, x.Flip(1).Sort(1).Slice(tensor.R(0, 1)), tensor.Shape{1, 4}, float32(0), 1, 2, 3)
	wantData(t, x.MaskedSelect(x.Gt(tensor.Scalar(9))), tensor.Shape{2}, float32(10), 11)
	wantData(t, index.OneHot(3, dtype.Float32).Slice(tensor.R(2, 3)), tensor.Shape{1, 3}, float32(0), 0, 1)
	wantError(t, x.Gather(0, ints(3).To(dev)).Err(), device.ErrIndex, "gather: index 3 at (0)")
}
