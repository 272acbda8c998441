package cpu

// loops multiply rows of elements.
type loops[T cell] struct {
	// addRows adds a[0]·b0[j] + a[1]·b1[j] + a[2]·b2[j] + a[3]·b3[j] to each
	// c[j]; the b are as long as c. Sums must be exact in any order. Not needed
	// where B is stored transposed.
	addRows func(c []T, a [4]T, b0, b1, b2, b3 []T)
	// dot returns the sum of a[k]·b[k]; b is as long as a.
	dot func(a, b []T) T
}

type integer interface {
	uint8 | uint16 | uint32 | uint64
}

// integerLoops wrap.
func integerLoops[T integer]() loops[T] {
	return loops[T]{
		addRows: func(c []T, a [4]T, b0, b1, b2, b3 []T) {
			b0, b1, b2, b3 = b0[:len(c)], b1[:len(c)], b2[:len(c)], b3[:len(c)]
			for j := range c {
				c[j] += a[0]*b0[j] + a[1]*b1[j] + a[2]*b2[j] + a[3]*b3[j]
			}
		},
		dot: func(a, b []T) (sum T) {
			b = b[:len(a)]
			var s0, s1, s2, s3 T
			k := 0
			for ; k+4 <= len(a); k += 4 {
				x, y := a[k:k+4:k+4], b[k:k+4:k+4]
				s0 += x[0] * y[0]
				s1 += x[1] * y[1]
				s2 += x[2] * y[2]
				s3 += x[3] * y[3]
			}
			for ; k < len(a); k++ {
				s0 += a[k] * b[k]
			}
			return s0 + s1 + s2 + s3
		},
	}
}

// shortDot adds up the products of short rows of floats, whose number is what
// takes the time. The conversion keeps product and sum two roundings.
func shortDot[T float](a, b []T) (sum T) {
	b = b[:len(a)]
	for k := range a {
		sum += T(a[k] * b[k])
	}
	return sum
}

// boolLoops take "or" for the sum and "and" for the product; true is 1.
var boolLoops = loops[uint8]{
	addRows: func(c []uint8, a [4]uint8, b0, b1, b2, b3 []uint8) {
		b0, b1, b2, b3 = b0[:len(c)], b1[:len(c)], b2[:len(c)], b3[:len(c)]
		for j := range c {
			c[j] |= a[0]&b0[j] | a[1]&b1[j] | a[2]&b2[j] | a[3]&b3[j]
		}
	},
	dot: func(a, b []uint8) uint8 {
		b = b[:len(a)]
		for k := range a {
			if a[k]&b[k] != 0 {
				return 1
			}
		}
		return 0
	},
}

// The tile of a result that one goroutine computes at once: four rows of B
// and the rows of C stay in the caches.
const (
	tileRows    = 16
	tileColumns = 1024
)

// tiled is a product computed tile by tile.
type tiled[T cell] struct {
	*product[T]
	loops[T]
	down, across int // tiles of one result
}

// withLoop multiplies the matrices of all batches with loops, on all
// processors.
func withLoop[T cell](l loops[T]) func(p *product[T], count int) {
	return func(p *product[T], count int) {
		t := &tiled[T]{p, l, (p.M + tileRows - 1) / tileRows, (p.N + tileColumns - 1) / tileColumns}
		cost := addition * int64(min(p.M, tileRows)) * int64(min(p.N, tileColumns)) * int64(p.K)
		shareRuns(count*t.down*t.across, cost, t.tiles)
	}
}

// tiles computes the tiles lo..hi-1, numbered over batch, rows and columns.
func (t *tiled[T]) tiles(lo, hi int) {
	s := scratches.Get().(*scratch)
	defer s.done()
	for i := lo; i < hi; i++ {
		matrix, down, across := i/(t.down*t.across), i/t.across%t.down, i%t.across
		r, c := down*tileRows, across*tileColumns
		t.tile(s, matrix, r, min(r+tileRows, t.M), c, min(c+tileColumns, t.N))
	}
}

// tile computes rows r..rows-1 and columns c..cols-1 of a result.
func (t *tiled[T]) tile(s *scratch, matrix, r, rows, c, cols int) {
	a, b := t.a.at(t.Batch, matrix), t.b.at(t.Batch, matrix)
	out := t.c.at(t.Batch, matrix)
	if t.TransB {
		for i := r; i < rows; i++ {
			row := t.rowOfA(s, a, i)
			for j := c; j < cols; j++ {
				t.c.all[out+i*t.c.ld+j] = t.dot(row, t.b.all[b+j*t.b.ld:][:t.K])
			}
		}
		return
	}
	for i := r; i < rows; i++ {
		clear(t.c.all[out+i*t.c.ld+c : out+i*t.c.ld+cols])
	}
	step, down := t.stepsOfA()
	for k := 0; k < t.K; k += 4 {
		var b4 [4][]T
		n := min(4, t.K-k)
		for l := range 4 {
			at := b + (k+min(l, n-1))*t.b.ld // of a row that is not there the factor is 0
			b4[l] = t.b.all[at+c : at+cols]
		}
		for i := r; i < rows; i++ {
			var a4 [4]T
			for l := range n {
				a4[l] = t.a.all[a+i*down+(k+l)*step]
			}
			t.addRows(t.c.all[out+i*t.c.ld+c:out+i*t.c.ld+cols], a4, b4[0], b4[1], b4[2], b4[3])
		}
	}
}

// stepsOfA returns the distance of neighbours in a row of A, and that of its
// rows.
func (t *tiled[T]) stepsOfA() (step, down int) {
	if t.TransA {
		return t.a.ld, 1
	}
	return 1, t.a.ld
}

// rowOfA returns row i of the matrix at a, a copy where it is not contiguous.
func (t *tiled[T]) rowOfA(s *scratch, a, i int) []T {
	step, down := t.stepsOfA()
	if step == 1 {
		return t.a.all[a+i*down:][:t.K]
	}
	row := room[T](&s.left, t.K)
	for k := range t.K {
		row[k] = t.a.all[a+i*down+k*step]
	}
	return row[:t.K]
}
