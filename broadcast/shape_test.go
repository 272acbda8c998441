package broadcast

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"
)

// half is 2 to the power of half the width of int: its square overflows.
const half = 1 << (strconv.IntSize / 2)

// wantError holds that err is a *ShapeError with the given text and axis.
func wantError(t *testing.T, err error, text string, axis int) {
	t.Helper()
	var e *ShapeError
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want a *ShapeError: %s", err, text)
	}
	if err.Error() != text {
		t.Errorf("error\n%s\nwant\n%s", err, text)
	}
	if e.Axis != axis {
		t.Errorf("Axis = %d, want %d", e.Axis, axis)
	}
}

func TestShapeString(t *testing.T) {
	for _, c := range []struct {
		s    Shape
		want string
	}{{nil, "()"}, {Shape{}, "()"}, {Shape{4}, "(4)"}, {Shape{2, 3}, "(2, 3)"}, {Shape{0, -1, 10}, "(0, -1, 10)"}} {
		if got := c.s.String(); got != c.want {
			t.Errorf("%#v prints as %s, want %s", []int(c.s), got, c.want)
		}
	}
}

func TestShapeEqualAndClone(t *testing.T) {
	s := Shape{2, 3}
	c := s.Clone()
	if !s.Equal(c) || s.Equal(Shape{2}) || s.Equal(Shape{3, 2}) || !Shape(nil).Equal(Shape{}) {
		t.Error("Equal compares sizes, in order")
	}
	c[0] = 9
	if s[0] != 2 {
		t.Error("Clone shares memory")
	}
}

func TestShapeSize(t *testing.T) {
	for _, c := range []struct {
		s    Shape
		want int
	}{{nil, 1}, {Shape{7}, 7}, {Shape{2, 3, 4}, 24}, {Shape{2, 0, 4}, 0}} {
		if got := c.s.Size(); got != c.want {
			t.Errorf("size of %v = %d, want %d", c.s, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	most := strconv.Itoa(math.MaxInt)
	big := strconv.Itoa(half)
	elements := "at most " + most + " can be counted here, not counting axes of size 0"
	ones := Shape(slices.Repeat([]int{1}, MaxRank+1))
	for _, c := range []struct {
		name     string
		s        Shape
		elemSize int
		text     string // "" for no error
		axis     int
	}{
		{"rank 0", nil, 8, "", 0},
		{"rank 32", ones[1:], 8, "", 0},
		{"rank 33", ones, 8, "shape " + ones.String() + " has 33 axes; at most 32 work; merge some with Reshape", 0},
		{"negative", Shape{2, -3, 4}, 1, "shape (2, -3, 4): axis -2 is negative; sizes are 0 or more", -2},
		{"as many elements as an int counts", Shape{math.MaxInt}, 1, "", 0},
		{"more elements than an int counts", Shape{half, half}, 1, "shape (" + big + ", " + big + ") has too many elements; " + elements, 0},
		{"wraps round to a small number", Shape{half, half, 2}, 1, "shape (" + big + ", " + big + ", 2) has too many elements; " + elements, 0},
		{"too many elements beside a 0", Shape{0, half, half}, 1, "shape (0, " + big + ", " + big + ") has too many elements; " + elements, 0},
		{"too many elements before a 0", Shape{half, half, 0}, 1, "shape (" + big + ", " + big + ", 0) has too many elements; " + elements, 0},
		{"as many bytes as an int counts", Shape{math.MaxInt / 8}, 8, "", 0},
		{"more bytes than an int counts", Shape{math.MaxInt/8 + 1}, 8,
			"shape (" + strconv.Itoa(math.MaxInt/8+1) + ") of 8-byte elements has too many bytes; " + elements, 0},
		{"more bytes than an int counts beside a 0", Shape{math.MaxInt/8 + 1, 0}, 8,
			"shape (" + strconv.Itoa(math.MaxInt/8+1) + ", 0) of 8-byte elements has too many bytes; " + elements, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.s.Check(c.elemSize)
			if c.text != "" {
				wantError(t, err, c.text, c.axis)
			} else if err != nil {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestAxisMask(t *testing.T) {
	m := mask(0, 5, 31)
	if !m.Has(0) || !m.Has(31) || m.Has(4) || m.Has(32) || m.Count() != 3 {
		t.Errorf("mask %b", m)
	}
}
