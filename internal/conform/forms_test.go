package conform

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
)

// of returns a Value; without sizes it is a list.
func of[T dtype.Element](data []T, shape ...int) Value {
	raw, err := binary.Append(nil, binary.LittleEndian, data)
	if err != nil {
		panic(err)
	}
	if shape == nil {
		shape = []int{len(data)}
	}
	for name, e := range elementTypes {
		if e.dtype == dtype.Of[T]() {
			return Value{Name: "v", DType: name, Shape: shape, Raw: raw}
		}
	}
	panic("no such element type")
}

// scalar returns a Value of rank 0.
func scalar[T dtype.Element](v T) Value { return of([]T{v}, []int{}...) }

func ints(v ...int64) Value { return of(v) }

// attrs are attributes by name.
type attrs map[string]any

// oneNode is a case of one node.
type oneNode struct {
	name  string
	op    string
	opset int
	attrs attrs
	in    []Value // DType "" is an input left out
	want  []Value
}

func (o oneNode) build(t *testing.T) *Case {
	n := Node{Op: o.op, Attrs: map[string]Attr{}}
	c := &Case{Name: o.name, Op: o.op, Opset: map[string]int{"": o.opset}}
	for name, v := range o.attrs {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		n.Attrs[name] = Attr{Value: raw}
	}
	for i, v := range o.in {
		name := string(rune('a' + i))
		if v.DType == "" {
			name = ""
		} else {
			c.Inputs, c.InNames = append(c.Inputs, v), append(c.InNames, name)
		}
		n.In = append(n.In, name)
	}
	for i, v := range o.want {
		name := string(rune('A' + i))
		n.Out, c.OutNames, c.Outputs = append(n.Out, name), append(c.OutNames, name), append(c.Outputs, v)
	}
	c.Nodes = []Node{n}
	return c
}

func check(t *testing.T, cases []oneNode) {
	dev := openDevice(t)
	for _, o := range cases {
		t.Run(o.op+"/"+o.name, func(t *testing.T) {
			c := o.build(t)
			if err := c.check(); err != nil {
				t.Fatal(err)
			}
			if err := c.Check(dev); err != nil {
				t.Error(err)
			}
		})
	}
}

var none Value // an input left out

