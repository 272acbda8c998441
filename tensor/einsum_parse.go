package tensor

import (
	"slices"
	"strconv"
	"strings"
)

// EinsumError is an expression of Einsum that is wrong, or does not go with the
// operands.
type EinsumError struct {
	Expr string
	Pos  int // the byte of Expr that is wrong; len(Expr) when something is missing at its end
	Msg  string
	Hint string
}

// Error returns `"ij,jk->il", byte 8: ...; ...`.
func (e *EinsumError) Error() string {
	return strconv.Quote(e.Expr) + ", byte " + itoa(e.Pos) + ": " + e.Msg + "; " + e.Hint
}

// term is the indices of one operand or of the result, as written: dots stands
// for the axes of an ellipsis.
type term struct {
	indices  []label
	at       []int // where in the expression each of them is
	start    int   // where the term begins
	end      int
	ellipsis int // its place among the indices, -1 without one
}

// label is an index of an expression: a letter, or an axis of the ellipsis,
// counted from the last one.
type label uint8

const dots label = 0 // stands where the ellipsis does until it is known how many axes it is

// ellipsisAxis returns the label of axis i of an ellipsis, 1 for the last. It
// is below every letter and so sorts before them; an axis further left sorts
// before one further right.
func ellipsisAxis(i int) label { return label(40 - i) }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// expression is a parsed expression.
type expression struct {
	text   string
	terms  []term
	result term
}

// wrong returns the error that points to a place.
func (x *expression) wrong(pos int, msg, hint string) error {
	return &EinsumError{Expr: x.text, Pos: pos, Msg: msg, Hint: hint}
}

// parseEinsum parses an expression. Without "->" the result is left to
// implicit.
func parseEinsum(text string) (*expression, error) {
	x := &expression{text: text}
	left := len(text)
	arrow := strings.Index(text, "->")
	if arrow >= 0 {
		left = arrow
	}
	for start := 0; ; {
		end := left
		if i := strings.IndexByte(text[start:left], ','); i >= 0 {
			end = start + i
		}
		t, err := x.term(start, end)
		if err != nil {
			return nil, err
		}
		x.terms = append(x.terms, t)
		if end == left {
			break
		}
		start = end + 1
	}
	if arrow < 0 {
		x.implicit()
		return x, nil
	}
	var err error
	if x.result, err = x.term(arrow+2, len(text)); err != nil {
		return nil, err
	}
	return x, x.checkResult()
}

// term parses the indices in text[start:end].
func (x *expression) term(start, end int) (term, error) {
	t := term{start: start, end: end, ellipsis: -1}
	for i := start; i < end; i++ {
		switch c := x.text[i]; {
		case c == ' ':
		case isLetter(c):
			t.indices, t.at = append(t.indices, label(c)), append(t.at, i)
		case c == '.' && strings.HasPrefix(x.text[i:end], "..."):
			if t.ellipsis >= 0 {
				return t, x.wrong(i, "a second ellipsis in one term", "one stands for all axes without a letter")
			}
			t.ellipsis = len(t.indices)
			t.indices, t.at = append(t.indices, dots), append(t.at, i)
			i += 2
		case c == '.':
			return t, x.wrong(i, "a dot that belongs to no ellipsis", "an ellipsis is three dots, ...")
		case c == ',':
			return t, x.wrong(i, "a comma behind ->", "there is one result")
		case c == '-' || c == '>':
			return t, x.wrong(i, strconv.Quote(string(c))+" outside the one ->", "-> stands between the operands and the result")
		default:
			return t, x.wrong(i, "an index "+strconv.Quote(rune1(x.text[i:])), "indices are the letters a to z and A to Z")
		}
	}
	return t, nil
}

// rune1 returns the first character of s.
func rune1(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}

// uses returns how often an index stands in the operands.
func (x *expression) uses(l label) (n int) {
	for _, t := range x.terms {
		for _, k := range t.indices {
			if k == l {
				n++
			}
		}
	}
	return n
}

// implicit makes the result of an expression without ->: the ellipsis, then
// the indices that stand once, in the order of their letters.
func (x *expression) implicit() {
	x.result = term{start: len(x.text), end: len(x.text), ellipsis: -1}
	if x.uses(dots) > 0 {
		x.result.ellipsis = 0
		x.result.indices = []label{dots}
	}
	for l := label('A'); l <= 'z'; l++ {
		if x.uses(l) == 1 {
			x.result.indices = append(x.result.indices, l)
		}
	}
	x.result.at = slices.Repeat([]int{len(x.text)}, len(x.result.indices))
}

// checkResult makes sure that each index of the result is there once, and in
// an operand.
func (x *expression) checkResult() error {
	for i, l := range x.result.indices {
		at := x.result.at[i]
		switch {
		case l != dots && slices.Contains(x.result.indices[:i], l):
			return x.wrong(at, "index "+string(rune(l))+" stands twice in the result", "leave it out once; a diagonal can only be read")
		case l == dots && x.uses(l) == 0:
			return x.wrong(at, "an ellipsis that no operand has", "leave it out, or give an operand one")
		case x.uses(l) == 0:
			return x.wrong(at, "index "+string(rune(l))+" of the result is in no operand", "give it to an operand, or leave it out")
		}
	}
	return nil
}
