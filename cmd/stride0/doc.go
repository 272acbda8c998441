// Stride0 is the command that tells about stride0 on this machine.
//
//	stride0 version          what was built, with which Go, for which platform
//	stride0 devices          the devices here, and why others are missing
//	stride0 devices -json    the same, for programs
//	stride0 explain SHAPE... how shapes such as '(3,2)' broadcast, or which axis clashes and what mends it
//	stride0 kernel OP        the source of an operation's kernels; -dialect, -dtype, -form choose which
//	stride0 price DTYPE SHAPE what such a tensor takes: stride0 price float32 32,2048,4096
//	stride0 help
//
// The exit status is 0 for success, 1 when a command fails (explain: when the
// shapes clash) and 2 when it was not understood. To add a command, add a file
// with its run function and a row to commands in main.go.
package main
