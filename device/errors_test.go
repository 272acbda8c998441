package device

import (
	"errors"
	"testing"
)

func TestErrorText(t *testing.T) {
	driver := errors.New("driver says no")
	for _, tt := range []struct {
		name string
		err  error
		is   error
		want string
	}{
		{"call and code", &Error{Device: "opencl:0", Call: "clBuildProgram", Code: -11, Err: driver}, driver,
			"opencl:0: clBuildProgram: code -11: driver says no"},
		{"bare", &Error{Err: ErrClosed}, ErrClosed, "device is closed"},
		{"out of memory", &OutOfMemoryError{Device: "cpu", Need: 4e9, Free: 1.2e9, Limit: 2e9}, ErrOutOfMemory,
			"cpu: out of memory: need 4.0 GB, free 1.2 GB of the limit 2.0 GB; free tensors or use smaller ones"},
		{"lost", &LostError{Device: "cuda:0", Ops: []string{"add", "sum"}, Err: driver}, ErrLost,
			"cuda:0: device lost during one of add, sum: driver says no; set STRIDE0_SYNC=1 to find which, and open the device again"},
		{"lost without a suspect", &LostError{Device: "cuda:0", Err: driver}, driver,
			"cuda:0: device lost: driver says no; open it again"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.name, got, tt.want)
		}
		if !errors.Is(tt.err, tt.is) {
			t.Errorf("%s: is not %v", tt.name, tt.is)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 999_949: "999.9 kB", 999_950: "1.0 MB",
		64 << 20: "67.1 MB", 4e9: "4.0 GB", 5e12: "5.0 TB", 7e15: "7.0 PB", 1 << 62: "4611.7 PB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
