package dtype_test

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
)

func ExamplePromote() {
	sum, _ := dtype.Promote(dtype.Uint8, dtype.Int32)
	mix, _ := dtype.Promote(dtype.Int64, dtype.Float32)
	fmt.Println(sum, mix)
	_, err := dtype.Promote(dtype.Uint64, dtype.Int64)
	fmt.Println(err)
	// Output:
	// int32 float32
	// no integer type holds both int64 and uint64; cast one of them first
}

func ExampleLift() {
	fmt.Println(dtype.Lift(dtype.Int32, dtype.FloatNumber(1.5)), dtype.Lift(dtype.Float32, dtype.FloatNumber(1.5)))
	// Output: float32 float32
}
