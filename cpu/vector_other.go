//go:build !amd64 || noasm

package cpu

var vectorSets []vectorSet
