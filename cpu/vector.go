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
	usable  bool // the processor and the operating system have it
	loops   []vectorLoops
	halves  []vectorLoops
	past    streamer // none: that of the set before
	moves   moveLoops
	reduces []vectorReduces
}

// noVectors is the name of no instruction set: Go loops only.
const noVectors = "noasm"

// goLoops are the Go loops that assembly replaced.
var goLoops = map[*mapLoops]mapLoops{}

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

// vectorCost is what remains of the cost of a Go loop in assembly, where a
// vector holds 32 bytes of elements and four operations are in flight; no loop
// costs less than an addition, which waits for memory. Measured at 4,096
// elements of float32 against an addition in Go: exp 0.9, tanh 1, sigmoid 2.2.
func (l mapLoops) vectorCost(d dtype.DType) int { return max(1, l.cost*d.Size()/(4*vectorBytes)) }

func (s *vectorSet) install() {
	if s.past.copy != nil {
		past = s.past
	}
	for i := range s.halves {
		v := &s.halves[i]
		halfLoops[v.op][halfKind(v.to)] = v
	}
	moves = s.moves
	s.installReduces()
	for _, v := range s.loops {
		l := mapTable[v.op][v.from][v.to]
		if _, saved := goLoops[l]; !saved {
			goLoops[l] = *l
		}
		l.flat, l.cost = v.flat, goLoops[l].vectorCost(v.to)
		if l.ls != nil {
			l.ls, l.rs = v.ls, v.rs
		}
	}
}