// Forms of operators, old and new, that a file of cases may or may not have.
func TestFormsOfShapes(t *testing.T) {
	x := of([]float32{0, 1, 2, 3, 4, 5}, 2, 3)
	check(t, []oneNode{
		{"attributes", "Slice", 9, attrs{"starts": []int{1}, "ends": []int64{math.MaxInt64}, "axes": []int{-1}}, []Value{x}, []Value{of([]float32{1, 2, 4, 5}, 2, 2)}},
		{"backwards", "Slice", 13, nil, []Value{x, ints(-1), ints(math.MinInt64), ints(1), ints(-2)}, []Value{of([]float32{2, 0, 5, 3}, 2, 2)}},
		{"backwards from beyond", "Slice", 13, nil, []Value{x, ints(math.MaxInt64), ints(0), ints(1), ints(-1)}, []Value{of([]float32{2, 1, 5, 4}, 2, 2)}},
		{"backwards to beyond", "Slice", 13, nil, []Value{x, ints(0), ints(math.MaxInt64), ints(0), ints(-1)}, []Value{of([]float32{}, 0, 3)}},
		{"zero and minus one", "Reshape", 14, nil, []Value{x, ints(0, 1, -1)}, []Value{of([]float32{0, 1, 2, 3, 4, 5}, 2, 1, 3)}},
		{"attribute", "Reshape", 1, attrs{"shape": []int{-1}}, []Value{x}, []Value{of([]float32{0, 1, 2, 3, 4, 5})}},
		{"attribute", "Squeeze", 11, attrs{"axes": []int{-1}}, []Value{of([]float32{7}, 1, 1)}, []Value{of([]float32{7}, 1)}},
		{"all", "Squeeze", 13, nil, []Value{of([]float32{7, 8}, 1, 2, 1)}, []Value{of([]float32{7, 8})}},
		{"attribute, out of order", "Unsqueeze", 11, attrs{"axes": []int{3, 0}}, []Value{x}, []Value{of([]float32{0, 1, 2, 3, 4, 5}, 1, 2, 3, 1)}},
		{"from the end", "Unsqueeze", 13, nil, []Value{x, ints(-2)}, []Value{of([]float32{0, 1, 2, 3, 4, 5}, 2, 1, 3)}},
		{"before all axes", "Flatten", 13, attrs{"axis": 0}, []Value{x}, []Value{of([]float32{0, 1, 2, 3, 4, 5}, 1, 6)}},
		{"both ways", "Expand", 13, nil, []Value{of([]float32{1, 2}, 2, 1), ints(3, 1, 2)}, []Value{of([]float32{1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2}, 3, 2, 2)}},
		{"part", "Shape", 15, attrs{"start": -1, "end": 9}, []Value{x}, []Value{ints(3)}},
		{"depth first", "DepthToSpace", 13, attrs{"blocksize": 2}, []Value{of([]float32{0, 1, 2, 3, 4, 5, 6, 7}, 1, 8, 1, 1)}, []Value{of([]float32{0, 2, 4, 6, 1, 3, 5, 7}, 1, 2, 2, 2)}},
		{"sizes in an attribute", "Split", 11, attrs{"axis": 1, "split": []int{1, 2}}, []Value{x}, []Value{of([]float32{0, 3}, 2, 1), of([]float32{1, 2, 4, 5}, 2, 2)}},
		{"seven in three", "Split", 18, attrs{"num_outputs": 3}, []Value{of([]int32{1, 2, 3, 4, 5, 6, 7})}, []Value{of([]int32{1, 2, 3}), of([]int32{4, 5, 6}), of([]int32{7})}},
		{"attributes", "Pad", 2, attrs{"pads": []int{1, 0}, "value": 2.5}, []Value{of([]float32{1})}, []Value{of([]float32{2.5, 1})}},
		{"wrap on one axis", "Pad", 19, attrs{"mode": "wrap"}, []Value{x, ints(0, 1), none, ints(1)}, []Value{of([]float32{0, 1, 2, 0, 3, 4, 5, 3}, 2, 4)}},
		{"reflect", "Pad", 13, attrs{"mode": "reflect"}, []Value{of([]uint8{1, 2, 3}), ints(2, 1)}, []Value{of([]uint8{3, 2, 1, 2, 3, 2})}},
		{"bools", "Pad", 21, nil, []Value{of([]bool{false}), ints(0, 1), scalar(true)}, []Value{of([]bool{false, true})}},
		{"lower", "Trilu", 14, attrs{"upper": 0}, []Value{x, scalar(int64(1))}, []Value{of([]float32{0, 1, 0, 3, 4, 5}, 2, 3)}},
		{"time second", "ReverseSequence", 10, attrs{"batch_axis": 0, "time_axis": 1}, []Value{x, ints(2, 1)}, []Value{of([]float32{1, 0, 2, 3, 4, 5}, 2, 3)}},
	})
}

