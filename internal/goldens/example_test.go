package goldens_test

import (
	"fmt"
	"os"

	"github.com/stride0/stride0/internal/goldens"
)

func ExampleRead() {
	text, err := os.ReadFile("testdata/layer_layernorm_x.npy")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := goldens.Read(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Shape(), x.DType())
	// Output: (3, 4, 8) float64
}
