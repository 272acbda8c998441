package dtype

// DType is an element type. The zero value, Invalid, is no type.
type DType uint8

// The element types.
const (
	Invalid DType = iota
	Bool
	Uint8
	Uint16
	Uint32
	Uint64
	Int8
	Int16
	Int32
	Int64
	Float16  // IEEE 754 binary16
	BFloat16 // the upper half of a float32
	Float32
	Float64

	count
)

// Count is one more than the largest DType: the length of an array indexed by
// DType.
const Count = int(count)

// Kind is the family of a dtype, in order of promotion.
type Kind uint8

// The kinds.
const (
	NoKind Kind = iota
	BoolKind
	UintKind
	IntKind
	FloatKind
)

var types = [Count]struct {
	name string
	size int
	kind Kind
}{
	Invalid:  {"invalid", 0, NoKind},
	Bool:     {"bool", 1, BoolKind},
	Uint8:    {"uint8", 1, UintKind},
	Uint16:   {"uint16", 2, UintKind},
	Uint32:   {"uint32", 4, UintKind},
	Uint64:   {"uint64", 8, UintKind},
	Int8:     {"int8", 1, IntKind},
	Int16:    {"int16", 2, IntKind},
	Int32:    {"int32", 4, IntKind},
	Int64:    {"int64", 8, IntKind},
	Float16:  {"float16", 2, FloatKind},
	BFloat16: {"bfloat16", 2, FloatKind},
	Float32:  {"float32", 4, FloatKind},
	Float64:  {"float64", 8, FloatKind},
}

// Valid reports whether d is an element type: neither Invalid nor beyond the list.
func (d DType) Valid() bool { return d > Invalid && d < count }

// String returns the name as NumPy and PyTorch spell it: "float32".
func (d DType) String() string {
	if d >= count {
		return "invalid"
	}
	return types[d].name
}

// GoString returns the constant as Go spells it: "dtype.Float32".
func (d DType) GoString() string {
	name := d.String()
	if d == BFloat16 {
		return "dtype.BFloat16"
	}
	return "dtype." + string(name[0]-'a'+'A') + name[1:]
}

// Size returns the bytes of one element, 0 for Invalid.
func (d DType) Size() int {
	if d >= count {
		return 0
	}
	return types[d].size
}

// Kind returns the family of d, NoKind for Invalid.
func (d DType) Kind() Kind {
	if d >= count {
		return NoKind
	}
	return types[d].kind
}

// IsFloat reports whether d is a floating-point type.
func (d DType) IsFloat() bool { return d.Kind() == FloatKind }

// IsHalf reports whether d is a floating-point type of 16 bits, which
// operations compute with in float32.
func (d DType) IsHalf() bool { return d == Float16 || d == BFloat16 }

// IsInteger reports whether d is a signed or unsigned integer type.
func (d DType) IsInteger() bool { return d.Kind() == IntKind || d.Kind() == UintKind }

// All returns every element type, in order of promotion.
func All() []DType {
	all := make([]DType, 0, Count-1)
	for d := Invalid + 1; d < count; d++ {
		all = append(all, d)
	}
	return all
}

// String returns "bool", "unsigned integer", "integer" or "float".
func (k Kind) String() string {
	return [...]string{"none", "bool", "unsigned integer", "integer", "float"}[min(k, FloatKind)]
}
