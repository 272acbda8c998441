package conform

import (
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// elementwise holds arithmetic and functions of single elements.
var elementwise = table{
	"Abs":        unary((*tensor.Tensor).Abs),
	"Acos":       unary((*tensor.Tensor).Acos),
	"Acosh":      unary((*tensor.Tensor).Acosh),
	"Add":        dyadic((*tensor.Tensor).Add),
	"Asin":       unary((*tensor.Tensor).Asin),
	"Asinh":      unary((*tensor.Tensor).Asinh),
	"Atan":       unary((*tensor.Tensor).Atan),
	"Atanh":      unary((*tensor.Tensor).Atanh),
	"BitShift":   single(bitShift),
	"BitwiseAnd": dyadic((*tensor.Tensor).BitAnd),
	"BitwiseNot": unary((*tensor.Tensor).BitNot),
	"BitwiseOr":  dyadic((*tensor.Tensor).BitOr),
	"BitwiseXor": dyadic((*tensor.Tensor).BitXor),
	"Ceil":       unary((*tensor.Tensor).Ceil),
	"Clip":       single(clip),
	"Cos":        unary((*tensor.Tensor).Cos),
	"Cosh":       unary((*tensor.Tensor).Cosh),
	"Div":        single(div),
	"Erf":        unary((*tensor.Tensor).Erf),
	"Exp":        unary((*tensor.Tensor).Exp),
	"Floor":      unary((*tensor.Tensor).Floor),
	"Log":        unary((*tensor.Tensor).Log),
	"Max":        variadic((*tensor.Tensor).Maximum),
	"Mean":       single(meanOfInputs),
	"Min":        variadic((*tensor.Tensor).Minimum),
	"Mod":        single(mod),
	"Mul":        dyadic((*tensor.Tensor).Mul),
	"Neg":        unary((*tensor.Tensor).Neg),
	"Pow":        single(pow),
	"Reciprocal": unary((*tensor.Tensor).Reciprocal),
	"Round":      unary((*tensor.Tensor).Round),
	"Sign":       unary((*tensor.Tensor).Sign),
	"Sin":        unary((*tensor.Tensor).Sin),
	"Sinh":       unary((*tensor.Tensor).Sinh),
	"Sqrt":       unary((*tensor.Tensor).Sqrt),
	"Sub":        dyadic((*tensor.Tensor).Sub),
	"Sum":        variadic((*tensor.Tensor).Add),
	"Tan":        unary((*tensor.Tensor).Tan),
	"Tanh":       unary((*tensor.Tensor).Tanh),
}

// div is true division of floats; the quotient of integers is truncated: what
// is left after the remainder, which has the sign of the dividend, divides
// evenly.
func div(k *call) *tensor.Tensor {
	x, y := k.arg(0), k.arg(1)
	if x.DType().IsInteger() && y.DType().IsInteger() {
		return x.Sub(x.Rem(y)).FloorDiv(y)
	}
	return x.Div(y)
}

// mod has the sign of the divisor, with fmod that of the dividend.
func mod(k *call) *tensor.Tensor {
	if attrOr(k, "fmod", 0) != 0 {
		return k.arg(0).Rem(k.arg(1))
	}
	return k.arg(0).Mod(k.arg(1))
}

// pow has the dtype of the base. Where base and exponent have different ones
// and not both are floats, float64 holds either and the rounding of the power
// to an integer comes last.
func pow(k *call) *tensor.Tensor {
	x, y := k.arg(0), k.arg(1)
	d := x.DType()
	if d == y.DType() || d.IsFloat() && y.DType().IsFloat() {
		return k.as(x.Pow(y), d)
	}
	if d.IsInteger() && y.DType().IsInteger() {
		return x.Pow(y.Cast(d))
	}
	return k.as(x.Cast(dtype.Float64).Pow(y.Cast(dtype.Float64)), d)
}

func bitShift(k *call) *tensor.Tensor {
	switch direction := attrOr(k, "direction", ""); direction {
	case "LEFT":
		return k.arg(0).ShiftLeft(k.arg(1))
	case "RIGHT":
		return k.arg(0).ShiftRight(k.arg(1))
	default:
		k.unsupported("direction %q", direction)
		return nil
	}
}

// meanOfInputs is the mean of tensors, element by element.
func meanOfInputs(k *call) *tensor.Tensor {
	return k.fold((*tensor.Tensor).Add).DivScalar(len(k.in))
}

// clip bounds elements by numbers that are inputs since version 11 and either
// of which may be left out.
func clip(k *call) *tensor.Tensor {
	x, low, high := k.arg(0), k.arg(1), k.arg(2)
	if v, ok := attr[float64](k, "min"); ok {
		low = tensor.Scalar(v)
	}
	if v, ok := attr[float64](k, "max"); ok {
		high = tensor.Scalar(v)
	}
	switch {
	case low != nil && high != nil:
		return x.Clip(low, high)
	case low != nil:
		return x.Maximum(low)
	case high != nil:
		return x.Minimum(high)
	}
	return x
}
