package device_test

import (
	"errors"
	"fmt"

	"github.com/stride0/stride0/device"
)

// A device that is not there is an error value that says what to do.
func ExampleOpen() {
	_, err := device.Open("abacus:1")
	fmt.Println(errors.Is(err, device.ErrUnavailable))
	_, err = device.Open("abacus:one")
	fmt.Println(err)
	// Output:
	// true
	// abacus:one: Open: device unavailable: "one" is no index; write "abacus:0"
}

// A driver keeps its device's memory in a Pool.
func ExamplePool() {
	pool := device.NewPool(device.PoolConfig[[]byte]{
		Device:  "toy",
		Limit:   1 << 20,
		Alloc:   func(size int64) ([]byte, error) { return make([]byte, size), nil },
		Release: func([]byte, int64) {},
	})
	a, _ := pool.Get(1000)
	fmt.Println(a.Size(), len(a.Mem()))
	a.Free() // or drop a: the garbage collector frees it
	b, _ := pool.Get(990)
	fmt.Println("reused:", pool.Stats().Hits)

	_, err := pool.Get(2 << 20)
	fmt.Println(err)
	fmt.Println(pool.Close())
	b.Free()
	fmt.Println(pool.Close())
	// Output:
	// 1000 1024
	// reused: 1
	// toy: out of memory: need 2.1 MB, free 1.0 MB of the limit 1.0 MB; free tensors or use smaller ones
	// toy: Close: device has live buffers: 1, 1.0 kB in all; drop or free what uses them first
	// <nil>
}
