// Package bench measures package tensor on workloads that stand for its ways
// through memory, each beside a plain Go loop that computes the same.
//
// Vocabulary: a Workload is one operation on operands of one form and size;
// its naive twin is the loop a programmer would write by hand for that case
// alone; bytes are those that must move, every operand once.
//
//	workloads, err := bench.Workloads(dev, 256)
//	if err != nil {
//		return err
//	}
//	for _, w := range workloads {
//		fmt.Println(w.Name, w.Bytes) // add/float32/row/n=65536 525312
//	}
//
// Run them with make bench, or one with
//
//	go test -run '^$' -bench '/add/float32/row' ./bench
//
// Suite holds the workloads of fixed size on which bench/peers, a module of its
// own, compares other libraries: each with a result that is allocated and
// freed, one that is left to the collector, and an existing one.
//
// To add a workload of a side, add a function to elementwise.go or reduce.go
// and its name to the list in workload.go; to add a case to the suite, add a
// spec to suite_extra.go, or to suite_peers.go if other libraries are to run
// it, and its hand-written twin to twins.go.
package bench
