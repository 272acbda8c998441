package kernels

// Op names an operation: a row of the table, or one of the three leaves of a
// Program. Each family of rows counts from its own base, so that adding a row
// renumbers no other family.
type Op uint16

// The leaves of a Program.
const (
	OpInput  Op = 1 + iota // an element of input Slot
	OpScalar               // the caller's number Slot, a kernel argument
	OpIndex                // the logical index along axis Slot, an int64
)

// The bases of the families, one optab_<family>.go each.
const (
	baseArith     Op = 64 * (1 + iota) // optab_arith.go
	baseCompare                        // optab_compare.go
	baseMath                           // optab_math.go
	baseData                           // optab_data.go
	baseReduce                         // optab_reduce.go
	baseInt                            // optab_int.go
	baseRound                          // optab_round.go
	baseTrig                           // optab_trig.go
	baseSpecial                        // optab_special.go
	baseActivate                       // optab_activate.go
	baseComposite                      // optab_composite.go
	opLimit
)

var familyNames = [...]string{"Arithmetic", "Comparison and selection", "Exponentials and powers", "Copies and generated data", "Reductions",
	"Integers, bits and truth values", "Rounding and parts of floats", "Trigonometry", "Error and gamma functions", "Activations", "Norms, variance and softmax"}

// Family returns the name of the family that op belongs to, "" for a leaf.
func (op Op) Family() string {
	if f := int(op/64) - 1; f >= 0 && f < len(familyNames) {
		return familyNames[f]
	}
	return ""
}

// OpLimit is one more than the largest possible Op: the length of an array
// indexed by Op.
const OpLimit = int(opLimit)
