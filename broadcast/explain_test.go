package broadcast

import (
	"slices"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name   string
		shapes []Shape
		lines  []string
	}{
		{"both stretch", []Shape{{8, 1}, {7, 1, 5}}, []string{
			"axis                     -3         -2         -1",
			"(8, 1)                               8          1",
			"(7, 1, 5)                 7          1          5",
			"                  stretches  stretches  stretches",
			"result (7, 8, 5)          7          8          5",
		}},
		{"sizes wider than words", []Shape{{1234567890, 1}, {1}}, []string{
			"axis                            -2    -1",
			"(1234567890, 1)         1234567890     1",
			"(1)                                    1",
			"                         stretches  same",
			"result (1234567890, 1)  1234567890     1",
		}},
		{"a missing axis beside a 1 stretches nothing", []Shape{{1, 3}, {3}}, []string{
			"axis             -2    -1",
			"(1, 3)            1     3",
			"(3)                     3",
			"               same  same",
			"result (1, 3)     1     3",
		}},
		{"1 stretches to 0", []Shape{{1}, {0}}, []string{
			"axis               -1",
			"(1)                 1",
			"(0)                 0",
			"            stretches",
			"result (0)          0",
		}},
		{"0 clashes", []Shape{{0}, {2}}, []string{
			"axis       -1",
			"(0)         0",
			"(2)         2",
			"      clashes",
			"no result: cannot broadcast (0) with (2): axis -1 is 0 and 2",
			"hint: a size of 0 goes only with 0 and 1",
		}},
		{"two clashes of one cause", []Shape{{2, 3}, {3, 2}}, []string{
			"axis         -2       -1",
			"(2, 3)        2        3",
			"(3, 2)        3        2",
			"        clashes  clashes",
			"no result: cannot broadcast (2, 3) with (3, 2): axis -1 is 3 and 2",
			"hint: transpose (3, 2) to make it (2, 3)",
		}},
		{"three operands of which the outer two clash", []Shape{{6, 7}, {5, 1, 1}, {8}}, []string{
			"axis              -3         -2       -1",
			"(6, 7)                        6        7",
			"(5, 1, 1)          5          1        1",
			"(8)                                    8",
			"           stretches  stretches  clashes",
			"no result: cannot broadcast (6, 7) with (8) (operands 1 and 3 of 3): axis -1 is 7 and 8",
			"hint: sizes on an axis must be equal, or one of them 1",
		}},
		{"rank 0 with an axis", []Shape{{}, {3}}, []string{
			"axis               -1",
			"()",
			"(3)                 3",
			"            stretches",
			"result (3)          3",
		}},
		{"rank 0 only", []Shape{{}, {}}, []string{"()", "()", "result ()"}},
		{"no shapes", nil, []string{"result ()"}},
		{"not a shape", []Shape{{3}, {2, -1}}, []string{"shape (2, -1): axis -1 is negative; sizes are 0 or more"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, want := Explain(c.shapes...), strings.Join(c.lines, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// A result too large is refused although every axis stretches.
func TestExplainSaysWhatCannotBeCounted(t *testing.T) {
	text := Explain(Shape{half, 1}, Shape{1, half})
	if !strings.Contains(text, "no result: ") || !strings.Contains(text, "too many elements\nhint: at most ") {
		t.Errorf("got\n%s", text)
	}
	if strings.Count(text, "stretches") != 2 || strings.Contains(text, "clashes") {
		t.Errorf("the axes are fine, got\n%s", text)
	}
}

func TestExplainAlignsEveryRank(t *testing.T) {
	text := Explain(slices.Repeat([]int{1, 2}, 16), Shape{3, 1})
	for i, line := range strings.Split(text, "\n") {
		if fields := strings.Fields(line[strings.LastIndex(line, ")")+1:]); i < 2 && len(fields) != MaxRank+1-i || strings.HasSuffix(line, " ") {
			t.Errorf("line %d has %d columns: %q", i, len(fields), line)
		}
	}
	if text := Explain(slices.Repeat([]int{1}, MaxRank+1)); strings.Contains(text, "\n") || !strings.Contains(text, "33 axes") {
		t.Errorf("got\n%s", text)
	}
}

// The words of the table and the rule must agree on every input of FuzzRule.
func FuzzExplain(f *testing.F) {
	seeds(f, 300, 40)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := source{data}
		shapes := s.shapes()
		text := Explain(shapes...)
		result, err := Shapes(shapes...)
		if (err == nil) == strings.Contains(text, "clashes") || (err == nil) != strings.Contains(text, "\nresult "+result.String()) {
			t.Errorf("%v give %v, %v, but\n%s", shapes, result, err, text)
		}
		if e, ok := err.(*ShapeError); ok && (!strings.Contains(text, e.Msg) || !strings.HasSuffix(text, e.Hint)) {
			t.Errorf("%v: the text lacks %q\n%s", shapes, e, text)
		}
	})
}
