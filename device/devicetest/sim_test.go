package devicetest

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// sim is a small, slow, correct device on Go memory that interprets Programs
// over Plans, and into which a test plants one bug at a time.
type sim struct {
	device.Base
	bug string

	mu      sync.Mutex
	live    int
	limit   int   // of pieces; 0: none
	most    int64 // bytes in a buffer; 0: those of simMemory
	bodies  map[simBody]kernels.Body
	pending func() // what a bug postponed
	spare   []byte // what a bug hands out twice
}

func newSim(bug string) *sim { return &sim{bug: bug, bodies: map[simBody]kernels.Body{}} }

func (d *sim) has(bug string) bool { return d.bug == bug }

type simBuffer struct {
	dev   *sim
	data  []byte
	freed bool
	drop  runtime.Cleanup
}

func (b *simBuffer) Device() device.Device { return b.dev }
func (b *simBuffer) Size() int64           { return int64(len(b.data)) }
func (b *simBuffer) Free() {
	b.dev.mu.Lock()
	defer b.dev.mu.Unlock()
	if !b.freed || b.dev.has("a second Free frees again") {
		b.dev.spare = b.data
	}
	if !b.freed {
		b.dev.live--
		b.drop.Stop()
	}
	b.freed = true
}

func (d *sim) Info() device.Info {
	if d.has("no name") {
		return device.Info{}
	}
	return device.Info{Name: "sim", Kind: device.OtherKind, Float64: true}
}

// simMemory is what a sim has without a limit.
const simMemory = 1 << 40

func (d *sim) bound() int64 {
	if d.most == 0 {
		return simMemory
	}
	return d.most
}

func (d *sim) PoolStats() device.PoolStats {
	d.mu.Lock()
	defer d.mu.Unlock()
	return device.PoolStats{Limit: d.bound()}
}

func (d *sim) SetLimit(bytes int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if bytes > 0 && d.has("ignores its limit") || bytes == 0 && d.has("forgets its first limit") {
		return nil
	}
	d.most = bytes
	return nil
}

func (d *sim) Alloc(bytes int64) (device.Buffer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if bytes < 0 && !d.has("accepts negative sizes") {
		return nil, errors.New("negative size")
	}
	if bytes > d.bound() {
		if d.has("out of memory without a type") {
			return nil, errors.New("no memory")
		}
		return nil, &device.OutOfMemoryError{Device: "sim", Need: bytes, Limit: d.bound()}
	}
	b := &simBuffer{dev: d, data: make([]byte, max(bytes, 0))}
	if d.has("a second Free frees again") && int64(len(d.spare)) == bytes {
		b.data, d.spare = d.spare, nil
	}
	if d.has("buffers overlap") && bytes <= 16 {
		if len(d.spare) != 16 {
			d.spare = make([]byte, 16)
		}
		b.data = d.spare[:bytes:bytes]
	}
	d.live++
	b.drop = runtime.AddCleanup(b, (*sim).collected, d)
	return b, nil
}

func (d *sim) collected() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.live--
}

func (d *sim) own(b device.Buffer) (*simBuffer, error) {
	own, ok := b.(*simBuffer)
	if l, lag := b.(*lagBuffer); lag && d.has("takes foreign buffers") {
		own, ok = l.mem.(*simBuffer)
	}
	if !ok {
		return nil, errors.New("a foreign buffer")
	}
	if own.freed && !d.has("use after free") {
		return nil, device.ErrFreed
	}
	return own, nil
}

// bytes returns n bytes of a buffer.
func (d *sim) bytes(b device.Buffer, off, n int64) ([]byte, error) {
	own, err := d.own(b)
	if err != nil {
		return nil, err
	}
	if off < 0 || n < 0 || off > own.Size()-n {
		if d.has("clamps ranges") {
			return make([]byte, max(n, 0)), nil
		}
		return nil, errors.New("out of range")
	}
	return own.data[off : off+n], nil
}

