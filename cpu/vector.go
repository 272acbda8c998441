package cpu

import (
	"os"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// vectorLoops are the loops in assembly of a row at one signature, which give
// the same bits as the Go loops they replace. ls and rs are nil where the row
// has none.
type vectorLoops struct {
	op           kernels.Op
	from, to     dtype.DType // as in mapTable
	flat, ls, rs mapLoop
}

// vectorSet is an instruction set with loops.
type vectorSet struct {
	name    string
	usable  bool          // the processor and the operating system have it
	loops   []vectorLoops // none: all but past is that of the set before
	halves  []vectorLoops
	past    streamer // none: that of the set before
	moves   moveLoops
	reduces []vectorReduces
}

// noVectors is the name of no instruction set: Go loops only.
const noVectors = "noasm"

// goLoops are the Go loops that assembly replaced.
var goLoops = map[*mapLoops]mapLoops{}

// vectorCosts are the costs of the loops in assembly that are in use.
var vectorCosts = map[*mapLoops]int{}

// pastLoops are the loops that store past the cache themselves, by those that
// do not: whole cache lines, of which the first begins where the result does.
var pastLoops = map[*mapLoops]*vectorLoops{}

func init() { useVectors(os.Getenv("STRIDE0_CPU")) }

// useVectors installs the loops of all instruction sets of this machine, and of
// those after name only if that is not one of them (noVectors: none). Programs
// that are compiled already take the new loops too. Only at start and in tests:
// nothing may run meanwhile.
func useVectors(name string) {
	for l, was := range goLoops {
		*l = was
	}
	past = streamer{}
	clear(halfLoops[:])
	moves = moveLoops{}
	restoreReduces()
	clear(vectorCosts)
	clear(pastLoops)
	if name == noVectors {
		return
	}
	for _, set := range vectorSets {
		if set.usable {
			set.install()
		}
		if set.name == name {
			return
		}
	}
}

// vectorCost is what an element costs, in eighths of an addition in Go, in the
// form in assembly of a Go loop: there a vector holds 32 bytes of elements and
// four operations are in flight. No loop costs less than a quarter, since it
// waits for the cache.
func (l *mapLoops) vectorCost(d dtype.DType) int {
	return max(addition/4, addition*l.cost*d.Size()/(4*vectorBytes))
}

func (s *vectorSet) install() {
	if s.past.copy != nil {
		past = s.past
	}
	for i := range s.halves {
		v := &s.halves[i]
		halfLoops[v.op][halfKind(v.to)] = v
	}
	for i := range s.past.loops {
		v := &s.past.loops[i]
		pastLoops[mapTable[v.op][v.from][v.to]] = v
	}
	if s.loops == nil {
		return
	}
	moves = s.moves
	s.installReduces()
	for _, v := range s.loops {
		l := mapTable[v.op][v.from][v.to]
		if _, saved := goLoops[l]; !saved {
			goLoops[l] = *l
		}
		l.flat, vectorCosts[l] = v.flat, l.vectorCost(v.to)
		if l.ls != nil {
			l.ls, l.rs = v.ls, v.rs
		}
	}
}
