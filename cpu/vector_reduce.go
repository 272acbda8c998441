package cpu

import (
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// vectorReduces are the loops in assembly of a reduction of elements of a type
// to results of that type, which give the same bits as the Go loops they replace.
type vectorReduces struct {
	op                 kernels.Op
	elem               dtype.DType
	block, lead, lead4 reduceLoop
}

// goReduces are the loops of reductions as they are in Go.
var goReduces = map[*reduceLoops]reduceLoops{}

// restoreReduces puts the Go loops back.
func restoreReduces() {
	for l, was := range goReduces {
		*l = was
	}
}

// installReduces puts the loops of s in the place of those in Go.
func (s *vectorSet) installReduces() {
	for _, v := range s.reduces {
		l := reduceTable[v.op][v.elem][v.elem]
		if _, saved := goReduces[l]; !saved {
			goReduces[l] = *l
		}
		was := goReduces[l]
		l.block, l.lead, l.lead4 = v.block, v.lead, v.lead4
		l.cost = max(1, was.cost*v.elem.Size()/(4*vectorBytes))
	}
}

// vectorBytes is how many bytes of elements a vector of AVX2 holds.
const vectorBytes = 32
