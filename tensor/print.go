package tensor

import (
	"strings"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// elideAbove is the number of elements above which String leaves out the
// middle of long axes.
const elideAbove = 1000

// String returns the elements as NumPy prints them, in aligned columns, with
// "..." for the middle of long axes of a large tensor. What is not float32 on
// the CPU says so at the end. Of a failed tensor it is the error.
func (t *Tensor) String() string {
	if err := t.Err(); err != nil {
		return err.Error()
	}
	if t.isWeak() {
		return t.weak.String() + " (scalar)"
	}
	p := printer{edge: edge(t)}
	if t.layout.Size() > 0 { // an empty tensor may have long axes
		p.gather(t)
	}
	if p.err != nil {
		return p.err.Error()
	}
	p.align(t.dtype)
	p.write(t.layout.Shape(), 0)
	p.out.WriteString(suffix(t))
	return p.out.String()
}

// suffix names what is unusual about t.
func suffix(t *Tensor) string {
	var notes []string
	if t.layout.Size() == 0 {
		notes = append(notes, "shape "+t.layout.Shape().String())
	}
	if t.dtype != dtype.Float32 {
		notes = append(notes, t.dtype.String())
	}
	if dev := t.store.dev; dev != device.Device(host()) {
		notes = append(notes, dev.Info().Name)
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, ", ") + ")"
}

// edge returns how many elements to print at either end of an axis, -1 for
// all: so many that their product over the axes stays below elideAbove.
func edge(t *Tensor) int {
	switch rank := t.layout.Rank(); {
	case t.layout.Size() <= elideAbove:
		return -1
	case rank <= 3:
		return 3
	case rank <= 9:
		return 1
	}
	return 0 // the first element alone
}

type printer struct {
	edge  int
	cells []cell // the elements to print, in order
	next  int    // the cell that write is at
	out   strings.Builder
	err   error
}

// ends returns which elements of an axis of size n to print: the first head
// and the last tail.
func (p *printer) ends(n int) (head, tail int) {
	switch {
	case p.edge < 0 || n <= 2*p.edge || n <= 1:
		return n, 0
	case p.edge == 0:
		return 1, 0
	}
	return p.edge, p.edge
}

// gather reads the elements to print, row by row.
func (p *printer) gather(t *Tensor) {
	if t.Rank() == 0 {
		p.read(t)
		return
	}
	n := t.Dim(0)
	head, tail := p.ends(n)
	if t.Rank() == 1 {
		p.read(t.Slice(R(0, head)))
		p.read(t.Slice(R(n-tail, End)))
		return
	}
	for i := range head + tail {
		if i >= head {
			i += n - head - tail
		}
		p.gather(t.Index(0, i))
	}
}

// write prints the axes of shape from the given one on.
func (p *printer) write(shape Shape, axis int) {
	if axis == len(shape) {
		p.out.WriteString(p.cells[p.next].text)
		p.next++
		return
	}
	separator := " "
	if below := len(shape) - axis - 1; below > 0 {
		separator = strings.Repeat("\n", below) + strings.Repeat(" ", axis+1)
	}
	p.out.WriteByte('[')
	head, tail := p.ends(shape[axis])
	for i := range head + tail {
		if len(p.cells) == 0 {
			break
		}
		if i > 0 {
			p.out.WriteString(separator)
		}
		if i == head {
			p.out.WriteString("..." + separator)
		}
		p.write(shape, axis+1)
	}
	if tail == 0 && head < shape[axis] {
		p.out.WriteString(separator + "...")
	}
	p.out.WriteByte(']')
}
