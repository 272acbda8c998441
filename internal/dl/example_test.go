package dl_test

import (
	"errors"
	"fmt"

	"github.com/stride0/stride0/internal/dl"
)

func ExampleOpen() {
	_, err := dl.Open("libstride0-absent.so")
	var failed *dl.OpenError
	fmt.Println(errors.As(err, &failed), failed.Names)
	// Output: true [libstride0-absent.so]
}
