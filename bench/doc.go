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
// To add a workload, add a function to elementwise.go or reduce.go and its
// name to the list in workload.go.
package bench
