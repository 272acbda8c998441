package main

import (
	"errors"

	"github.com/mmcloughlin/avo/reg"
)

// vectorRegisters are those that AVX2 has: Y16 and above exist with AVX-512
// only, where avo would hand them out as well.
var vectorRegisters = [...]reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
	reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}

// errPressure says that more values are alive than there are registers.
var errPressure = errors.New("out of vector registers")

// regs hands out vector registers. Nothing is spilled: a loop that does not
// fit is made again with fewer lanes at once.
type regs struct{ used [len(vectorRegisters)]bool }

// take returns a free register; it panics with errPressure if there is none.
func (r *regs) take() reg.VecPhysical {
	for i, used := range r.used {
		if !used {
			r.used[i] = true
			return vectorRegisters[i]
		}
	}
	panic(errPressure)
}

func (r *regs) give(v reg.VecPhysical) {
	for i, w := range vectorRegisters {
		if w == v {
			r.used[i] = false
		}
	}
}
