package cpu

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// Scan computes running sums and their like: each line from its start to its
// end on one goroutine, many lines on as many cores as pay.
//
// Float32 accumulates in float64, so that each result is within half a unit in
// its last place plus n·2^-53 times the sum of magnitudes (of products: within
// n·2^-53, relatively, and the rounding to float32); Float64 in itself, within
// n·2^-53 times the sum of magnitudes. The bits do not depend on GOMAXPROCS.
//
// Errors (*device.Error): ErrUnsupported for a sum or product of bools and for
// halves, ErrFreed, an operand that reaches beyond its buffer.
func (d *Device) Scan(s *device.Scan) error {
	j := &scanJob{scan: s, elem: s.DType.Size()}
	if j.lanes = scanLanes(s.Op, s.DType); j.lanes == nil {
		return refusal("Scan", fmt.Errorf("%w: running %v of %v", device.ErrUnsupported, s.Op, s.DType))
	}
	sizes := append(slices.Clone(s.Lines), s.N)
	var err error
	if j.in, err = takeSpot("Scan", s.In.Operand, j.elem, sizes, s.In.Strides); err != nil {
		return err
	}
	defer release(j.in)
	if j.out, err = takeSpot("Scan", s.Out.Operand, j.elem, sizes, s.Out.Strides); err != nil {
		return err
	}
	defer release(j.out)
	if !slices.Contains(sizes, 0) {
		j.run()
	}
	return nil
}

// scanJob is a Scan made ready. Distances are in bytes.
type scanJob struct {
	scan      *device.Scan
	elem      int
	in, out   spot
	lanes     scanLane
	outer     []lineAxis
	across    lineAxis // an axis over lines, along which memory is denser than along them
	in1, out1 int      // from one element of a line to the next
}

// lineAxis is an axis over lines.
type lineAxis struct{ size, in, out int }

// scanLane scans n lines side by side, which start at these offsets and are
// across apart.
type scanLane func(j *scanJob, n, in, out int)

// linesAbreast is how many lines are scanned side by side.
const linesAbreast = 64

func (j *scanJob) run() {
	s := j.scan
	n := len(s.Lines)
	j.in1, j.out1 = s.In.Strides[n]*j.elem, s.Out.Strides[n]*j.elem
	dense := -1 // the axis of across
	least := max(s.Out.Strides[n], -s.Out.Strides[n])
	for k, size := range s.Lines {
		j.outer = append(j.outer, lineAxis{size, s.In.Strides[k] * j.elem, s.Out.Strides[k] * j.elem})
		if step := max(s.Out.Strides[k], -s.Out.Strides[k]); size > 1 && step < least {
			dense, least = k, step
		}
	}
	j.across = lineAxis{size: 1}
	if dense >= 0 {
		a := j.outer[dense]
		j.across = a
		j.outer[dense] = lineAxis{(a.size + linesAbreast - 1) / linesAbreast, a.in * linesAbreast, a.out * linesAbreast}
	}
	units := 1
	for _, a := range j.outer {
		units *= a.size
	}
	cost := 4 * addition * int64(s.N) * int64(min(j.across.size, linesAbreast))
	share(workersFor(units, cost), units, cost, func(_, lo, hi int) {
		for u := lo; u < hi; u++ {
			j.unit(u, dense)
		}
	})
}

// unit scans the lines of unit u.
func (j *scanJob) unit(u, dense int) {
	in, out, n := 0, 0, 1
	for k := len(j.outer) - 1; k >= 0; k-- {
		a := j.outer[k]
		at := u % a.size
		u /= a.size
		in, out = in+at*a.in, out+at*a.out
		if k == dense {
			n = min(linesAbreast, j.across.size-at*linesAbreast)
		}
	}
	j.lanes(j, n, in, out)
}

// scanLanes returns the loop of a Scan, nil for what is not supported.
func scanLanes(op device.ScanOp, d dtype.DType) scanLane {
	switch d {
	case dtype.Bool:
		switch op {
		case device.ScanMin:
			return scanBy[uint8, uint8](1, func(a, b uint8) uint8 { return min(a, b) })
		case device.ScanMax:
			return scanBy[uint8, uint8](0, func(a, b uint8) uint8 { return max(a, b) })
		}
		return nil
	case dtype.Uint8:
		return scanning[uint8, uint8](op, 0, math.MaxUint8)
	case dtype.Uint16:
		return scanning[uint16, uint16](op, 0, math.MaxUint16)
	case dtype.Uint32:
		return scanning[uint32, uint32](op, 0, math.MaxUint32)
	case dtype.Uint64:
		return scanning[uint64, uint64](op, 0, math.MaxUint64)
	case dtype.Int8:
		return scanning[int8, int8](op, math.MinInt8, math.MaxInt8)
	case dtype.Int16:
		return scanning[int16, int16](op, math.MinInt16, math.MaxInt16)
	case dtype.Int32:
		return scanning[int32, int32](op, math.MinInt32, math.MaxInt32)
	case dtype.Int64:
		return scanning[int64, int64](op, math.MinInt64, math.MaxInt64)
	case dtype.Float32:
		return scanning[float32](op, math.Inf(-1), math.Inf(1))
	case dtype.Float64:
		return scanning[float64](op, math.Inf(-1), math.Inf(1))
	}
	return nil
}

// scanning returns the loop for elements T that accumulate in A, whose range
// is lowest to highest.
func scanning[T, A number](op device.ScanOp, lowest, highest A) scanLane {
	switch op {
	case device.ScanSum:
		return sumLane[T, A]
	case device.ScanProd:
		return scanBy[T](1, func(a, b A) A { return a * b })
	case device.ScanMin:
		return scanBy[T](highest, func(a, b A) A { return min(a, b) })
	case device.ScanMax:
		return scanBy[T](lowest, func(a, b A) A { return max(a, b) })
	}
	return nil
}

// sumLane is out[i] = T(in[0] + ... + in[i]) for n lines. It is scanBy with the
// addition in place, for a call costs as much as two of them.
func sumLane[T, A number](j *scanJob, n, in, out int) {
	var acc [linesAbreast]A
	exclusive := j.scan.Exclusive
	for range j.scan.N {
		i, o := in, out
		for k := range acc[:n] {
			before := acc[k]
			acc[k] = before + A(*(*T)(unsafe.Add(j.in.base, i)))
			if !exclusive {
				before = acc[k]
			}
			*(*T)(unsafe.Add(j.out.base, o)) = T(before)
			i, o = i+j.across.in, o+j.across.out
		}
		in, out = in+j.in1, out+j.out1
	}
}

// scanBy returns the loop out[i] = T(f(... f(f(identity, in[0]), in[1]) ..., in[i])).
func scanBy[T, A number](identity A, f func(a, b A) A) scanLane {
	return func(j *scanJob, n, in, out int) {
		var acc [linesAbreast]A
		for k := range acc {
			acc[k] = identity
		}
		exclusive := j.scan.Exclusive
		for range j.scan.N {
			i, o := in, out
			for k := range acc[:n] {
				before := acc[k]
				acc[k] = f(before, A(*(*T)(unsafe.Add(j.in.base, i))))
				if !exclusive {
					before = acc[k]
				}
				*(*T)(unsafe.Add(j.out.base, o)) = T(before)
				i, o = i+j.across.in, o+j.across.out
			}
			in, out = in+j.in1, out+j.out1
		}
	}
}
