package tensor_test

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// player turns bytes into calls of package tensor and compares what comes back
// with the model. Any bytes are a script; where they end it ends.
type player struct {
	bytes  []byte
	dev    device.Device // what the calls are for; the CPU beside it
	host   device.Device
	matmul bool // dev multiplies matrices
	pool   []*twin
	scopes []*scopeTwin
	made   int
	calls  int
	counts map[string]int // by method and function
	dtypes map[dtype.DType]int
	ops    map[kernels.Op]int
	log    []string
	loud   bool // log the calls, and compare everything after each
}

// fault is what a player panics with when library and model differ.
type fault string

const (
	poolSize   = 10
	maxCells   = 4096 // of a view; larger ones are not taken
	longScript = 160  // calls after which a script ends, whatever is left of it
)

// play runs a script. When something is wrong it runs it again, logging the
// calls and comparing everything after each, and says what they were.
func play(bytes []byte, dev device.Device, totals *player) error {
	p := newPlayer(bytes, dev, totals)
	msg := p.run()
	totals.calls += p.calls
	if msg == "" {
		return nil
	}
	loud := newPlayer(bytes, dev, totals)
	loud.loud = true
	if again := loud.run(); again != "" {
		msg = again
	}
	return fmt.Errorf("%s\nscript %x\n%s", msg, bytes, strings.Join(loud.log, "\n"))
}

// newTotals returns a player that only counts.
func newTotals() *player {
	return &player{counts: map[string]int{}, dtypes: map[dtype.DType]int{}, ops: map[kernels.Op]int{}}
}

func newPlayer(bytes []byte, dev device.Device, totals *player) *player {
	_, muler := dev.(device.MatMuler)
	host := tensor.Zeros(dtype.Bool).Device()
	return &player{bytes: bytes, dev: dev, host: host, matmul: muler, counts: totals.counts, dtypes: totals.dtypes, ops: totals.ops}
}

// run plays to the end and returns what is wrong, if anything is.
func (p *player) run() (msg string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case fault:
			msg = string(r)
		default:
			msg = fmt.Sprintf("panic: %v\n%s", r, debug.Stack())
		}
		for _, t := range p.pool {
			if !t.dead && t.store != nil {
				_ = t.real.Free()
			}
		}
	}()
	p.new(p.dtype(), p.shape())
	p.create()
	for len(p.bytes) > 0 && p.calls < longScript {
		p.step()
		if p.loud {
			p.checkAll()
		}
	}
	p.checkAll()
	return ""
}

// step makes one call, or a few that belong together.
func (p *player) step() {
	switch p.next(24) {
	case 0, 1:
		p.create()
	case 2, 3, 4, 5:
		p.takeView()
	case 6, 7, 8, 9, 10, 11:
		p.callMethod()
	case 12, 13, 14:
		p.callInto()
	case 15, 16:
		p.writeOver()
	case 17:
		p.live()
	case 18, 19:
		p.more()
	case 20, 21, 22:
		p.ability()
	case 23:
		p.entangle()
	}
}

// next reads a choice of n from the script; at its end the first.
func (p *player) next(n int) int {
	if len(p.bytes) == 0 || n <= 0 {
		return 0
	}
	v := int(p.bytes[0]) % n
	p.bytes = p.bytes[1:]
	return v
}

// rarely is true once in n.
func (p *player) rarely(n int) bool { return p.next(n) == n-1 }

// random returns a source of elements that a byte of the script decides.
func (p *player) random() *rand.Rand {
	return rand.New(rand.NewPCG(uint64(p.next(256)), uint64(len(p.bytes))))
}

func (p *player) faultf(format string, args ...any) { panic(fault(fmt.Sprintf(format, args...))) }

// note counts a call and, when loud, logs it.
func (p *player) note(name string, args ...any) {
	p.calls++
	p.counts[name]++
	if p.loud {
		words := make([]string, len(args))
		for i, a := range args {
			if words[i] = fmt.Sprint(a); words[i] == "" {
				words[i] = `""`
			}
		}
		p.log = append(p.log, fmt.Sprintf("%s(%s)", name, strings.Join(words, ", ")))
	}
}

