package dtype

import "strings"

// Error says which dtypes an operation cannot use together, and what to do.
type Error struct {
	DTypes []DType
	Msg    string // what is wrong
	Hint   string // what to do; may be empty
}

// Error returns "message; hint".
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

// Promote returns the smallest dtype that holds every one of ds: the array
// API's table for integers with integers (uint8 with int8 is int16, uint32
// with a signed type is int64); a float wins over integers and bool whatever
// their width, and float16 with bfloat16 is float32; bool yields to all. It
// looks at the set: neither order nor repetition matters. Errors (*Error): no
// or invalid dtypes; uint64 with a signed type, which no integer type holds.
func Promote(ds ...DType) (DType, error) {
	var widest [FloatKind + 1]DType // per kind
	for _, d := range ds {
		if !d.Valid() {
			return Invalid, &Error{DTypes: append([]DType(nil), ds...), Msg: "no common dtype of " + list(ds)}
		}
		switch w := widest[d.Kind()]; {
		case d.IsHalf() && w.IsHalf() && d != w:
			widest[FloatKind] = Float32
		case d.Size() > w.Size():
			widest[d.Kind()] = d
		}
	}
	signed, unsigned := widest[IntKind], widest[UintKind]
	switch {
	case widest[FloatKind] != Invalid:
		return widest[FloatKind], nil
	case signed != Invalid && unsigned != Invalid:
		return holdBoth(signed, unsigned, ds)
	case signed != Invalid:
		return signed, nil
	case unsigned != Invalid:
		return unsigned, nil
	case widest[BoolKind] != Invalid:
		return Bool, nil
	}
	return Invalid, &Error{Msg: "no dtypes to promote"}
}

// holdBoth returns the smallest signed type that holds signed and unsigned.
func holdBoth(signed, unsigned DType, ds []DType) (DType, error) {
	for _, d := range []DType{Int16, Int32, Int64} {
		if d.Size() >= signed.Size() && d.Size() > unsigned.Size() {
			return d, nil
		}
	}
	return Invalid, &Error{DTypes: append([]DType(nil), ds...),
		Msg: "no integer type holds both " + signed.String() + " and " + unsigned.String(), Hint: "cast one of them first"}
}

// Lift returns the dtype of an operation between elements of type d and the
// weak number n: n may lift the kind (an integer d with a float n is Float32,
// Bool with an integer n is Int64) but never the width.
func Lift(d DType, n Number) DType {
	switch {
	case n.kind == FloatKind && !d.IsFloat():
		return Float32
	case (n.kind == IntKind || n.kind == UintKind) && d == Bool:
		return Int64
	}
	return d
}

func list(ds []DType) string {
	names := make([]string, len(ds))
	for i, d := range ds {
		names[i] = d.String()
	}
	return strings.Join(names, ", ")
}
