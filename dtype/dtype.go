package dtype

// DType is an element type. The zero value, Invalid, is no type.
type DType uint8

// The element types. Uint32 and Uint64 exist only inside Programs
// (random bits, float bit patterns): Storable reports which may be the dtype
// of a tensor.
const (
	Invalid DType = iota
	Bool
	Uint8
	Uint32
	Uint64
	Int32
	Int64
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
	name     string
	size     int
	kind     Kind
	storable bool
}{
	Invalid: {"invalid", 0, NoKind, false},
	Bool:    {"bool", 1, BoolKind, true},
	Uint8:   {"uint8", 1, UintKind, true},
	Uint32:  {"uint32", 4, UintKind, false},
	Uint64:  {"uint64", 8, UintKind, false},
	Int32:   {"int32", 4, IntKind, true},
	Int64:   {"int64", 8, IntKind, true},
	Float32: {"float32", 4, FloatKind, true},
	Float64: {"float64", 8, FloatKind, true},
}

func (d DType) valid() bool { return d > Invalid && d < count }

// String returns the name as NumPy and PyTorch spell it: "float32".
func (d DType) String() string {
	if d >= count {
		return "invalid"
	}
	return types[d].name
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

// Storable reports whether a tensor may hold elements of type d.
func (d DType) Storable() bool { return d < count && types[d].storable }

// IsFloat reports whether d is a floating-point type.
func (d DType) IsFloat() bool { return d.Kind() == FloatKind }

// IsInteger reports whether d is a signed or unsigned integer type.
func (d DType) IsInteger() bool { return d.Kind() == IntKind || d.Kind() == UintKind }

// All returns every element type a tensor may hold, in order of promotion.
func All() []DType {
	var all []DType
	for d := Invalid + 1; d < count; d++ {
		if d.Storable() {
			all = append(all, d)
		}
	}
	return all
}

// String returns "bool", "unsigned integer", "integer" or "float".
func (k Kind) String() string {
	return [...]string{"none", "bool", "unsigned integer", "integer", "float"}[min(k, FloatKind)]
}