// settle does what a bug postponed.
func (d *sim) settle() {
	if d.pending != nil {
		d.pending()
		d.pending = nil
	}
}

func (d *sim) Write(dst device.Buffer, off int64, src []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	to, err := d.bytes(dst, off, int64(len(src)))
	switch {
	case err != nil:
		return err
	case d.has("keeps the slice of a Write"):
		d.settle()
		d.pending = func() { copy(to, src) }
		return nil
	case d.has("a Write ignores its offset"):
		to = dst.(*simBuffer).data
	case !d.has("a Write overtakes a launch"):
		d.settle()
	}
	copy(to, src)
	return nil
}

func (d *sim) Read(dst []byte, src device.Buffer, off int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	from, err := d.bytes(src, off, int64(len(dst)))
	if err != nil {
		return err
	}
	if !d.has("a Read does not wait") {
		d.settle()
	}
	copy(dst, from)
	return nil
}

func (d *sim) Copy(dst device.Buffer, doff int64, src device.Buffer, soff, n int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	to, err := d.bytes(dst, doff, n)
	if err != nil {
		return err
	}
	from, err := d.bytes(src, soff, n)
	if err != nil {
		return err
	}
	d.settle()
	if d.has("a Copy goes the wrong way") {
		to, from = from, to
	}
	copy(to, from)
	return nil
}

func (d *sim) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settle()
	return nil
}

func (d *sim) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.live > 0 && !d.has("closes while busy") {
		return device.ErrBusy
	}
	d.SetClosed("sim")
	return nil
}

// LimitPieces makes sim a PieceLimiter.
func (d *sim) LimitPieces(limit int) (restore func()) {
	old := d.limit
	d.limit = limit
	return func() { d.limit = old }
}

// Run interprets the launch, now or, with some bugs, later.
func (d *sim) Run(l *device.Launch) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := &simRun{d: d, l: l, p: l.Program}
	if err := r.prepare(); err != nil {
		return err
	}
	d.settle()
	if d.has("a Write overtakes a launch") || d.has("a Read does not wait") {
		c := *l
		c.Plan, c.Scalars = l.Plan.Clone(), slices.Clone(l.Scalars)
		r.l = &c
		d.pending = r.run
		return nil
	}
	if d.has("keeps the Launch") {
		d.pending = r.run
		return nil
	}
	r.run()
	return nil
}

// simRun is one launch on sim.
type simRun struct {
	d    *sim
	l    *device.Launch
	p    *kernels.Program
	mem  [][]byte // per operand: its buffer
	off  []int    // per operand: its byte offset
	size []int    // per operand: bytes of an element
	last int      // the cell written last

	plan *broadcast.Plan // the piece at work
	base []int           // where it starts
}

func (r *simRun) prepare() error {
	if r.d.has("supports nothing") {
		return device.ErrUnsupported
	}
	places := append(append([]device.Operand(nil), r.l.Inputs...), r.l.Outputs...)
	types := append(append([]dtype.DType(nil), r.p.Inputs...), outputTypes(r.p)...)
	for i, o := range places {
		b, err := r.d.own(o.Buffer)
		if err != nil {
			return err
		}
		lo, hi := planSpan(r.l.Plan, i)
		first, end := o.Offset+int64(lo*types[i].Size()), o.Offset+int64(hi*types[i].Size())
		if lo < hi && (first < 0 || end > b.Size()) {
			if r.d.has("clamps ranges") {
				r.p = &kernels.Program{Reduce: -1}
				return nil
			}
			return fmt.Errorf("operand %d is out of bounds", i)
		}
		if r.d.has("ignores the byte offset") && i == 0 {
			o.Offset = 0
		}
		r.mem, r.off = append(r.mem, b.data), append(r.off, int(o.Offset))
		r.size = append(r.size, types[i].Size())
	}
	return nil
}
