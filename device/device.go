package device

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Device runs Programs on buffers. It has one in-order queue: operations take
// effect in the order of the calls, and Run may return before the work is
// done. All methods are safe for concurrent use. A device should print as its
// name (String), which package fmt needs to stay clear of its fields.
type Device interface {
	// Info describes the device; it never blocks.
	Info() Info

	// Alloc returns a buffer of at least bytes bytes, with any contents; zero
	// bytes are valid. Errors: *OutOfMemoryError, *LostError.
	Alloc(bytes int64) (Buffer, error)

	// Run enqueues one launch. Everything that can fail is checked before the
	// first piece is enqueued: on error nothing has been written. The Launch
	// and its Plan are not retained. Errors: ErrUnsupported, *LostError, *Error.
	Run(l *Launch) error

	// Write copies src to dst at byte off; when it returns src may be reused.
	Write(dst Buffer, off int64, src []byte) error

	// Read waits for earlier work and copies len(dst) bytes of src from byte off.
	Read(dst []byte, src Buffer, off int64) error

	// Copy copies n bytes between buffers of this device. The ranges do not overlap.
	Copy(dst Buffer, doff int64, src Buffer, soff, n int64) error

	// Sync waits for all earlier work and reports a fault in it.
	Sync() error

	// Close releases the device. It first runs the garbage collector and its
	// cleanups, then refuses with ErrBusy while buffers live; a lost device
	// always closes.
	Close() error
}

// Buffer is memory of one device.
type Buffer interface {
	Device() Device
	Size() int64
	// Free gives the memory back once work enqueued before the call is done.
	// A second Free does nothing.
	Free()
}

// Info describes a device.
type Info struct {
	Name    string // as Open takes it: "cpu", "opencl:1"
	Kind    Kind
	Model   string // the hardware: "AMD EPYC"
	Driver  string // the driver and its version
	Memory  int64  // bytes of memory, 0 when unknown
	Float64 bool   // computes in float64
	Notes   []string
}

// Kind is the kind of hardware behind a device.
type Kind uint8

// The kinds of hardware.
const (
	HostKind Kind = iota // the process's own CPU and memory
	GPUKind
	CPUKind // a CPU behind a driver, as PoCL's
	OtherKind
)

// String returns "host", "gpu", "cpu" or "other".
func (k Kind) String() string {
	return [...]string{"host", "gpu", "cpu", "other"}[min(k, OtherKind)]
}

// Launch is one Program over one Plan. Inputs and outputs are the Plan's
// operands, in that order. An output is disjoint from, or exactly equal to,
// each input.
type Launch struct {
	Program *kernels.Program
	Plan    *broadcast.Plan // its Offsets are elements from each Operand's byte offset
	Inputs  []Operand
	Outputs []Operand
	Scratch Operand  // kernels.Scratch bytes; Buffer is nil when that is 0
	Scalars []uint64 // the bit pattern of each scalar slot
	Label   string   // the operation, for errors and profiles: "add"
}

// Operand is a place in a buffer. Byte offsets are multiples of the element size.
type Operand struct {
	Buffer Buffer
	Offset int64
}

// Mapper is the ability of a device whose memory the host can address.
type Mapper interface {
	// Map waits for earlier work and returns the bytes of a buffer; they stay
	// valid while the buffer is live.
	Map(b Buffer) ([]byte, error)
}

// MatMuler is the ability to multiply batches of matrices.
type MatMuler interface {
	MatMul(m *MatMul) error
}

// MatMul is C = A·B for a batch: A (M,K), B (K,N), C (M,N), each matrix
// row-major with a leading dimension in elements. A and B may instead be
// stored transposed: A as (K,M), B as (N,K). C overlaps neither; what it held
// does not count. Integers wrap, bools have "or" for the sum and "and" for the
// product, and halves add up in float32 and round once. What is not finite
// counts, beside 0 too.
type MatMul struct {
	DType          dtype.DType // of A, B and C; a device may decline all but Float32 with ErrUnsupported
	M, N, K        int
	A, B, C        Operand
	LDA, LDB, LDC  int
	TransA, TransB bool
	Batch          []int // batch sizes, outermost first; empty: one product
	// Elements between matrices along each batch axis; 0 where an operand is broadcast.
	BatchA, BatchB, BatchC []int
	Label                  string
}
