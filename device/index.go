package device

import (
	"fmt"
	"strconv"
	"strings"
)

// IndexError says which index of an operation is out of range. It is ErrIndex.
type IndexError struct {
	Op    string // "gather"
	Where string // file:line of the call, where the report comes later than that; else empty
	Value int64  // the index
	Place []int  // where it stands in the index tensor
	Axis  int    // the axis of the indexed tensor that it is for
	Size  int    // of that axis
}

// Error returns "index 7 at (0, 2) is out of range for axis 1 of size 3; valid
// indices are -3 to 2", after the operation and the line when it comes late.
func (e *IndexError) Error() string {
	at := make([]string, len(e.Place))
	for i, p := range e.Place {
		at[i] = strconv.Itoa(p)
	}
	valid := "there are no valid indices"
	if e.Size > 0 {
		valid = fmt.Sprintf("valid indices are %d to %d", -e.Size, e.Size-1)
	}
	text := fmt.Sprintf("index %d at (%s) is out of range for axis %d of size %d; %s",
		e.Value, strings.Join(at, ", "), e.Axis, e.Size, valid)
	if e.Where == "" {
		return text
	}
	return fmt.Sprintf("%s at %s: %s", e.Op, e.Where, text)
}

// Is reports whether target is ErrIndex.
func (e *IndexError) Is(target error) bool { return target == ErrIndex }

// NoteIndex keeps an index error that an asynchronous device found, until
// TakeIndex; further ones before that are dropped.
func (b *Base) NoteIndex(err *IndexError) { b.index.CompareAndSwap(nil, err) }

// TakeIndex returns the error that NoteIndex kept, once; Sync and Read of an
// asynchronous device end with it.
func (b *Base) TakeIndex() error {
	if err := b.index.Swap(nil); err != nil {
		return err
	}
	return nil
}
