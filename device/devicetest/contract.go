package devicetest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/stride0/stride0/device"
)

// contractChecks prove what the doc comments of device.Device promise about
// memory, order and errors.
func contractChecks() []check {
	return []check{
		{"info", (*suite).checkInfo},
		{"alloc zero bytes", (*suite).checkAllocZero},
		{"alloc negative", (*suite).checkAllocNegative},
		{"write and read at offsets", (*suite).checkWriteRead},
		{"write takes a copy", (*suite).checkWriteCopies},
		{"copy", (*suite).checkCopy},
		{"out of bounds", (*suite).checkBounds},
		{"buffers apart", (*suite).checkApart},
		{"free twice", (*suite).checkFreeTwice},
		{"use after free", (*suite).checkUseAfterFree},
		{"foreign buffers", (*suite).checkForeign},
		{"launch out of bounds", (*suite).checkLaunchBounds},
		{"out of memory", (*suite).checkOutOfMemory},
		{"limit", (*suite).checkLimit},
	}
}

func (s *suite) checkInfo() error {
	info := s.dev.Info()
	if info.Name == "" {
		return errors.New("Info().Name is empty")
	}
	if info.Memory < 0 {
		return fmt.Errorf("Info().Memory is %d", info.Memory)
	}
	return nil
}

func (s *suite) checkAllocZero() error {
	b, err := s.dev.Alloc(0)
	if err != nil {
		return err
	}
	defer b.Free()
	switch {
	case b.Device() != s.dev:
		return errors.New("Buffer.Device is not the device that allocated it")
	case b.Size() < 0:
		return fmt.Errorf("size %d", b.Size())
	}
	return errors.Join(s.dev.Write(b, 0, nil), s.dev.Read(nil, b, 0), s.dev.Copy(b, 0, b, 0, 0))
}

func (s *suite) checkAllocNegative() error {
	if b, err := s.dev.Alloc(-1); err == nil {
		b.Free()
		return errors.New("Alloc(-1) succeeded")
	}
	return nil
}

// noise returns n random bytes.
func noise(seed uint64, n int) []byte {
	rng := rand.New(rand.NewPCG(seed, 2))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(rng.Uint32())
	}
	return out
}

// filled returns a buffer that holds content.
func (s *suite) filled(content []byte) (device.Buffer, error) {
	b, err := s.dev.Alloc(int64(len(content)))
	if err != nil {
		return nil, err
	}
	if err := s.dev.Write(b, 0, content); err != nil {
		b.Free()
		return nil, err
	}
	return b, nil
}

// holds reports how b differs from content.
func (s *suite) holds(b device.Buffer, content []byte) error {
	got := make([]byte, len(content))
	if err := s.dev.Read(got, b, 0); err != nil {
		return err
	}
	for i := range got {
		if got[i] != content[i] {
			return fmt.Errorf("byte %d is %#x, want %#x", i, got[i], content[i])
		}
	}
	return nil
}

func (s *suite) checkWriteRead() error {
	content := noise(1, 300)
	b, err := s.filled(content)
	if err != nil {
		return err
	}
	defer b.Free()
	if b.Size() < 300 {
		return fmt.Errorf("Alloc(300) has size %d", b.Size())
	}
	for i, r := range [][2]int{{0, 1}, {1, 8}, {63, 66}, {299, 300}, {17, 17}, {128, 256}, {5, 300}} {
		part := noise(uint64(i), r[1]-r[0])
		copy(content[r[0]:], part)
		if err := s.dev.Write(b, int64(r[0]), part); err != nil {
			return err
		}
		got := make([]byte, len(part))
		if err := s.dev.Read(got, b, int64(r[0])); err != nil {
			return err
		}
		if !bytes.Equal(got, part) {
			return fmt.Errorf("bytes %d to %d read back differ", r[0], r[1])
		}
	}
	return s.holds(b, content)
}

// checkWriteCopies overwrites the source as soon as Write returns, many times:
// the last content written must win, and none may be torn.
func (s *suite) checkWriteCopies() error {
	src := noise(3, 1<<16)
	b, err := s.filled(src)
	if err != nil {
		return err
	}
	defer b.Free()
	want := make([]byte, len(src))
	for round := range 8 {
		for i := range src {
			src[i] = byte(round + i)
		}
		copy(want, src)
		if err := s.dev.Write(b, 0, src); err != nil {
			return err
		}
		clear(src)
	}
	return s.holds(b, want)
}

func (s *suite) checkCopy() error {
	from, to := noise(4, 200), noise(5, 150)
	src, err := s.filled(from)
	if err != nil {
		return err
	}
	defer src.Free()
	dst, err := s.filled(to)
	if err != nil {
		return err
	}
	defer dst.Free()
	for _, c := range [][3]int{{0, 0, 1}, {7, 31, 64}, {149, 199, 1}, {20, 20, 0}, {100, 3, 50}} {
		copy(to[c[0]:c[0]+c[2]], from[c[1]:])
		if err := s.dev.Copy(dst, int64(c[0]), src, int64(c[1]), int64(c[2])); err != nil {
			return err
		}
	}
	copy(to[100:110], to[20:30])
	if err := s.dev.Copy(dst, 100, dst, 20, 10); err != nil {
		return fmt.Errorf("within a buffer: %w", err)
	}
	if err := s.holds(src, from); err != nil {
		return fmt.Errorf("the source of a copy: %w", err)
	}
	return s.holds(dst, to)
}

// checkBounds calls with ranges outside a buffer: an error, and no change.
func (s *suite) checkBounds() error {
	content := noise(6, 64)
	b, err := s.filled(content)
	if err != nil {
		return err
	}
	defer b.Free()
	size := b.Size()
	for _, off := range []int64{-1, -1 << 62, size - 7, size + 1, 1<<63 - 4} {
		raw := make([]byte, 8)
		for call, err := range map[string]error{
			"Write":     s.dev.Write(b, off, raw),
			"Read":      s.dev.Read(raw, b, off),
			"Copy to":   s.dev.Copy(b, off, b, 0, 8),
			"Copy from": s.dev.Copy(b, 0, b, off, 8),
		} {
			if err == nil {
				return fmt.Errorf("%s of 8 bytes at offset %d of %d succeeded", call, off, size)
			}
		}
	}
	if err := s.dev.Copy(b, 0, b, 8, -1); err == nil {
		return errors.New("Copy of -1 bytes succeeded")
	}
	return s.holds(b, content)
}

// checkApart fills many small buffers: none may share memory with another.
func (s *suite) checkApart() error {
	var bufs []device.Buffer
	defer func() {
		for _, b := range bufs {
			b.Free()
		}
	}()
	for i := range 200 {
		b, err := s.filled(noise(uint64(i), 1+i%70))
		if err != nil {
			return err
		}
		bufs = append(bufs, b)
		if i%3 == 2 { // so that memory is handed out again
			bufs[i/3].Free()
		}
	}
	for i, b := range bufs {
		if i < 66 {
			continue
		}
		if err := s.holds(b, noise(uint64(i), 1+i%70)); err != nil {
			return fmt.Errorf("buffer %d: %w", i, err)
		}
	}
	return nil
}
