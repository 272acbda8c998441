package kernels

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/stride0/stride0/broadcast"
)

// A kernel's last argument is a struct, its geometry: sizes, strides, bases.
// One list of fields, geometryFields, serves both the struct's definition in
// the source and the bytes of the argument, so that they cannot disagree.

// fieldKind is the C type of a field. Fields stand in this order, so that no
// padding is needed between them.
type fieldKind uint8

const (
	longField fieldKind = iota // 64 bits
	offField                   // an offset in elements: 32 bits, 64 in wide forms
	uintField                  // 32 bits
)

// field is an array in the geometry.
type field struct {
	name string
	kind fieldKind
	n    int
	get  func(i int) int64 // element i; not called while spelling
}

// numbers is what the geometry of one launch is made of.
type numbers struct {
	plan     *broadcast.Plan
	base     []int64  // per operand: the element at the plan's origin
	index    []int64  // per OpIndex leaf: the index at which it starts
	inner    int      // elements or states reduced to each result
	position int64    // of the first element among all reduced ones
	from     int64    // the first state to reduce
	to       int64    // the state that the first block of the first result yields
	toStride []int64  // per kept plan axis: states between neighbours
	origin   [2]int64 // the first work-item along y and z, of those that several steps share
}

// originField is that of all forms but FlatForm, whose grid is a line.
func originField(n *numbers) field {
	return field{"origin", uintField, 2, func(i int) int64 { return n.origin[i] }}
}

// geometryFields lists the fields of a form. n is nil when only names and
// counts are wanted.
func geometryFields(l *Lowered, f Form, inputs, outputs int, n *numbers) []field {
	operands := inputs + outputs
	fields := []field{{"base", longField, operands, func(i int) int64 { return n.base[i] }}}
	if count := l.indexLeaves(); count > 0 {
		fields = append(fields, field{"index", longField, count, func(i int) int64 { return n.index[i] }})
	}
	switch f.Kind {
	case FlatForm:
		return append(fields, field{"items", uintField, 1, func(int) int64 { return int64(n.plan.Outer) }})
	case GridForm:
		for o := range operands {
			fields = append(fields, field{fmt.Sprintf("stride%d", o), offField, int(f.Kept), func(a int) int64 { return n.keptStride(o, a) }})
		}
		fields = append(fields, field{"items", uintField, 3, func(i int) int64 { return int64(n.items()[i]) }}, originField(n))
		return append(fields, divisorFields("", 2, int(f.Kept)-1, func(a int) int { return n.keptSize(a) })...)
	}
	return append(fields, reduceFields(f, inputs, outputs, n)...)
}

// reduceFields lists what the geometry of a reduction adds.
func reduceFields(f Form, inputs, outputs int, n *numbers) []field {
	kept, reduced := int(f.Kept), int(f.Reduced)
	fields := []field{
		{"position", longField, 1, func(int) int64 { return n.position }},
		{"from", longField, 1, func(int) int64 { return n.from }},
		{"to", longField, 1, func(int) int64 { return n.to }},
	}
	if kept > 0 {
		fields = append(fields, field{"to_stride", longField, kept, func(a int) int64 { return n.toStrideOf(a) }})
	}
	for o := range inputs + outputs {
		if kept > 0 {
			fields = append(fields, field{fmt.Sprintf("stride%d", o), offField, kept, func(a int) int64 { return n.keptStride(o, a) }})
		}
		if reduced > 0 && o < inputs {
			fields = append(fields, field{fmt.Sprintf("along%d", o), offField, reduced, func(a int) int64 { return n.reducedStride(o, a) }})
		}
	}
	fields = append(fields,
		field{"outer", uintField, 1, func(int) int64 { return int64(n.plan.Outer) }},
		field{"inner", uintField, 1, func(int) int64 { return int64(n.inner) }},
		field{"blocks", uintField, 1, func(int) int64 { return int64(n.blocks()) }},
		originField(n))
	fields = append(fields, divisorFields("", 0, kept-1, func(a int) int { return n.keptSize(a) })...)
	return append(fields, divisorFields("r", 0, reduced-1, func(a int) int { return n.reducedSize(a) })...)
}

