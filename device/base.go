package device

import "sync/atomic"

// Base is what every device has in common; a device embeds it. It says whether
// the device is down, remembers the operations under suspicion, and carries
// what the program said about the device, so that none of it outlives the
// device. The zero value is ready. The registry opens only devices that embed
// a Base.
type Base struct {
	Recent Recent // what was enqueued and may not be done

	down  atomic.Pointer[error]
	index atomic.Pointer[IndexError] // found, and not yet reported

	hostAllowed         atomic.Bool
	fallbacks, overlaps counter
}

// based is met by embedding Base.
type based interface{ base() *Base }

func (b *Base) base() *Base { return b }

// baseOf returns the Base of d, or nil when it has none.
func baseOf(d Device) *Base {
	if b, ok := d.(based); ok {
		return b.base()
	}
	return nil
}

// Down returns nil while the device works, else why it does not: a *LostError,
// or an *Error that is ErrClosed. A device asks at the top of every method.
func (b *Base) Down() error {
	if err := b.down.Load(); err != nil {
		return *err
	}
	return nil
}

// SetLost notes that the device failed asynchronously and returns the error
// that every later use of it gives: the first fault, with the operations not
// known to be done at that moment.
func (b *Base) SetLost(device string, cause error) error {
	return b.setDown(&LostError{Device: device, Ops: b.Recent.Ops(), Err: cause})
}

// SetClosed notes that Close has succeeded. Both it and SetLost make the next
// Open of the device return a new handle.
func (b *Base) SetClosed(device string) {
	b.setDown(&Error{Device: device, Err: ErrClosed})
}

func (b *Base) setDown(err error) error {
	b.down.CompareAndSwap(nil, &err)
	return b.Down()
}