func TestFormsOfArithmetic(t *testing.T) {
	inf := math.Inf(1)
	check(t, []oneNode{
		{"negative integers", "Div", 14, nil, []Value{of([]int32{-7, 7, -7, math.MinInt32}), of([]int32{2, -2, -2, 3})}, []Value{of([]int32{-3, -3, 3, -715827882})}},
		{"sign of the divisor", "Mod", 13, nil, []Value{of([]int64{-7, 7, -6}), of([]int64{3, -3, 3})}, []Value{of([]int64{2, -2, 0})}},
		{"sign of the dividend", "Mod", 13, attrs{"fmod": 1}, []Value{of([]int64{-7, 7, -6}), of([]int64{3, -3, 3})}, []Value{of([]int64{-1, 1, 0})}},
		{"integer to a float", "Pow", 15, nil, []Value{of([]int32{1, 2, 3}), of([]float32{4, 5, 6})}, []Value{of([]int32{1, 32, 729})}},
		{"integers of two widths", "Pow", 15, nil, []Value{of([]int64{2, -3}), of([]int32{40, 3})}, []Value{of([]int64{1 << 40, -27})}},
		{"float to an integer", "Pow", 15, nil, []Value{of([]float32{2, 1.5}), of([]int64{-1, 2})}, []Value{of([]float32{0.5, 2.25})}},
		{"left", "BitShift", 11, attrs{"direction": "LEFT"}, []Value{of([]uint8{1, 200}), of([]uint8{7, 1})}, []Value{of([]uint8{128, 144})}},
		{"attributes", "Clip", 6, attrs{"min": -1.0, "max": 2}, []Value{of([]float32{-5, 0, 5})}, []Value{of([]float32{-1, 0, 2})}},
		{"only a greatest", "Clip", 13, nil, []Value{of([]int8{-5, 5}), none, scalar(int8(2))}, []Value{of([]int8{-5, 2})}},
		{"least above greatest", "Clip", 13, nil, []Value{of([]float32{-5, 5}), scalar(float32(2)), scalar(float32(1))}, []Value{of([]float32{1, 1})}},
		{"only above", "IsInf", 20, attrs{"detect_negative": 0}, []Value{of([]float64{inf, -inf, 1})}, []Value{of([]bool{true, false, false})}},
		{"only below", "IsInf", 20, attrs{"detect_positive": 0}, []Value{of([]float64{inf, -inf, 1})}, []Value{of([]bool{false, true, false})}},
		{"three", "Mean", 13, nil, []Value{of([]float32{3}), of([]float32{4, 5}), of([]float32{8})}, []Value{of([]float32{5, 16. / 3})}},
		{"three", "Min", 13, nil, []Value{of([]uint64{1 << 63}), of([]uint64{7, math.MaxUint64}), of([]uint64{9})}, []Value{of([]uint64{7, 9})}},
		{"from bool", "BitCast", 26, attrs{"to": 2}, []Value{of([]bool{true, false})}, []Value{of([]uint8{1, 0})}},
		{"to bfloat16", "Cast", 19, attrs{"to": 16}, []Value{of([]float32{1, 2})}, []Value{of([]dtype.BF16{0x3f80, 0x4000})}},
		{"downwards", "Range", 11, nil, []Value{scalar(int32(10)), scalar(int32(4)), scalar(int32(-3))}, []Value{of([]int32{10, 7})}},
		{"below and of a type", "EyeLike", 9, attrs{"k": -1, "dtype": 11}, []Value{of([]int32{0, 0, 0, 0, 0, 0}, 2, 3)}, []Value{of([]float64{0, 0, 0, 1, 0, 0}, 2, 3)}},
		{"of nothing else", "ConstantOfShape", 9, nil, []Value{ints(2)}, []Value{of([]float32{0, 0})}},
		{"list", "Constant", 13, attrs{"value_ints": []int{3, 4}}, nil, []Value{ints(3, 4)}},
		{"number", "Constant", 13, attrs{"value_int": 5}, nil, []Value{scalar(int64(5))}},
		{"all at once", "Gemm", 13, attrs{"transA": 1, "transB": 1, "alpha": 2.0, "beta": -1.0},
			[]Value{of([]float32{1, 2}, 2, 1), of([]float32{3, 4, 5, 6}, 2, 2), of([]float32{1, 10}, 1, 2)}, []Value{of([]float32{21, 24}, 1, 2)}},
	})
}

