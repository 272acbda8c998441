package tensor_test

import (
	"strings"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	_ "github.com/stride0/stride0/device/opencl"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// padded is what movements with a constant put beside the elements.
const padded = 77

// A movement is an operation that only moves elements, with its definition:
// which index of the operand an index of the result shows, nil for padded.
type movement struct {
	name  string
	do    func(x *tensor.Tensor) *tensor.Tensor
	shape func(in tensor.Shape) tensor.Shape
	from  func(in tensor.Shape, i []int) []int
}

// onAxis makes a movement of one axis from the definition for a vector: n is
// its size there, -1 stands for padded.
func onAxis(axis int, name string, do func(x *tensor.Tensor) *tensor.Tensor, size func(n int) int, from func(n, i int) int) movement {
	return movement{name, do,
		func(in tensor.Shape) tensor.Shape {
			out := in.Clone()
			out[axis] = size(in[axis])
			return out
		},
		func(in tensor.Shape, i []int) []int {
			source := append([]int(nil), i...)
			if source[axis] = from(in[axis], i[axis]); source[axis] < 0 {
				return nil
			}
			return source
		}}
}

func same(n int) int { return n }

func mod(a, n int) int { return (a%n + n) % n }

// reflected returns the index that place i of an axis of n elements mirrors.
func reflected(n, i int) int {
	if n == 1 {
		return 0
	}
	i = mod(i, 2*(n-1))
	return min(i, 2*(n-1)-i)
}

// sides pads the last two axes of three.
func sides(a, b, c, d int, mode tensor.PadMode) func(x *tensor.Tensor) *tensor.Tensor {
	return func(x *tensor.Tensor) *tensor.Tensor {
		return x.Pad(tensor.PadOpts{Sides: [][2]int{{a, b}, {c, d}}, Mode: mode, Value: constant(x, mode)})
	}
}

// constant is padded for a dtype that holds it.
func constant(x *tensor.Tensor, mode tensor.PadMode) any {
	if mode != tensor.PadConstant {
		return nil
	}
	if x.DType() == dtype.Bool {
		return true
	}
	return padded
}

// padding is a movement that pads axes 1 and 2 of three, each by the
// definition for one.
func padding(name string, a, b, c, d int, mode tensor.PadMode, from func(n, i int) int) movement {
	return movement{name, sides(a, b, c, d, mode),
		func(in tensor.Shape) tensor.Shape { return tensor.Shape{in[0], in[1] + a + b, in[2] + c + d} },
		func(in tensor.Shape, i []int) []int {
			j, k := from(in[1], i[1]-a), from(in[2], i[2]-c)
			if j < 0 || k < 0 {
				return nil
			}
			return []int{i[0], j, k}
		}}
}

func inside(n, i int) int {
	if i < 0 || i >= n {
		return -1
	}
	return i
}

// movements work on three axes of 2 elements or more.
func movements() []movement {
	edge := func(n, i int) int { return min(max(i, 0), n-1) }
	ring := func(n, i int) int { return mod(i, n) }
	return []movement{
		onAxis(0, "roll", func(x *tensor.Tensor) *tensor.Tensor { return x.Roll(0, 1) }, same, func(n, i int) int { return mod(i-1, n) }),
		onAxis(2, "roll back, far", func(x *tensor.Tensor) *tensor.Tensor { return x.Roll(-1, -100) }, same, func(n, i int) int { return mod(i+100, n) }),
		onAxis(1, "roll by nothing", func(x *tensor.Tensor) *tensor.Tensor { return x.Roll(1, 0) }, same, func(n, i int) int { return i }),
		onAxis(0, "repeat first axis", func(x *tensor.Tensor) *tensor.Tensor { return x.Repeat(0, 3) }, func(n int) int { return 3 * n }, func(n, i int) int { return i / 3 }),
		onAxis(2, "repeat last axis", func(x *tensor.Tensor) *tensor.Tensor { return x.Repeat(-1, 2) }, func(n int) int { return 2 * n }, func(n, i int) int { return i / 2 }),
		onAxis(1, "repeat never", func(x *tensor.Tensor) *tensor.Tensor { return x.Repeat(1, 0) }, func(n int) int { return 0 }, nil),
		onAxis(2, "tile last axis", func(x *tensor.Tensor) *tensor.Tensor { return x.Tile(4) }, func(n int) int { return 4 * n }, func(n, i int) int { return i % n }),
		{"tile all and one more", func(x *tensor.Tensor) *tensor.Tensor { return x.Tile(2, 3, 1, 2) },
			func(in tensor.Shape) tensor.Shape { return tensor.Shape{2, 3 * in[0], in[1], 2 * in[2]} },
			func(in tensor.Shape, i []int) []int { return []int{i[1] % in[0], i[2], i[3] % in[2]} }},
		padding("pad constant", 1, 2, 0, 3, tensor.PadConstant, inside),
		padding("pad and crop", -1, 2, 3, -2, tensor.PadConstant, inside),
		padding("pad edge", 2, 1, 3, 0, tensor.PadEdge, edge),
		padding("pad reflect", 1, 1, 1, 1, tensor.PadReflect, reflected),
		padding("pad reflect, several times over", 9, 8, 0, 11, tensor.PadReflect, reflected),
		padding("pad wrap", 1, 2, 2, 1, tensor.PadWrap, ring),
		padding("pad wrap, several times over", 7, 9, 11, 0, tensor.PadWrap, ring),
		padding("pad nothing", 0, 0, 0, 0, tensor.PadReflect, inside),
		triangle("tril", func(x *tensor.Tensor) *tensor.Tensor { return x.Tril(0) }, func(i, j int) bool { return j <= i }),
		triangle("tril below", func(x *tensor.Tensor) *tensor.Tensor { return x.Tril(-1) }, func(i, j int) bool { return j <= i-1 }),
		triangle("tril beyond", func(x *tensor.Tensor) *tensor.Tensor { return x.Tril(99) }, func(i, j int) bool { return true }),
		triangle("triu", func(x *tensor.Tensor) *tensor.Tensor { return x.Triu(0) }, func(i, j int) bool { return j >= i }),
		triangle("triu above", func(x *tensor.Tensor) *tensor.Tensor { return x.Triu(2) }, func(i, j int) bool { return j >= i+2 }),
		triangle("triu beyond", func(x *tensor.Tensor) *tensor.Tensor { return x.Triu(99) }, func(i, j int) bool { return false }),
	}
}

// triangle is a movement that keeps some elements of each matrix; the others
// become 0, the element at index 0 of every operand here.
func triangle(name string, do func(x *tensor.Tensor) *tensor.Tensor, keep func(i, j int) bool) movement {
	return movement{name, do, tensor.Shape.Clone, func(in tensor.Shape, i []int) []int {
		if keep(i[1], i[2]) {
			return i
		}
		return []int{0, 0, 0}
	}}
}

// operands are tensors of small distinct numbers, 0 at index 0.
func operands() map[string]*tensor.Tensor {
	return map[string]*tensor.Tensor{
		"rows":      iota32(2, 3, 4),
		"transpose": iota32(4, 3, 2).Transpose(),
		"steps":     iota32(3, 8, 5).Slice(tensor.R(0, tensor.End, 2), tensor.R(0, tensor.End, 3), tensor.R(0, 4)),
		"stretched": iota32(2, 1, 3).BroadcastTo(2, 3, 3),
		"windows":   iota32(2, 6).Windows(1, 3, 1),
		"flipped":   iota32(2, 3, 2).Flip().Contiguous().Flip(),
	}
}

// eachIndex calls f with the row-major index of every element.
func eachIndex(shape tensor.Shape, f func(i []int)) {
	i := make([]int, len(shape))
	for n := shape.Size(); n > 0; n-- {
		f(i)
		for a := len(i) - 1; a >= 0; a-- {
			if i[a]++; i[a] < shape[a] {
				break
			}
			i[a] = 0
		}
	}
}

// want returns what a movement makes of x, element by element.
func (m movement) want(t *testing.T, x *tensor.Tensor) (tensor.Shape, []float32) {
	in := x.Shape()
	values := data[float32](t, x)
	out := m.shape(in)
	want := make([]float32, 0, out.Size())
	eachIndex(out, func(i []int) {
		from := m.from(in, i)
		if from == nil {
			want = append(want, padded)
			return
		}
		flat := 0
		for a, n := range in {
			flat = flat*n + from[a]
		}
		want = append(want, values[flat])
	})
	return out, want
}

// wantNumbers checks a tensor of any dtype against numbers that it holds.
func wantNumbers(t *testing.T, got *tensor.Tensor, d dtype.DType, shape tensor.Shape, want []float32) {
	t.Helper()
	if got.Err() == nil && got.DType() != d {
		t.Errorf("dtype %v, want %v", got.DType(), d)
	}
	if d == dtype.Bool {
		bools := make([]bool, len(want))
		for i, v := range want {
			bools[i] = v != 0
		}
		wantData(t, got, shape, bools...)
		return
	}
	wantData(t, got.Cast(dtype.Float32), shape, want...)
}

func TestMovements(t *testing.T) {
	for name, x := range operands() {
		for _, m := range movements() {
			t.Run(m.name+"/"+name, func(t *testing.T) {
				shape, want := m.want(t, x)
				for _, d := range dtype.All() {
					wantNumbers(t, m.do(x.Cast(d)), d, shape, want)
				}
				wantNumbers(t, m.do(x), dtype.Float32, shape, want) // the view itself: Cast copies
			})
		}
	}
}

// On a device whose work is late, and on one that is not the CPU and has no
// ability beyond running programs.
func TestMovementsOnDevices(t *testing.T) {
	devices := map[string]device.Device{"lagging": lagging(t, devicetest.LagOptions{Seed: 3})}
	if dev, err := device.Open("opencl"); err == nil {
		devices["opencl"] = dev
	}
	for on, dev := range devices {
		t.Run(on, func(t *testing.T) {
			x := iota32(2, 3, 4).To(dev).T()
			for _, m := range movements() {
				t.Run(m.name, func(t *testing.T) {
					shape, want := m.want(t, x)
					if m.name == "pad constant" || strings.HasPrefix(m.name, "tril") { // any width moves alike
						wantNumbers(t, m.do(x.Cast(dtype.Uint8)), dtype.Uint8, shape, want)
					}
					wantNumbers(t, m.do(x), dtype.Float32, shape, want)
				})
			}
			if got := device.Stats(dev); got.HostFallbacks != 0 {
				t.Errorf("%d operations went through the host", got.HostFallbacks)
			}
		})
	}
}

// Padding copies parts of its result to other parts of it; nobody must take
// them for overlapping.
func TestMovementsCopyNoOperands(t *testing.T) {
	dev := cpu.Default()
	before := device.Stats(dev).OverlapCopies
	for _, x := range operands() {
		for _, m := range movements() {
			m.do(x)
		}
	}
	if n := device.Stats(dev).OverlapCopies - before; n != 0 {
		t.Errorf("%d operands were copied because they overlap the result", n)
	}
}
