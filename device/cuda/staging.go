package cuda

import "sync"

// stageSize is the bytes of one half of the staging memory: long enough for
// the bus, short enough for a cache.
const stageSize = 2 << 20

// staging is pinned memory through which bytes go between the program and the
// device: the driver can copy from and to it while the processor does
// something else. It has two halves, so that one is filled or emptied while
// the other is on its way.
type staging struct {
	mu     sync.Mutex
	memory []byte    // two halves; nil before the first transfer
	events [2]handle // recorded after the last copy of each half
	busy   [2]bool   // that copy is not known to be done
}

// half returns half i of the memory.
func (s *staging) half(i int) []byte { return s.memory[i*stageSize : (i+1)*stageSize] }

// ready makes the memory and the events. It needs mu. It returns the call that
// failed.
func (s *staging) ready(d *Device) (call string, code status) {
	for i := range s.events {
		if s.events[i] == 0 {
			if s.events[i], code = d.api.eventCreate(d.ctx); code != success {
				s.events[i] = 0
				return "cuEventCreate", code
			}
		}
	}
	if s.memory == nil {
		s.memory, code = d.api.memAllocHost(d.ctx, 2*stageSize)
		if code != success {
			s.memory = nil
			return "cuMemAllocHost", code
		}
	}
	return "", success
}

// sent notes that a copy of half i was enqueued.
func (s *staging) sent(d *Device, i int) (call string, code status) {
	code = d.api.eventRecord(d.ctx, s.events[i], d.stream)
	s.busy[i] = true
	return "cuEventRecord", code
}

// settle waits until half i is free.
func (s *staging) settle(d *Device, i int) (call string, code status) {
	if !s.busy[i] {
		return "", success
	}
	code = d.api.eventSynchronize(d.ctx, s.events[i])
	s.busy[i] = false
	return "cuEventSynchronize", code
}

// write enqueues copies of src to the device; src may be reused afterwards.
// started says that at least one was enqueued.
func (s *staging) write(d *Device, dst address, src []byte) (started bool, call string, code status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if call, code = s.ready(d); code != success {
		return false, call, code
	}
	for i := 0; len(src) > 0; i = 1 - i {
		if call, code = s.settle(d, i); code != success {
			return true, call, code // of work enqueued earlier
		}
		n := copy(s.half(i), src)
		if code = d.api.memcpyHtoD(d.ctx, dst, s.half(i)[:n], d.stream); code != success {
			return started, "cuMemcpyHtoDAsync", code
		}
		started = true
		if call, code = s.sent(d, i); code != success {
			return true, call, code
		}
		src, dst = src[n:], dst+address(n)
	}
	return started, "", success
}

// read copies from the device to dst and waits for it: for the copies that it
// enqueues, and so for everything before them.
func (s *staging) read(d *Device, dst []byte, src address) (started bool, call string, code status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if call, code = s.ready(d); code != success {
		return false, call, code
	}
	var waiting []byte // of dst, for the copy on its way in the other half
	for i := 0; len(dst) > 0 || len(waiting) > 0; i = 1 - i {
		n := min(len(dst), stageSize)
		if n > 0 {
			if call, code = s.settle(d, i); code != success {
				return true, call, code
			}
			if code = d.api.memcpyDtoH(d.ctx, s.half(i)[:n], src, d.stream); code != success {
				return started, "cuMemcpyDtoHAsync", code
			}
			started = true
			if call, code = s.sent(d, i); code != success {
				return true, call, code
			}
		}
		if len(waiting) > 0 {
			if call, code = s.settle(d, 1-i); code != success {
				return true, call, code
			}
			copy(waiting, s.half(1-i))
		}
		waiting, dst, src = dst[:n], dst[n:], src+address(n)
	}
	return started, "", success
}

// release gives the memory and the events back.
func (s *staging) release(d *Device) {
	for i, e := range s.events {
		if e != 0 {
			d.api.eventDestroy(d.ctx, e)
			s.events[i] = 0
		}
	}
	if s.memory != nil {
		d.api.memFreeHost(d.ctx, s.memory)
		s.memory = nil
	}
}