func TestFormsOfReductions(t *testing.T) {
	x := of([]float32{0, 1, 2, 3, 4, 5}, 2, 3)
	check(t, []oneNode{
		{"attribute", "ReduceSum", 11, attrs{"axes": []int{-1}, "keepdims": 0}, []Value{x}, []Value{of([]float32{3, 12})}},
		{"no list", "ReduceSum", 13, attrs{"noop_with_empty_axes": 1}, []Value{x}, []Value{x}},
		{"no list", "ReduceL1", 18, attrs{"noop_with_empty_axes": 1}, []Value{of([]int32{-3, 2})}, []Value{of([]int32{3, 2})}},
		{"integers", "ReduceMean", 18, attrs{"keepdims": 0}, []Value{of([]int32{1, 2})}, []Value{scalar(int32(1))}},
		{"integers", "ReduceProd", 18, nil, []Value{of([]int32{1 << 20, 1 << 20})}, []Value{of([]int32{0})}},
		{"truth", "ReduceMax", 20, nil, []Value{of([]bool{true, false}, 2, 1), ints(0)}, []Value{of([]bool{true}, 1, 1)}},
		{"integers of nothing", "ReduceMin", 20, attrs{"keepdims": 0}, []Value{of([]int32{}, 2, 0), ints(1)}, []Value{of([]int32{math.MaxInt32, math.MaxInt32})}},
		{"bytes of nothing", "ReduceMax", 20, attrs{"keepdims": 0}, []Value{of([]uint8{}, 0)}, []Value{scalar(uint8(0))}},
		{"last of equals", "ArgMin", 13, attrs{"axis": -1, "select_last_index": 1, "keepdims": 0}, []Value{of([]float32{2, 1, 1}, 1, 3)}, []Value{ints(2)}},
		{"as a matrix", "Softmax", 11, nil, []Value{of([]float32{5, 5, 5, 5}, 1, 2, 2)}, []Value{of([]float32{.25, .25, .25, .25}, 1, 2, 2)}},
		{"as a matrix", "Hardmax", 11, nil, []Value{of([]float32{1, 3, 2, 3}, 1, 2, 2)}, []Value{of([]float32{0, 1, 0, 0}, 1, 2, 2)}},
		{"zeros", "LpNormalization", 1, nil, []Value{of([]float32{0, 0, 3, 4}, 2, 2)}, []Value{of([]float32{0, 0, .6, .8}, 2, 2)}},
	})
}

func TestFormsOfIndexing(t *testing.T) {
	x := of([]float32{0, 1, 2, 3, 4, 5}, 2, 3)
	check(t, []oneNode{
		{"least", "TopK", 11, attrs{"largest": 0}, []Value{x, ints(2)}, []Value{of([]float32{0, 1, 3, 4}, 2, 2), of([]int64{0, 1, 0, 1}, 2, 2)}},
		{"attribute", "TopK", 1, attrs{"k": 1, "axis": 0}, []Value{x}, []Value{of([]float32{3, 4, 5}, 1, 3), of([]int64{1, 1, 1}, 1, 3)}},
		{"first axis, from the end", "OneHot", 11, attrs{"axis": 0}, []Value{of([]int32{1, -1, 9}), scalar(int64(3)), of([]int32{5, 6})}, []Value{of([]int32{5, 5, 5, 6, 5, 5, 5, 6, 5}, 3, 3)}},
		{"elements, few conditions", "Compress", 11, nil, []Value{x, of([]bool{false, true, false, true})}, []Value{of([]float32{1, 3})}},
		{"back and without itself", "CumSum", 14, attrs{"reverse": 1, "exclusive": 1}, []Value{of([]int32{1, 2, 3}), scalar(int64(-1))}, []Value{of([]int32{5, 3, 0})}},
		{"add, last axis", "ScatterElements", 18, attrs{"axis": -1, "reduction": "add"}, []Value{x, of([]int64{-1, -1}, 1, 2), of([]float32{10, 20}, 1, 2)}, []Value{of([]float32{0, 1, 32, 3, 4, 5}, 2, 3)}},
		{"add", "ScatterND", 18, attrs{"reduction": "add"}, []Value{of([]float32{1, 2}), of([]int64{1, 1}, 2, 1), of([]float32{10, 20})}, []Value{of([]float32{1, 32})}},
		{"in batches", "GatherND", 13, attrs{"batch_dims": 1}, []Value{x, of([]int64{2, 0}, 2, 1)}, []Value{of([]float32{2, 3})}},
		{"rank 0", "Gather", 13, attrs{"axis": 1}, []Value{x, scalar(int64(-1))}, []Value{of([]float32{2, 5})}},
	})
}
