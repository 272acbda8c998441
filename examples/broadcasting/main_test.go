package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func mustLoad(t *testing.T) []lesson {
	t.Helper()
	lessons, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return lessons
}

// TestDocListsTheLessonsInOrder compares the list in doc.go with the lessons.
func TestDocListsTheLessonsInOrder(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "The lessons, in order:\n//\n")
	list, _, _ = strings.Cut(list, "//\n")
	var listed, found []string
	for line := range strings.Lines(list) {
		listed = append(listed, strings.Fields(line)[1])
	}
	for _, l := range mustLoad(t) {
		found = append(found, l.name)
	}
	if len(found) < 10 || !slices.Equal(listed, found) {
		t.Errorf("doc.go lists %q, the lessons are %q", listed, found)
	}
}

// TestEveryFileOfLessonsIsListed looks for Examples outside the files list.
func TestEveryFileOfLessonsIsListed(t *testing.T) {
	tests, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tests {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if has := bytes.Contains(text, []byte("\nfunc Example")); has != slices.Contains(files, name) {
			t.Errorf("%s has lessons: %v, and is in the list of files: %v", name, has, !has)
		}
	}
}

// TestLessonsAreChecked makes sure that go test runs every lesson: it does not
// run an Example without output.
func TestLessonsAreChecked(t *testing.T) {
	for _, l := range mustLoad(t) {
		if l.text == "" || l.program == "" || l.output == "" {
			t.Errorf("lesson %s lacks its comment, program or output: %+v", l.name, l)
		}
	}
}

func TestNewLesson(t *testing.T) {
	got := newLesson("Example_deep", "About.\n", "\n\tif x {\n\t\tprint(1)\n\t}\n\n\ty()\n\t// Output:\n\t// [[1 2]\n\t//  [3 4]]\n\t//\n\t// end\n")
	want := lesson{"deep", "About.\n", "if x {\n\tprint(1)\n}\n\ny()", "[[1 2]\n [3 4]]\n\nend"}
	if got != want {
		t.Errorf("got %+q, want %+q", got, want)
	}
}

func TestCommand(t *testing.T) {
	tests := []struct {
		name   string
		args   []string
		code   int
		stdout []string // these in order; empty: nothing at all
		stderr string
	}{
		{"all", nil, 0, []string{"== scalar ==", "== row ==", "== trap ==", "== sumTo ==", "== mistakeMean =="}, ""},
		{"one", []string{"outer"}, 0, []string{"== outer ==\n\nA column and a row", "\n    hours := tensor.New(", "\n\nprints\n\n    [[10. 20.]\n     [20. 40.]\n"}, ""},
		{"two_in_the_order_asked", []string{"trap", "row"}, 0, []string{"== trap ==", "== row =="}, ""},
		{"unknown", []string{"row", "matrix"}, 2, nil, `there is no lesson "matrix"; there are scalar, row, column, `},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := command(test.args, &stdout, &stderr); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			rest := stdout.String()
			for _, want := range test.stdout {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("%q is not in, or not in this place of\n%s", want, stdout.String())
				}
				rest = after
			}
			if len(test.stdout) == 0 && rest != "" || !strings.Contains(stderr.String(), test.stderr) {
				t.Errorf("stdout %q, stderr %q, want %q", rest, stderr.String(), test.stderr)
			}
		})
	}
}

// TestOneLessonIsOneLesson would fail if a name chose more than its lesson.
func TestOneLessonIsOneLesson(t *testing.T) {
	var stdout, stderr bytes.Buffer
	command([]string{"row"}, &stdout, &stderr)
	if n := strings.Count(stdout.String(), "\nprints\n"); n != 1 {
		t.Errorf("%d lessons were printed", n)
	}
}
