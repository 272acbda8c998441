package kernels

import (
	"fmt"
	"strconv"

	"github.com/stride0/stride0/dtype"
)

// GoText is a Body spelt in Go.
type GoText struct {
	Consts []string // definitions to put before a loop: "c1 := math.Float32frombits(0x3f800000)"
	Lines  []string // statements, in order: "v2 := float32(x0 + c1)"
	Outs   []string // the names of what the Body yields
}

// SpellGo spells b in Go. args names the arguments; suffix ends every name
// that the text defines, so that several copies fit in one scope.
//
// The mask on a shift's count changes nothing: it tells the compiler that the
// count is in range. Every operation on floats is wrapped in a conversion, without which Go may
// fuse a product into the sum that takes it (arm64, ppc64, s390x). Constants
// are bit patterns. Besides math the text needs internal/exact
// (FMA32, Float32FromInt64), and from the package it stands in: select<Type>(m bool, a, b T)
// T for each dtype, and bit(m bool) uint8.
//
// Errors: a primitive that has no spelling.
func SpellGo(b Body, args []string, suffix string) (GoText, error) {
	s := goSpeller{body: b, args: args, suffix: suffix, names: make([]string, len(b.Nodes))}
	for i, n := range b.Nodes {
		if err := s.node(i, n); err != nil {
			return GoText{}, err
		}
	}
	for _, v := range b.Outs {
		s.text.Outs = append(s.text.Outs, s.names[v])
	}
	return s.text, nil
}

type goSpeller struct {
	body   Body
	args   []string
	suffix string
	names  []string // per node
	text   GoText
}

func (s *goSpeller) node(i int, n Node) error {
	switch n.Prim {
	case PrimArg:
		if n.Bits >= uint64(len(s.args)) {
			return fmt.Errorf("kernels: the expression has no name for argument %d", n.Bits)
		}
		s.names[i] = s.args[n.Bits]
		return nil
	case PrimConst:
		s.names[i] = fmt.Sprintf("c%d%s", i, s.suffix)
		s.text.Consts = append(s.text.Consts, s.names[i]+" := "+goConst(n.Type, n.Bits))
		return nil
	}
	text, err := s.expr(n)
	if err != nil {
		return err
	}
	s.names[i] = fmt.Sprintf("v%d%s", i, s.suffix)
	s.text.Lines = append(s.text.Lines, s.names[i]+" := "+text)
	return nil
}

// goInfix holds the primitives that are an operator between two values.
var goInfix = map[Prim]string{
	PrimAdd: "+", PrimSub: "-", PrimMul: "*", PrimDiv: "/", PrimQuo: "/", PrimLt: "<", PrimLe: "<=", PrimEq: "==",
	PrimAnd: "&", PrimOr: "|", PrimXor: "^",
}

// goInfixBool holds those that bools spell differently.
var goInfixBool = map[Prim]string{PrimAnd: "&&", PrimOr: "||", PrimXor: "!="}

func (s *goSpeller) expr(n Node) (string, error) {
	var a [3]string
	for i := range n.NArg {
		a[i] = s.names[n.Args[i]]
	}
	if op, ok := goInfix[n.Prim]; ok {
		return goBinary(n, op, a[0], a[1]), nil
	}
	switch n.Prim {
	case PrimSqrt:
		return goSqrt(n.Type, a[0]), nil
	case PrimFma:
		return goFma(n.Type, a), nil
	case PrimSelect:
		return fmt.Sprintf("select%s(%s, %s, %s)", goTitle(n.Type), a[0], a[1], a[2]), nil
	case PrimNot:
		if n.Type == dtype.Bool {
			return "!" + a[0], nil
		}
		return "^" + a[0], nil
	case PrimShl:
		return fmt.Sprintf("%s << %d", a[0], n.Bits), nil
	case PrimShr:
		return fmt.Sprintf("%s >> %d", a[0], n.Bits), nil
	case PrimShlBy:
		return fmt.Sprintf("%s << (%s & %d)", a[0], a[1], 8*n.Type.Size()-1), nil
	case PrimShrBy:
		return fmt.Sprintf("%s >> (%s & %d)", a[0], a[1], 8*n.Type.Size()-1), nil
	case PrimConvert:
		return goConvert(n.Type, s.body.Nodes[n.Args[0]].Type, a[0]), nil
	case PrimBits:
		return goBits(n.Type, s.body.Nodes[n.Args[0]].Type, a[0]), nil
	}
	return "", fmt.Errorf("kernels: primitive %v has no spelling in Go", n.Prim)
}

func goBinary(n Node, op, a, b string) string {
	if n.Type == dtype.Bool {
		if logical, ok := goInfixBool[n.Prim]; ok {
			op = logical
		}
	}
	text := a + " " + op + " " + b
	if n.Type.IsFloat() {
		return GoType(n.Type) + "(" + text + ")"
	}
	return text
}

// goSqrt: the float64 root of a float32, rounded, is the correctly rounded
// float32 root (53 >= 2·24+2 bits); compilers spell it as one instruction.
func goSqrt(d dtype.DType, a string) string {
	if d == dtype.Float64 {
		return "math.Sqrt(" + a + ")"
	}
	return "float32(math.Sqrt(float64(" + a + ")))"
}

func goFma(d dtype.DType, a [3]string) string {
	name := "exact.FMA32"
	if d == dtype.Float64 {
		name = "math.FMA"
	}
	return fmt.Sprintf("%s(%s, %s, %s)", name, a[0], a[1], a[2])
}

func goConvert(to, from dtype.DType, a string) string {
	if from == dtype.Bool {
		a = "bit(" + a + ")"
	}
	if to == dtype.Float32 && from.IsInteger() && from.Size() == 8 {
		return "exact.Float32From" + goTitle(from) + "(" + a + ")" // Go's own rounds twice on 386
	}
	return GoType(to) + "(" + a + ")"
}

func goBits(to, from dtype.DType, a string) string {
	switch {
	case from == dtype.Bool:
		return GoType(to) + "(bit(" + a + "))"
	case to == dtype.Bool:
		return a + " != 0"
	case from.IsFloat() && !from.IsHalf():
		text := "math." + goTitle(from) + "bits(" + a + ")"
		if to.Kind() == dtype.UintKind {
			return text
		}
		return GoType(to) + "(" + text + ")"
	case to == dtype.Float32:
		return "math.Float32frombits(uint32(" + a + "))"
	case to == dtype.Float64:
		return "math.Float64frombits(uint64(" + a + "))"
	}
	return GoType(to) + "(" + a + ")"
}

// GoType returns the Go type of an element in generated code: that of the bit
// pattern for halves.
func GoType(d dtype.DType) string {
	if d.IsHalf() {
		return "uint16"
	}
	return d.String()
}

// goConst spells a constant by its bit pattern; integers in decimal.
func goConst(d dtype.DType, pattern uint64) string {
	switch d {
	case dtype.Bool:
		return strconv.FormatBool(pattern != 0)
	case dtype.Float32:
		return fmt.Sprintf("math.Float32frombits(0x%08x)", pattern)
	case dtype.Float64:
		return fmt.Sprintf("math.Float64frombits(0x%016x)", pattern)
	}
	if d.Kind() == dtype.IntKind {
		return fmt.Sprintf("%s(%d)", d, signed(d, pattern))
	}
	return fmt.Sprintf("%s(0x%x)", GoType(d), pattern)
}

// goTitle returns the name of a Go type inside an identifier: "Float32".
func goTitle(d dtype.DType) string {
	name := GoType(d)
	return string(name[0]-'a'+'A') + name[1:]
}
