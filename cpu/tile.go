package cpu

import "unsafe"

// tiling cuts a launch into tiles, for operands whose elements are far apart
// along the rows of the cut but close along an axis outside them, such as a
// transposed matrix: a cache line of such an operand holds elements of many
// rows. These operands are brought together for a tile of rows at once, then
// the Program runs on one row after another.
type tiling struct {
	axis  int   // along which rows are stacked to tiles; -1 when the launch is not tiled
	high  int   // rows of a tile
	parts int   // tiles along the axis
	bytes int   // of what is brought together
	pitch []int // per operand: bytes between its rows where it is brought together, else 0
}

const (
	// farBytes is from which distance on neighbours count as far apart.
	farBytes = 32
	// tileLines is how many cache lines high a tile is, counted in the narrowest
	// operand that is brought together.
	tileLines = 4
	// tileBytes bounds what is brought together, which stays in the
	// second-level cache.
	tileBytes = 288 << 10
)

// cutTiles cuts the axes into boxes that fit into slots, and stacks them to
// tiles if that is worth it, which it reports.
func (j *job) cutTiles() bool {
	j.cut = j.cutKept(min(j.evenPart(), blockLen), shortAxis)
	t := &j.tile
	if t.axis = j.tileAxis(); t.axis < 0 {
		return false
	}
	narrowest, each := 8, 0
	for i := range j.inputs {
		if j.brought(i) {
			elem := j.operands[i].elem
			narrowest, each = min(narrowest, elem), each+elem
		}
	}
	size := j.sizes[t.axis]
	t.high = min(size, tileLines*cacheLine/narrowest)
	t.parts = (size + t.high - 1) / t.high
	j.cut = j.cutKept(min(blockLen, tileBytes/(t.high*each)), shortAxis)
	j.evenOut(cacheLine / narrowest)
	j.cut.boxes = j.cut.boxes / size * t.parts
	t.bytes, t.pitch = 0, t.pitch[:0]
	for i := range j.inputs {
		t.pitch = append(t.pitch, 0)
		if j.brought(i) { // an odd number of lines, so that the cache finds a place for each row
			row := j.cut.step * j.cut.inner * j.operands[i].elem
			t.pitch[i] = row/(2*cacheLine)*(2*cacheLine) + 3*cacheLine
			t.bytes += t.high * t.pitch[i]
		}
	}
	return true
}

// evenOut makes the pieces of the cut axis about equally long, multiples of
// some number of elements, so that no short piece costs as much as a long one.
func (j *job) evenOut(multiple int) {
	c := &j.cut
	size, parts := j.sizes[c.axis], c.parts
	c.step = min(c.step, ((size+parts-1)/parts+multiple-1)/multiple*multiple)
	c.parts = (size + c.step - 1) / c.step
	c.boxes = c.boxes / parts * c.parts
}

// tileAxis returns the axis outside the rows along which the first input that
// is far apart along them is closest, -1 if there is none.
func (j *job) tileAxis() int {
	for i := range j.inputs {
		axis, closest := -1, j.closest(i)
		if closest*j.operands[i].elem < farBytes {
			continue
		}
		for k := range j.cut.axis {
			if s := distance(j.operands[i].strides[k]); s > 0 && s < closest {
				axis, closest = k, s
			}
		}
		if axis >= 0 {
			return axis
		}
	}
	return -1
}

// brought reports whether input i is brought together for tiles: it is closer
// along their axis than along the rows, where it is far apart.
func (j *job) brought(i int) bool {
	closest := j.closest(i)
	s := distance(j.operands[i].strides[j.tile.axis])
	return closest*j.operands[i].elem >= farBytes && s > 0 && s < closest
}

// closest returns how far apart the elements of an operand are along the axis
// of the cut's rows where they are closest, 0 if it does not move.
func (j *job) closest(i int) int {
	least := 0
	for k := j.cut.axis; k < j.kept; k++ {
		if s := distance(j.operands[i].strides[k]); s > 0 && (least == 0 || s < least) {
			least = s
		}
	}
	return least
}

func distance(stride int) int { return max(stride, -stride) }

// mapTiles works on the tiles lo..hi-1.
func (w *worker) mapTiles(lo, hi int) {
	axis := w.j.tile.axis
	for i := lo; i < hi; i++ {
		rows := w.seekTile(i)
		b := w.current()
		w.bring(&b, rows)
		for r := range rows {
			if r > 0 {
				w.shift(axis, 1)
				w.nextRow()
			}
			w.aim(&b)
			w.eval(w.j.program.full, &b)
			w.store(&b)
		}
	}
	w.tiles = w.tiles[:0]
	w.endStream()
}

// seekTile moves the worker to the first row of tile i, whose number of rows it
// returns.
func (w *worker) seekTile(i int) int {
	j, c, t := w.j, &w.j.cut, &w.j.tile
	clear(w.at)
	w.at[t.axis] = i % t.parts * t.high
	i /= t.parts
	w.at[c.axis] = i % c.parts * c.step
	i /= c.parts
	for k := c.axis - 1; k >= 0; k-- {
		if k != t.axis {
			w.at[k] = i % j.sizes[k]
			i /= j.sizes[k]
		}
	}
	w.locate()
	return min(t.high, j.sizes[t.axis]-w.at[t.axis])
}

// bring makes the rows of a tile contiguous of each operand where they are not.
func (w *worker) bring(b *box, rows int) {
	used := (w.j.program.slots + extraSlots) * slotBytes
	w.tiles = w.tiles[:0]
	for i, pitch := range w.j.tile.pitch {
		if pitch == 0 {
			w.tiles = append(w.tiles, nil)
			continue
		}
		o, dst := &w.j.operands[i], unsafe.Pointer(&w.mem[used])
		used += w.j.tile.high * pitch
		w.tiles = append(w.tiles, dst)
		w.move.reset()
		w.move.add(rows, pitch/o.elem, o.strides[w.j.tile.axis])
		w.addBox(b, o.strides)
		w.move.run(o.elem, dst, unsafe.Add(o.base, w.off[i]*o.elem))
	}
}

// nextRow moves to the next row of what was brought together.
func (w *worker) nextRow() {
	for i, pitch := range w.j.tile.pitch {
		if pitch > 0 {
			w.tiles[i] = unsafe.Add(w.tiles[i], pitch)
		}
	}
}

// tiled returns the row of an operand that was brought together, or nil.
func (w *worker) tiled(operand int) unsafe.Pointer {
	if operand < len(w.tiles) {
		return w.tiles[operand]
	}
	return nil
}
