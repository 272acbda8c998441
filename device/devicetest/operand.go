package devicetest

import (
	"math"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// guardCells is the least number of cells round every operand that a launch
// must not touch. It keeps the default origin aligned for any vector.
const guardCells = 64

// memory is what one buffer holds: cells of one size. Operands may share it.
type memory struct {
	size  int // bytes of a cell
	cells []uint64
}

// operand is a view into a memory. Its offsets count from the cell at origin,
// where the launch's byte offset points.
type operand struct {
	dtype  dtype.DType
	mem    *memory
	view   view
	origin int
}

// newOperand returns an operand of its own, guard words before, after and in
// its gaps.
func newOperand(d dtype.DType, v view, origin int) operand {
	_, hi := v.span()
	m := &memory{size: d.Size(), cells: make([]uint64, origin+hi+guardCells)}
	for i := range m.cells {
		m.cells[i] = guardWord(m.size, i)
	}
	return operand{dtype: d, mem: m, view: v, origin: origin}
}

// guardWord is a pattern that no neighbour shares and no result is likely to
// be; as a bool it is neither true nor false.
func guardWord(size, i int) uint64 {
	return (0xa5c3_96f1_5ab4_d287 + uint64(i)*0x0101_0305_070b_0d12) & (math.MaxUint64 >> (64 - 8*size))
}

// cell returns the place of the element at an index of the space.
func (o operand) cell(index []int) int { return o.origin + o.view.at(index) }

// get returns the element at an index of the space.
func (o operand) get(index []int) uint64 { return o.mem.cells[o.cell(index)] }

// fill gives the operand's elements values of a source, in logical order.
func (o operand) fill(s *source) {
	o.each(func(cell int) { o.mem.cells[cell] = s.next(o.dtype) })
}

// set gives the operand's elements the values of list, repeated as needed.
func (o operand) set(list []uint64) {
	i := 0
	o.each(func(cell int) {
		o.mem.cells[cell] = list[i%len(list)]
		i++
	})
}

// as returns the operand as elements of type d, of the same size, in the same place.
func (o operand) as(d dtype.DType) operand {
	o.dtype = d
	return o
}

// line returns the cells of an operand that is dense, in logical order.
func (o operand) line() []uint64 {
	lo, hi := o.view.span()
	return o.mem.cells[o.origin+lo : o.origin+hi]
}

func (o operand) each(visit func(cell int)) {
	odometer(o.view.sizes, func(index []int) { visit(o.cell(index)) })
}

// buffers are the memories of a case on a device.
type buffers map[*memory]device.Buffer

// upload allocates a buffer for every memory of the operands and writes it.
func upload(dev device.Device, operands ...operand) (buffers, error) {
	b := buffers{}
	for _, o := range operands {
		if b[o.mem] != nil {
			continue
		}
		raw := encode(o.mem.size, o.mem.cells)
		buf, err := dev.Alloc(int64(len(raw)))
		if err != nil {
			b.free()
			return nil, err
		}
		b[o.mem] = buf
		if err := dev.Write(buf, 0, raw); err != nil {
			b.free()
			return nil, err
		}
	}
	return b, nil
}

// place returns the operand as a launch takes it.
func (b buffers) place(o operand) device.Operand {
	return device.Operand{Buffer: b[o.mem], Offset: int64(o.origin * o.mem.size)}
}

func (b buffers) places(operands []operand) []device.Operand {
	out := make([]device.Operand, len(operands))
	for i, o := range operands {
		out[i] = b.place(o)
	}
	return out
}

func (b buffers) free() {
	for _, buf := range b {
		buf.Free()
	}
}

// download returns the cells of a memory as the device holds them now.
func (b buffers) download(dev device.Device, m *memory) ([]uint64, error) {
	raw := make([]byte, len(m.cells)*m.size)
	if err := dev.Read(raw, b[m], 0); err != nil {
		return nil, err
	}
	return decode(m.size, raw), nil
}
