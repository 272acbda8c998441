package broadcast

import (
	"fmt"
	"strings"
)

// Explain draws how shapes broadcast, as one would on a blackboard: a line for
// each shape, aligned at the right, under each axis what happens there, then
// the result. On an axis all sizes are the same, or the ones and the missing
// ones stretch, or sizes clash; then the last lines are the error of Shapes
// and what mends it. A shape that fails Check(1) is answered with that error
// alone. The text has no newline at its end.
func Explain(shapes ...Shape) string {
	rank := 0
	for _, s := range shapes {
		if err := s.Check(1); err != nil {
			return err.Error()
		}
		rank = max(rank, len(s))
	}
	result, err := Shapes(shapes...)
	var t table
	if rank > 0 {
		t.line("axis", rank, func(axis int) string { return fmt.Sprint(axis) })
	}
	for _, s := range shapes {
		t.sizes(s.String(), s)
	}
	if rank > 0 {
		t.line("", rank, func(axis int) string { return happens(shapes, axis) })
	}
	if err == nil {
		t.sizes("result "+result.String(), result)
		return t.String()
	}
	lines := []string{t.String(), "no result: " + err.Error()}
	if e, ok := err.(*ShapeError); ok {
		lines = []string{t.String(), "no result: " + e.Msg, "hint: " + e.Hint}
	}
	return strings.Join(lines, "\n")
}

// happens says what broadcasting does on an axis, counted from the end.
func happens(shapes []Shape, axis int) string {
	size, ones := 1, false
	for _, s := range shapes {
		n := 1
		if len(s)+axis >= 0 {
			n = s[len(s)+axis]
		}
		switch {
		case n == 1:
			ones = true
		case size != 1 && n != size:
			return "clashes"
		default:
			size = n
		}
	}
	if ones && size != 1 {
		return "stretches"
	}
	return "same"
}

// table is text in columns: a label on the left, then one column for each axis,
// aligned at the right as broadcasting aligns shapes.
type table struct {
	labels []string
	cells  [][]string // of each line, innermost axis first
}

// line adds a line with a cell for each of the last n axes; cell gets the axis
// counted from the end.
func (t *table) line(label string, n int, cell func(axis int) string) {
	cells := make([]string, n)
	for i := range cells {
		cells[i] = cell(-1 - i)
	}
	t.labels, t.cells = append(t.labels, label), append(t.cells, cells)
}

// sizes adds a line with the sizes of a shape.
func (t *table) sizes(label string, s Shape) {
	t.line(label, len(s), func(axis int) string { return fmt.Sprint(s[len(s)+axis]) })
}

// String lays the lines out, two spaces between columns.
func (t *table) String() string {
	left := 0
	var widths []int // of the columns, innermost axis first
	for i, cells := range t.cells {
		left = max(left, len(t.labels[i]))
		for k, c := range cells {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], len(c))
		}
	}
	lines := make([]string, len(t.labels))
	for i, label := range t.labels {
		var b strings.Builder
		fmt.Fprintf(&b, "%-*s", left, label)
		for k := len(widths) - 1; k >= 0; k-- {
			cell := ""
			if k < len(t.cells[i]) {
				cell = t.cells[i][k]
			}
			fmt.Fprintf(&b, "  %*s", widths[k], cell)
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return strings.Join(lines, "\n")
}
