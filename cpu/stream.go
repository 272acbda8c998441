package cpu

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// Results that do not fit into the last-level cache beside the operands are
// written past it: a store into the cache first reads the line that it then
// overwrites, a third of the traffic of an addition. There are two ways. A block
// is computed in the first-level cache and then copied, by one routine for all
// rows: reads and writes of memory come in bursts, which on processors before
// AVX-512 is faster than a loop that alternates between them (2^25 additions of
// float32 on a 2-core Zen 3: 32 ms through the cache, 25 with such stores in the
// loop, 20 by blocks). Or the loop stores past the cache itself, which is faster
// on those with AVX-512 (the same on one core of a 2-core Zen 5: 12 ms with such
// stores in the loop, 19 by blocks).

// streamer is how an instruction set writes past the cache.
type streamer struct {
	copy  mapLoop       // n bytes from p[1] to p[0], which share none
	fence mapLoop       // what was written past the cache comes before what is written from here on
	loops []vectorLoops // that store past it themselves, faster than copy
}

// past is the streamer in use; without its loops everything is written through
// the cache.
var past streamer

// streamBytes is how much a launch has to read and write for its result to be
// written past the cache: then the operands of a following operation could not
// be found there anyway. Below, such stores cost up to 3 times as much.
var streamBytes = sync.OnceValue(func() int64 {
	return streamLimit(lastCache("/sys/devices/system/cpu/cpu0/cache"), runtime.GOMAXPROCS(0))
})

// cacheShare is how much of the last-level cache a processor may count on: the
// most that any has of its own in common hardware. A virtual machine is told the
// whole cache of a host whose other processors fill it as well.
const cacheShare = 32 << 20

// streamLimit returns streamBytes on processors that share a last-level cache.
func streamLimit(cache int64, processors int) int64 {
	return min(cache, cacheShare*int64(processors)) / 4 * 3
}

// defaultCache is what is taken for the size of a last-level cache that the
// system does not tell.
const defaultCache = 32 << 20

// lastCache returns the bytes of the largest cache of a processor, as Linux
// describes them in folders index0, index1, ... with files such as size: 32768K.
func lastCache(folder string) int64 {
	most := int64(0)
	paths, _ := filepath.Glob(filepath.Join(folder, "index*", "size")) // the pattern is well formed
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		digits, kilo := strings.CutSuffix(strings.TrimSpace(string(text)), "K")
		if n, err := strconv.ParseInt(digits, 10, 32); err == nil {
			if kilo {
				n <<= 10
			}
			most = max(most, n)
		}
	}
	if most == 0 {
		return defaultCache
	}
	return most
}

// streams reports whether the outputs are to be written past the cache: the
// launch is too large for it, and no output is an input too, whose lines are
// read in any case.
func (j *job) streams() bool {
	if past.copy == nil || j.moved() <= streamBytes() {
		return false
	}
	for _, out := range j.operands[j.inputs:] {
		for _, in := range j.operands[:j.inputs] {
			if in.base == out.base {
				return false
			}
		}
	}
	return true
}

// lastPast returns the loops that store what the last step computes past the
// cache, without any if it has none or there are several outputs.
func (j *job) lastPast() *vectorLoops {
	if full := j.program.full; len(full) > 0 && len(j.prog.Outputs) == 1 {
		last := &full[len(full)-1]
		if v := pastLoops[last.loops]; v != nil {
			return v
		}
	}
	return &noLoops
}

var noLoops vectorLoops

// moved returns the bytes that the launch reads and writes, every element of
// an operand once.
func (j *job) moved() (bytes int64) {
	for i := range j.operands {
		o := &j.operands[i]
		n := int64(o.elem)
		for k, size := range j.sizes {
			if o.strides[k] != 0 {
				n *= int64(size)
			}
		}
		bytes += n
	}
	return bytes
}

// endStream orders what was written past the cache before what the worker does next.
func (w *worker) endStream() {
	if w.j.streaming {
		past.fence(0, &w.args)
	}
}

// streamOut copies n bytes from src to dst past the cache.
func (w *worker) streamOut(dst, src unsafe.Pointer, n int) {
	w.states[0], w.states[1] = dst, src
	past.copy(n, (*[4]unsafe.Pointer)(w.states[:4]))
}

// writePast has a loop write n elements of size bytes, and another the whole
// cache lines of them past the cache. far is how many bytes there are from an
// element of each argument to the next.
func (w *worker) writePast(loop, past mapLoop, n, size int, far *[3]int) {
	if (uintptr(w.args[0])|uintptr(n*size))%alignment == 0 {
		past(n, &w.args)
		return
	}
	args, head := w.args, n
	if skip := int(-uintptr(args[0]) % alignment); skip%size == 0 { // else no line begins with an element
		head = min(n, skip/size)
	}
	lines := (n - head) &^ (alignment/size - 1)
	done := 0
	for k, m := range [...]int{head, lines, n - head - lines} {
		if m == 0 {
			continue
		}
		w.args[0] = unsafe.Add(args[0], done*size)
		for i := range far {
			w.args[i+1] = unsafe.Add(args[i+1], done*far[i])
		}
		if k == 1 {
			past(m, &w.args)
		} else {
			loop(m, &w.args)
		}
		done += m
	}
	w.args = args // some are set once for all boxes
}
