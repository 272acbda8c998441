package stride0_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stride0/stride0/tensor"
)

func Example() {
	// Three students, two exams: bring each exam to mean 0 and spread 1.
	marks := tensor.New([]float32{10, 20, 30, 40, 50, 60}, 3, 2)
	mean := marks.Mean(0)                             // (2)
	spread := marks.Sub(mean).Square().Mean(0).Sqrt() // (2)
	standard := marks.Sub(mean).Div(spread)           // (3, 2): the same for every student
	values, err := tensor.Data[float32](standard)     // one check at the end of the chain
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(values)

	bonus := tensor.New([]float32{1, 2, 3}, 3) // one for each student
	fmt.Println(marks.Add(bonus).Err())
	fmt.Println(marks.Add(bonus.Unsqueeze(1)))
	// Output:
	// [-1.2247449 -1.2247449 0 0 1.2247449 1.2247449]
	// add: cannot broadcast (3, 2) with (3): axis -1 is 2 and 3; unsqueeze (3) at axis 1 to make it (3, 1), as a reduction's Keep form does (readme_test.go:26)
	// [[11. 21.]
	//  [32. 42.]
	//  [53. 63.]]
}

// TestReadmeShowsTheExample proves that the README's program is the one that
// is compiled and run above, and that it prints what the README says.
func TestReadmeShowsTheExample(t *testing.T) {
	source, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(source), "func Example() {\n")
	example, _, _ = strings.Cut(example, "\n}\n")
	program, output, found := strings.Cut("\n"+example+"\n", "\t// Output:")
	if !found {
		t.Fatal("no example in readme_test.go")
	}
	program = strings.ReplaceAll(program, "\n\t", "\n")
	output = strings.ReplaceAll(output, "\n\t// ", "\n")
	for _, block := range []string{"```go" + program + "```\n", "```" + output + "```\n"} {
		if !strings.Contains(string(readme), block) {
			t.Errorf("README.md does not contain\n%s", block)
		}
	}
}
