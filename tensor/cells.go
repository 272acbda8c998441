package tensor

import (
	"math"
	"strconv"
	"strings"

	"github.com/stride0/stride0/dtype"
)

// cell is an element on its way to text.
type cell struct {
	value float64 // of a float
	text  string
}

// read appends the elements of t, a row or a single element, to the cells.
func (p *printer) read(t *Tensor) {
	switch t.DType() {
	case dtype.Bool:
		readCells(p, t, func(v bool) cell { return cell{text: strconv.FormatBool(v)} })
	case dtype.Uint8:
		readCells(p, t, func(v uint8) cell { return cell{text: strconv.Itoa(int(v))} })
	case dtype.Int32:
		readCells(p, t, func(v int32) cell { return cell{text: strconv.Itoa(int(v))} })
	case dtype.Int64:
		readCells(p, t, func(v int64) cell { return cell{text: strconv.FormatInt(v, 10)} })
	case dtype.Float32:
		readCells(p, t, func(v float32) cell { return cell{value: float64(v)} })
	default:
		readCells(p, t, func(v float64) cell { return cell{value: v} })
	}
}

func readCells[T dtype.Element](p *printer, t *Tensor, format func(T) cell) {
	data, err := Data[T](t)
	if err != nil {
		p.err = err
	}
	for _, v := range data {
		p.cells = append(p.cells, format(v))
	}
}

// align gives every cell its text, padded to a common width: integers and
// bools on the left, floats so that their points stand in one column.
func (p *printer) align(d dtype.DType) {
	if d.IsFloat() {
		p.formatFloats(8 * d.Size())
	}
	whole, frac, width := 0, 0, 0
	for _, c := range p.cells {
		w, f := split(c.text)
		if f == "" {
			width = max(width, len(w)) // an integer, a bool, nan or inf
			continue
		}
		whole, frac = max(whole, len(w)), max(frac, len(f))
	}
	width = max(width, whole+frac)
	for i, c := range p.cells {
		right := 0
		if _, f := split(c.text); f != "" {
			right = frac - len(f)
		}
		p.cells[i].text = strings.Repeat(" ", width-right-len(c.text)) + c.text + strings.Repeat(" ", right)
	}
}

// split cuts a number's text before its point.
func split(text string) (whole, frac string) {
	if i := strings.IndexByte(text, '.'); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// formatFloats writes the values with as few digits as tell them apart, at
// most eight decimals; in scientific notation when they are very large, very
// small, or far apart.
func (p *printer) formatFloats(bits int) {
	least, most := math.Inf(1), 0.0
	for _, c := range p.cells {
		if a := math.Abs(c.value); a > 0 && a <= math.MaxFloat64 {
			least, most = min(least, a), max(most, a)
		}
	}
	scientific := most >= 1e8 || least < 1e-4 || most/least >= 1e6
	for i, c := range p.cells {
		p.cells[i].text = formatFloat(c.value, scientific && most > 0, bits)
	}
}

func formatFloat(v float64, scientific bool, bits int) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case scientific:
		return strconv.FormatFloat(v, 'e', 4, bits)
	}
	text := strconv.FormatFloat(v, 'f', -1, bits)
	whole, frac := split(text)
	if len(frac) > 9 {
		text = strconv.FormatFloat(v, 'f', 8, bits)
		whole, frac = split(strings.TrimRight(text, "0"))
	}
	if frac == "" {
		frac = "."
	}
	return whole + frac
}
