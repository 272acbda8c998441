// Peers compares stride0 with other libraries in one interleaved run: for each
// workload some rounds, each round a short slice of every peer in random order,
// so that what the machine does meanwhile meets all alike. It prints medians
// and ratios, to the best peer and to the bandwidth of memory measured in the
// same rounds, and writes them as JSON and charts.
//
//	go run . -quick              # about two minutes on an idle machine
//	go run . -docs ../../docs    # everything, into docs/performance.md and beside it
//	go run . -only W3,W4 -peers stride0,numpy,memory
//
// Peers in Go are this program, started with -serve; NumPy, PyTorch and numexpr
// are a script that speaks the same protocol, named by -python or the
// environment variable STRIDE0_PEERS. A peer that is not there is left out, and
// the report says so. A peer that takes ten times as long as the best one is
// measured in two rounds only, one if the run is quick.
//
// To add a peer in Go, add it to package servers and to the list in peers.go.
package main
