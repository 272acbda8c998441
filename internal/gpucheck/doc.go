// Command gpucheck measures a CUDA device for scripts/gpu-check and prints a
// Markdown table.
//
// Vocabulary: W2 to W6 are element-wise operations on float32 that differ in
// how their operands broadcast; bytes are those that must move, every operand
// once; beside are the seconds that something else took for the same.
//
//	gpucheck -present            # exit status 0 if there is a device
//	gpucheck -describe           # says which
//	gpucheck -n 28 -beside FILE  # measures 2^28 elements; FILE has lines "W2 0.0012"
//
// To add a measurement, add it to measures in measures.go and to
// scripts/gpu-check.py.
package main
