package tensor

import (
	"fmt"
	"io"
	"strings"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// String returns the elements as NumPy prints them: in aligned columns, as
// many digits as tell a value apart but at most eight after the point, in
// scientific notation when magnitudes lie far apart, lines broken at 75
// characters, and "..." for the middle of long axes above 1,000 elements (then
// only the rest is read from the device). What is not float32 on the CPU says
// so at the end. Of a failed tensor it is the error.
func (t *Tensor) String() string { return t.text(t.notes()) }

// Format implements fmt.Formatter. %v and %s print as String does; %+v adds
// shape, dtype and device, and the strides of a view that is not contiguous.
// Any other verb, and %v with a width or a precision, formats each element by
// itself (%.3f, %8.2e, %g; %d, %x for integers) and aligns the columns; a verb
// that does not suit the dtype prints as package fmt does it, %!d(float32=1.5).
// A failed tensor prints its error, whatever the verb.
func (t *Tensor) Format(f fmt.State, verb rune) {
	_, wide := f.Width()
	_, precise := f.Precision()
	err := t.Err()
	switch {
	case verb == 's', verb == 'q':
		fmt.Fprintf(f, fmt.FormatString(f, verb), t.String())
	case err != nil:
		_, _ = io.WriteString(f, err.Error())
	case verb == 'v' && !wide && !precise && (f.Flag('+') || f.Flag('#')):
		_, _ = io.WriteString(f, t.text(t.details()))
	case verb == 'v' && !wide && !precise:
		_, _ = io.WriteString(f, t.String())
	default:
		text, err := t.elements(fmt.FormatString(f, verb))
		if err != nil {
			text = err.Error()
		}
		_, _ = io.WriteString(f, text)
	}
}

// text returns the elements and, in brackets, notes.
func (t *Tensor) text(notes []string) string {
	if err := t.Err(); err != nil {
		return err.Error()
	}
	if t.isWeak() {
		return t.weak().String() + " (scalar)"
	}
	text, err := t.elements("")
	if err != nil {
		return err.Error()
	}
	if len(notes) == 0 {
		return text
	}
	return text + " (" + strings.Join(notes, ", ") + ")"
}

// notes name what is unusual about t.
func (t *Tensor) notes() (notes []string) {
	if !t.live() || t.isWeak() {
		return nil
	}
	if t.layout.Size() == 0 {
		notes = append(notes, "shape "+t.layout.Shape().String())
	}
	if t.dtype != dtype.Float32 {
		notes = append(notes, t.dtype.String())
	}
	if dev := t.store.dev; dev != device.Device(host()) {
		notes = append(notes, dev.Info().Name)
	}
	return notes
}

// details describe t in full.
func (t *Tensor) details() []string {
	if !t.live() || t.isWeak() {
		return nil
	}
	notes := []string{"shape " + t.layout.Shape().String(), t.dtype.String(), t.Device().Info().Name}
	if !t.layout.IsContiguous() {
		strides := make(Shape, t.layout.Rank())
		for i := range strides {
			strides[i] = t.layout.Stride(i)
		}
		notes = append(notes, "strides "+strides.String())
		if off := t.layout.Offset(); off != 0 {
			notes = append(notes, "offset "+itoa(off))
		}
	}
	return notes
}

// elements returns the elements as text, each by a format of package fmt, or
// as NumPy prints them where the format is empty.
func (t *Tensor) elements(format string) (string, error) {
	shape := t.layout.Shape()
	p := printer{edge: edge(shape)}
	shown := t
	if p.edge >= 0 {
		shown = t.ends(p.edge)
		defer shown.Free()
	}
	var err error
	if shape.Size() > 0 {
		if p.cells, err = texts(shown, format); err != nil {
			return "", err
		}
	}
	p.write(shape, 0)
	return p.out.String(), nil
}
