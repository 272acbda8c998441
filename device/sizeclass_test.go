package device

import "testing"

// sizesUnderTest are all small sizes and those around every power of two and
// around every class boundary.
func sizesUnderTest() []int64 {
	var sizes []int64
	for n := range int64(5000) {
		sizes = append(sizes, n)
	}
	for shift := 12; shift <= 60; shift++ {
		for step := int64(8); step < 16; step++ {
			edge := step << shift >> 3
			for d := int64(-65); d <= 65; d += 13 {
				if n := edge + d; n <= maxBytes {
					sizes = append(sizes, n)
				}
			}
		}
	}
	return append(sizes, maxBytes)
}

func TestSizeClassWastesAtMostAnEighth(t *testing.T) {
	for _, n := range sizesUnderTest() {
		class, capacity := sizeClass(n)
		if class < 0 || class >= classes {
			t.Fatalf("size %d: class %d is outside 0..%d", n, class, classes-1)
		}
		if capacity < n || capacity%granule != 0 || capacity == 0 {
			t.Fatalf("size %d: capacity %d", n, capacity)
		}
		waste := capacity - n
		if n > 512 && waste > n/8 || n <= 512 && n > 0 && waste >= granule {
			t.Errorf("size %d: capacity %d wastes %d", n, capacity, waste)
		}
	}
}

func TestSizeClassHasOneCapacity(t *testing.T) {
	capacities := map[int]int64{}
	for _, n := range sizesUnderTest() {
		class, capacity := sizeClass(n)
		if c, seen := capacities[class]; seen && c != capacity {
			t.Fatalf("class %d has capacities %d and %d", class, c, capacity)
		}
		capacities[class] = capacity
		if again, c := sizeClass(capacity); again != class || c != capacity {
			t.Fatalf("class %d of %d bytes: its capacity %d is in class %d of %d", class, n, capacity, again, c)
		}
		if above, c := sizeClass(capacity + 1); capacity < maxBytes && (above != class+1 || c <= capacity) {
			t.Fatalf("after class %d of %d bytes comes class %d of %d", class, capacity, above, c)
		}
	}
	if len(capacities) != classes {
		t.Errorf("%d classes are used, want %d", len(capacities), classes)
	}
}
