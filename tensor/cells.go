package tensor

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stride0/stride0/dtype"
)

// texts returns the elements of t, each by a format of package fmt or, where
// that is empty, as NumPy prints them, padded to one width.
func texts(t *Tensor, format string) ([]string, error) {
	return elementTypeOf(t.DType()).texts(t, format)
}

func textsOf[T dtype.Element](t *Tensor, format string) ([]string, error) {
	data, err := Data[T](t)
	if err != nil {
		return nil, err
	}
	cells := make([]string, len(data))
	d := dtype.Of[T]()
	switch {
	case format == "" && d.IsFloat() && t.Rank() == 0:
		cells[0] = lone(dtype.NumberOf(data[0]).Float64(), d)
	case format == "" && d.IsFloat():
		numbers := make([]float64, len(data))
		for i, v := range data {
			numbers[i] = dtype.NumberOf(v).Float64()
		}
		return columns(numbers, d), nil
	default:
		if format == "" {
			format = "%v"
		}
		for i, v := range data {
			cells[i] = fmt.Sprintf(format, printable(v, format))
		}
	}
	pad(cells, strings.Contains(format, "-"))
	return cells, nil
}

// pad gives all cells the width of the widest.
func pad(cells []string, left bool) {
	width := 0
	for _, c := range cells {
		width = max(width, utf8.RuneCountInString(c))
	}
	for i, c := range cells {
		if space := strings.Repeat(" ", width-utf8.RuneCountInString(c)); left {
			cells[i] = c + space
		} else {
			cells[i] = space + c
		}
	}
}

// lone returns a float without others to align with: as few digits as tell it
// apart, at least one after the point.
func lone(f float64, d dtype.DType) string {
	switch a := math.Abs(f); {
	case !finite(f):
		return special(f)
	case a != 0 && a < 1e-4 || a >= 1e16:
		return shortest(f, 'e', d)
	}
	text := shortest(f, 'f', d)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// shortest returns v, of the float type d, with as few digits as tell it apart.
func shortest(v float64, verb byte, d dtype.DType) string {
	switch d {
	case dtype.Float16:
		v, _ = strconv.ParseFloat(dtype.NewF16(v).String(), 64)
	case dtype.BFloat16:
		v, _ = strconv.ParseFloat(dtype.NewBF16(v).String(), 64)
	case dtype.Float32:
		return strconv.FormatFloat(v, verb, -1, 32)
	}
	return strconv.FormatFloat(v, verb, -1, 64)
}

// special spells NaN and the infinities.
func special(v float64) string {
	switch {
	case v > 0:
		return "inf"
	case v < 0:
		return "-inf"
	}
	return "nan"
}

// maxDigits is the number of digits after the point that are printed at most.
const maxDigits = 8

// columns returns floats of type d as NumPy prints them in an array:
// their points in one column; in scientific notation, with as many digits
// each, when one is very large or very small or they lie far apart.
func columns(v []float64, d dtype.DType) []string {
	cells := make([]string, len(v))
	verb := notation(v, d)
	before, after := 0, 0 // the longest parts before and from the point, without exponents
	for i, x := range v {
		if !finite(x) {
			continue
		}
		cells[i] = digits(x, verb, d)
		whole, rest := cut(cells[i], ".")
		frac, _ := cut(rest, "e")
		before, after = max(before, len(whole)), max(after, len(frac))
	}
	if verb == 'e' {
		after += alignExponents(cells, v, after-1)
	}
	width := before + after
	for i, x := range v {
		if !finite(x) {
			cells[i] = special(x)
			width = max(width, len(cells[i]))
		}
	}
	for i, c := range cells {
		right := 0
		if _, rest := cut(c, "."); rest != "" {
			right = after - len(rest)
		}
		cells[i] = strings.Repeat(" ", width-right-len(c)) + c + strings.Repeat(" ", right)
	}
	return cells
}

func finite(x float64) bool { return x-x == 0 }

// notation returns the verb for floats: 'e' when the largest is 10^8 or more,
// the smallest below 10^-4 or one more than 1,000 times the other, else 'f'.
// It is compared in type d.
func notation(v []float64, d dtype.DType) byte {
	least, most := math.Inf(1), 0.0
	for _, x := range v {
		if a := math.Abs(x); a > 0 && finite(a) {
			least, most = min(least, a), max(most, a)
		}
	}
	ratio, small := roundTo(d, most/least), roundTo(d, 1e-4)
	if most > 0 && (most >= 1e8 || least < small || ratio > 1000) {
		return 'e'
	}
	return 'f'
}

// digits returns a finite float with a point and as few digits as tell it
// apart, at most maxDigits after the point.
func digits(v float64, verb byte, d dtype.DType) string {
	text := shortest(v, verb, d)
	if verb == 'f' && v == math.Trunc(v) {
		text = strconv.FormatFloat(v, verb, -1, 64) // before the point NumPy prints all digits: 65504 of float16, not 65500
	}
	_, rest := cut(text, ".")
	if frac, _ := cut(rest, "e"); len(frac) > 1+maxDigits {
		text = strconv.FormatFloat(v, verb, maxDigits, 64)
	}
	mantissa, exponent := cut(text, "e")
	whole, frac := cut(mantissa, ".")
	return whole + "." + strings.TrimRight(strings.TrimPrefix(frac, "."), "0") + exponent
}

// cut splits text before a separator.
func cut(text, before string) (head, tail string) {
	if i := strings.Index(text, before); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// alignExponents writes the finite values again, all with the same number of
// digits after the point and in the exponent. It returns the length of an
// exponent.
func alignExponents(cells []string, v []float64, precision int) int {
	longest := 0
	for i, x := range v {
		if !finite(x) {
			continue
		}
		mantissa, exponent := cut(strconv.FormatFloat(x, 'e', precision, 64), "e")
		if precision == 0 {
			mantissa += "."
		}
		cells[i] = mantissa + exponent
		longest = max(longest, len(exponent))
	}
	for i, c := range cells {
		if mantissa, e := cut(c, "e"); e != "" {
			cells[i] = mantissa + e[:2] + strings.Repeat("0", longest-len(e)) + e[2:]
		}
	}
	return longest
}
