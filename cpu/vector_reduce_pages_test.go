//go:build linux

package cpu

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestReduceLoopsStayInsideTheirPages: what lies behind an operand may not even
// be read.
func TestReduceLoopsStayInsideTheirPages(t *testing.T) {
	state, rows := newPageEnd(t), [4]pageEnd{newPageEnd(t), newPageEnd(t), newPageEnd(t), newPageEnd(t)}
	eachReduce(t, func(_ *testing.T, v *vectorReduces, _ *reduceLoops) {
		r := rand.New(rand.NewPCG(uint64(v.op), 3))
		for n := range 100 {
			p := [6]unsafe.Pointer{0: state.last(v.elem, 1, nil)}
			for k := range rows {
				p[2+k] = rows[k].last(v.elem, n, r)
			}
			v.block(n, 0, &p)
			p[0] = state.last(v.elem, n, r)
			v.lead(n, 0, &p)
			v.lead4(n, 0, &p)
		}
	})
}
