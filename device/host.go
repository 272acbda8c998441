package device

// AllowHost lets tensor operations that d cannot do go through the host: copy
// the operands there, compute, copy the result back. They are counted in Stats.
// Without it such an operation is ErrUnsupported. The mark is kept in d's Base
// and ends with it; a device without a Base cannot be marked.
func AllowHost(d Device) {
	if b := baseOf(d); b != nil {
		b.hostAllowed.Store(true)
	}
}

// HostAllowed reports whether AllowHost was called for d and d is not down.
func HostAllowed(d Device) bool {
	b := baseOf(d)
	return b != nil && b.hostAllowed.Load() && b.Down() == nil
}