// divisorFields lists what splitting a linear index into axes takes: the sizes
// of the axes from..to-1 counted from the inside, and their Divisors.
func divisorFields(prefix string, from, to int, size func(a int) int) []field {
	if to <= from {
		return nil
	}
	part := func(which int) func(int) int64 {
		return func(i int) int64 {
			d := uint32(max(size(from+i), 1)) // a size of 0 is never divided by
			mul, shift := Divisor(d)
			return int64([...]uint32{d, mul, shift}[which])
		}
	}
	return []field{
		{prefix + "size", uintField, to - from, part(0)},
		{prefix + "mul", uintField, to - from, part(1)},
		{prefix + "shift", uintField, to - from, part(2)},
	}
}

// A form may have more axes than the plan, see axisClass: those beyond have
// size 1.

// keptStride returns the stride of operand o along the a-th kept axis from the
// inside.
func (n *numbers) keptStride(o, a int) int64 {
	if a >= n.plan.Kept {
		return 0
	}
	return int64(n.plan.Strides[o][n.plan.Kept-1-a])
}

// toStrideOf returns the states between neighbours along that axis.
func (n *numbers) toStrideOf(a int) int64 {
	if a >= n.plan.Kept {
		return 0
	}
	return n.toStride[n.plan.Kept-1-a]
}

// keptSize returns the size of the a-th kept axis from the inside.
func (n *numbers) keptSize(a int) int {
	if a >= n.plan.Kept {
		return 1
	}
	return n.plan.Sizes[n.plan.Kept-1-a]
}

// reducedStride and reducedSize tell the same of the a-th reduced axis.
func (n *numbers) reducedStride(o, a int) int64 {
	if a >= len(n.plan.Sizes)-n.plan.Kept {
		return 0
	}
	strides := n.plan.Strides[o]
	return int64(strides[len(strides)-1-a])
}

func (n *numbers) reducedSize(a int) int {
	if a >= len(n.plan.Sizes)-n.plan.Kept {
		return 1
	}
	return n.plan.Sizes[len(n.plan.Sizes)-1-a]
}

// items returns the grid of an element-wise launch: the two innermost axes,
// then all others as one.
func (n *numbers) items() [3]int {
	items := [3]int{n.keptSize(0), n.keptSize(1), 1}
	for a := 2; a < n.plan.Kept; a++ {
		items[2] *= n.keptSize(a)
	}
	return items
}

// blocks returns how many blocks of the canonical tree each result has here.
func (n *numbers) blocks() int { return max(1, (n.inner+Block-1)/Block) }

func (l *Lowered) indexLeaves() int {
	n := 0
	for _, leaf := range l.Leaves {
		if leaf.Op == OpIndex {
			n++
		}
	}
	return n
}

// pack returns the bytes of the geometry.
func pack(fields []field, wide bool) []byte {
	var out []byte
	for kind := longField; kind <= uintField; kind++ {
		for _, f := range fields {
			for i := range f.n {
				switch {
				case f.kind != kind:
				case kind == longField || kind == offField && wide:
					out = binary.NativeEndian.AppendUint64(out, uint64(f.get(i)))
				default:
					out = binary.NativeEndian.AppendUint32(out, uint32(f.get(i)))
				}
			}
		}
	}
	if len(out)%8 != 0 {
		out = append(out, 0, 0, 0, 0) // the struct is aligned like its longs
	}
	return out
}

// spellGeometry writes the definition of the struct.
func spellGeometry(d *Dialect, fields []field, wide bool) string {
	var b strings.Builder
	off := d.Int
	if wide {
		off = d.Long
	}
	fmt.Fprintf(&b, "typedef %s off;\n\ntypedef struct {\n", off)
	types := [...]string{longField: d.Long, offField: "off", uintField: d.Uint}
	for kind := longField; kind <= uintField; kind++ {
		for _, f := range fields {
			if f.kind == kind {
				fmt.Fprintf(&b, "\t%s %s[%d];\n", types[kind], f.name, f.n)
			}
		}
	}
	b.WriteString("} geometry;\n\n")
	return b.String()
}
