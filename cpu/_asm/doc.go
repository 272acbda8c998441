// Command _asm writes the assembly loops of package cpu from the op table, for
// processors with AVX2, FMA and F16C.
//
// It knows the primitives of package kernels and no operation: a loop is the
// expression of a row that the table calls hot, spelt in vector instructions,
// which round as the generated Go does. A row whose expression has a primitive
// without a vector instruction, or values of several widths, keeps its Go loop.
// Beside expressions it knows the conversions between two types (casts.go),
// rows of halves (halves.go) and the copy past the cache (stream.go).
//
// It is a module of its own, so that stride0 does not depend on avo. In the
// folder of this file:
//
//	go run . -dir ..
package main
