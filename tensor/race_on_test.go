//go:build race

package tensor_test

// raced makes loops shorter where the race detector makes them slow.
const raced = true
