package tensor

import "strings"

// lineWidth is the number of characters after which a row continues on the
// next line, NumPy's.
const lineWidth = 75

// printer lays out cells in nested brackets.
type printer struct {
	edge  int      // as edge returns it
	cells []string // the elements to print, in order
	next  int      // the cell that comes next
	out   strings.Builder
}

// write prints the axes of shape from the given one on.
func (p *printer) write(shape Shape, axis int) {
	if axis == len(shape) {
		p.out.WriteString(p.take())
		return
	}
	p.out.WriteByte('[')
	switch below := len(shape) - axis - 1; {
	case len(p.cells) == 0: // empty: no brackets for the axes inside
	case below == 0:
		p.row(shape[axis], axis)
	default:
		separator := strings.Repeat("\n", below) + strings.Repeat(" ", axis+1)
		first := true
		p.along(shape[axis], func(skipped bool) {
			if !first {
				p.out.WriteString(separator)
			}
			first = false
			if skipped {
				p.out.WriteString("...")
			} else {
				p.write(shape, axis+1)
			}
		})
	}
	p.out.WriteByte(']')
}

// row prints the last axis, broken into lines.
func (p *printer) row(n, axis int) {
	indent := strings.Repeat(" ", axis+1)
	line := indent // its indent stands for the brackets that are there already
	written := len(indent)
	p.along(n, func(skipped bool) {
		word := "..."
		if !skipped {
			word = p.take()
		}
		if len(line) > len(indent) {
			if line += " "; len(line)+len(word) > lineWidth-len(indent) {
				p.out.WriteString(strings.TrimRight(line[written:], " ") + "\n")
				line, written = indent, 0
			}
		}
		line += word
	})
	p.out.WriteString(line[written:])
}

// along calls f for each part of an axis of size n that is printed, with
// skipped for the place of those that are not.
func (p *printer) along(n int, f func(skipped bool)) {
	head, tail := split(n, p.edge)
	for i := range head + tail {
		if i == head {
			f(true)
		}
		f(false)
	}
	if tail == 0 && head < n {
		f(true)
	}
}

// take returns the next cell.
func (p *printer) take() string {
	p.next++
	return p.cells[p.next-1]
}
