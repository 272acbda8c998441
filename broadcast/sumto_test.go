package broadcast

import "testing"

func TestSumTo(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to Shape
		want     AxisMask
	}{
		{"nothing stretched", Shape{2, 3}, Shape{2, 3}, 0},
		{"missing axis", Shape{2, 3}, Shape{3}, mask(0)},
		{"size 1", Shape{2, 3}, Shape{2, 1}, mask(1)},
		{"both", Shape{4, 2, 3}, Shape{2, 1}, mask(0, 2)},
		{"to rank 0", Shape{2, 3}, Shape{}, mask(0, 1)},
		{"size 1 is not summed to size 1", Shape{1, 3}, Shape{1, 3}, 0},
		{"missing axis of size 1 is not summed", Shape{1, 3}, Shape{3}, 0},
		{"an empty axis is summed to 0", Shape{0, 3}, Shape{1, 3}, mask(0)},
		{"an empty axis stays", Shape{2, 0}, Shape{0}, mask(0)},
		{"rank 0", Shape{}, Shape{}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := SumTo(c.from, c.to); err != nil || got != c.want {
				t.Errorf("%b, %v, want %b", got, err, c.want)
			}
		})
	}
}

func TestSumToErrors(t *testing.T) {
	_, err := SumTo(Shape{3, 2}, Shape{3})
	wantError(t, err, "cannot sum (3, 2) to (3): cannot broadcast (3) to (3, 2): axis -1 is 3 and 2; unsqueeze (3) at axis 1 to make it (3, 1)", -1)
	_, err = SumTo(Shape{1}, Shape{2})
	wantError(t, err, "cannot sum (1) to (2): cannot broadcast (2) to (1): axis -1 is 2 and 1; only an axis of size 1 stretches", -1)
	_, err = SumTo(Shape{3}, Shape{1, 3})
	wantError(t, err, "cannot sum (3) to (1, 3): cannot broadcast (1, 3) to (3): it has 2 axes, more than 1; squeeze (1, 3) at axis 0 to make it (3)", 0)
	for _, s := range []Shape{{-1}, {half, half}} {
		if _, err := SumTo(s, s); err == nil {
			t.Errorf("shape %v is accepted", s)
		}
	}
}

// The sum of ones over the mask counts how often broadcasting used an element.
func TestSumToCountsUses(t *testing.T) {
	from, to := Shape{2, 3, 4}, Shape{3, 1}
	set, err := SumTo(from, to)
	if err != nil {
		t.Fatal(err)
	}
	uses := make(map[int]int)
	o := rowMajorOperand(to...)
	odometer(from, func(index []int) { uses[o.at(index)]++ })
	summed := 1
	for i, n := range from {
		if set.Has(i) {
			summed *= n
		}
	}
	for where, n := range uses {
		if n != summed {
			t.Errorf("element %d is used %d times, %d are summed", where, n, summed)
		}
	}
}