// String describes a twin in the log.
func (t *twin) String() string {
	switch {
	case t == nil:
		return "none"
	case t.dead:
		return fmt.Sprintf("#%d(dead)", t.name)
	case t.store == nil:
		return fmt.Sprintf("Scalar(%v)", t.weak)
	}
	return fmt.Sprintf("#%d%v%v", t.name, t.sizes, t.store.dtype)
}

// result compares what a call returned with what it should, and takes it into
// the pool, where its elements are compared later.
func (p *player) result(got *tensor.Tensor, want *twin) *twin {
	if want.real = got; want.dead {
		if msg := want.checkError(got.Err()); msg != "" {
			p.faultf("%s", msg)
		}
	} else if err := got.Err(); err != nil {
		p.faultf("failed: %v, want %v", err, want)
	}
	p.checkFacts(want)
	for _, t := range p.pool {
		if t.real == got {
			return t
		}
	}
	want.name = p.made
	p.made++
	if p.loud {
		p.log = append(p.log, fmt.Sprintf("    is %v", want))
	}
	if s := want.scope; s != nil && (want.dead || s.closed) {
		want.scope = nil
	}
	if len(p.pool) == poolSize {
		i := p.next(poolSize)
		p.check(p.pool[i])
		p.pool = slices.Delete(p.pool, i, i+1)
	}
	p.pool = append(p.pool, want)
	p.dtypes[want.dtype()]++
	return want
}

// checkFacts compares what can be had without reading elements.
func (p *player) checkFacts(t *twin) {
	x := t.real
	if !slices.Equal(x.Shape(), t.sizes) || x.Rank() != len(t.sizes) || x.DType() != t.dtype() {
		p.faultf("is %v %v, want %v", x.Shape(), x.DType(), t)
	}
	size := 0
	if !t.dead {
		size = shapeSize(t.sizes)
	}
	if x.Size() != size {
		p.faultf("%v has Size %d, want %d", t, x.Size(), size)
	}
	for i := range t.sizes {
		if x.Dim(i) != t.sizes[i] || x.Dim(i-len(t.sizes)) != t.sizes[i] {
			p.faultf("%v has Dim(%d) = %d, %d", t, i, x.Dim(i), x.Dim(i-len(t.sizes)))
		}
	}
	if x.IsContiguous() != (!t.dead && t.contiguous()) {
		p.faultf("%v has IsContiguous %v", t, x.IsContiguous())
	}
	var dev device.Device
	switch {
	case t.store != nil:
		dev = t.store.dev
	case !t.dead:
		dev = p.host
	}
	if t.dead && x.Device() != nil || !t.dead && x.Device() != dev {
		p.faultf("%v is on %v", t, x.Device())
	}
}

// checkAll reads every tensor there is.
func (p *player) checkAll() {
	for _, t := range p.pool {
		p.check(t)
	}
}

// check reads the elements of a tensor.
func (p *player) check(t *twin) {
	if t.dead || t.store == nil {
		return
	}
	got, err := readBits(t.real, t.store.dtype)
	if err != nil {
		p.faultf("%v cannot be read: %v", t, err)
	}
	p.compare(t, got)
}

// readNaNs has the twins of operands know which NaNs these hold, if op tells
// one NaN from another: any will do as a result, so each may have any bits.
func (p *player) readNaNs(op kernels.Op, in ...*twin) {
	switch op {
	case kernels.BitCast, kernels.Signbit, kernels.Copysign:
		for _, t := range in {
			p.check(t)
		}
	}
}

func (p *player) compare(t *twin, got []uint64) {
	want := t.bits()
	if len(got) != len(want) {
		p.faultf("%v has %d elements", t, len(got))
	}
	d := t.store.dtype
	for i := range got {
		if got[i] == want[i] {
			continue
		}
		if isNaNBits(d, got[i]) && isNaNBits(d, want[i]) {
			t.store.cells[t.at[i]] = got[i]
		} else {
			p.faultf("element %d of %v is %#x, want %#x (%v, want %v)", i, t, got[i], want[i], numberOfBits(d, got[i]), numberOfBits(d, want[i]))
		}
	}
}

// failure checks the error of a call that only returns one.
func (p *player) failure(err error, want *twin) bool {
	if !want.dead {
		if err != nil {
			p.faultf("failed: %v", err)
		}
		return false
	}
	if msg := want.checkError(err); msg != "" {
		p.faultf("%s", msg)
	}
	return true
}
