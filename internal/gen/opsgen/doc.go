// Command opsgen writes OPS.md, the list of all operations for people, from
// the op table.
//
// Vocabulary: an entry is one row of the table: its name, the dtypes it takes
// and gives, the error it is held to, and what an element of its result is.
//
//	//go:generate go run ../internal/gen/opsgen
//
//	| `sub` | integer or float | the same | 0.5 | 0.5 | x - y; integers wrap |
//
// To add an entry, add a row to package kernels; to change what is said about
// one, edit ops.go.
package main
