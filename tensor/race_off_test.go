//go:build !race

package tensor_test

const raced = false
