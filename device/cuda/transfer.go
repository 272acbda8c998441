package cuda

import "github.com/stride0/stride0/device"

// Write copies src to dst at byte off, after earlier work. It returns once src
// has been copied to pinned memory.
func (d *Device) Write(dst device.Buffer, off int64, src []byte) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	to, err := d.own("Write", dst)
	if err != nil {
		return err
	}
	defer keep(to)
	if !to.inside(off, int64(len(src))) {
		return d.outside("Write", off, int64(len(src)), to)
	}
	if len(src) == 0 {
		return nil
	}
	err = d.transfer(func() (bool, string, status) { return d.staging.write(d, to.mem()+address(off), src) })
	if err != nil {
		return err
	}
	d.Recent.Enqueued("write")
	if d.sync {
		return d.wait()
	}
	return nil
}

// Read waits for earlier work and copies bytes of src from byte off to dst.
func (d *Device) Read(dst []byte, src device.Buffer, off int64) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	from, err := d.own("Read", src)
	if err != nil {
		return err
	}
	defer keep(from)
	if !from.inside(off, int64(len(dst))) {
		return d.outside("Read", off, int64(len(dst)), from)
	}
	if len(dst) == 0 {
		return d.wait() // a Read reports faults in earlier work
	}
	mark := d.Recent.Mark()
	err = d.transfer(func() (bool, string, status) { return d.staging.read(d, dst, from.mem()+address(off)) })
	if err == nil {
		d.Recent.Done(mark)
	}
	return err
}

// transfer moves bytes. A failure after the first command is on the stream is
// one of earlier work, or leaves memory half written. Where pinned memory is
// too little, it is tried again with the pool's surplus given back.
func (d *Device) transfer(do func() (started bool, call string, s status)) error {
	started, call, s := do()
	if !started && s.exhausted() && d.pool.Trim() > 0 {
		started, call, s = do()
	}
	if started && s != success {
		return d.lose(call, s)
	}
	return d.check(call, s)
}

// Copy enqueues a copy of n bytes.
func (d *Device) Copy(dst device.Buffer, doff int64, src device.Buffer, soff, n int64) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	to, err := d.own("Copy", dst)
	if err != nil {
		return err
	}
	defer keep(to)
	from, err := d.own("Copy", src)
	if err != nil {
		return err
	}
	defer keep(from)
	switch {
	case !to.inside(doff, n):
		return d.outside("Copy", doff, n, to)
	case !from.inside(soff, n):
		return d.outside("Copy", soff, n, from)
	case n == 0:
		return nil
	}
	return d.enqueue("copy", func() (string, status, bool) {
		return "cuMemcpyDtoDAsync", d.api.memcpyDtoD(d.ctx, to.mem()+address(doff), from.mem()+address(soff), n, d.stream), false
	})
}
