package opencl

import "github.com/stride0/stride0/device"

// Write copies src to dst at byte off. It waits for earlier work, since the
// bytes go through the queue, and until src has been copied.
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
	return d.transfer("clEnqueueWriteBuffer", func() status { return d.api.enqueueWriteBuffer(d.queue, to.mem(), off, src) })
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
	return d.transfer("clEnqueueReadBuffer", func() status { return d.api.enqueueReadBuffer(d.queue, from.mem(), off, dst) })
}

// transfer makes a call that returns when it and all work before it is done.
func (d *Device) transfer(call string, do func() status) error {
	mark := d.Recent.Mark()
	s := do()
	if s.exhausted() && s != outOfResources && d.pool.Trim() > 0 {
		s = do()
	}
	if err := d.check(call, s); err != nil {
		return err
	}
	d.Recent.Done(mark)
	return nil
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
		return "clEnqueueCopyBuffer", d.api.enqueueCopyBuffer(d.queue, from.mem(), to.mem(), soff, doff, n), false
	})
}
