package main

import (
	"bytes"
	"errors"
	"regexp"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// beyondAVX2 matches the registers that only AVX-512 has.
var beyondAVX2 = regexp.MustCompile(`\b([XY](1[6-9]|[23]\d)|Z\d+|K[0-7])\b`)

func TestUpToDate(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	got, err := generated("..")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want.files {
		if !bytes.Equal(got[name], text) {
			t.Errorf("cpu/%s does not follow from the op table and cpu/_asm; run make generate-asm", name)
		}
		if n := bytes.Count(text, []byte("\n")); n > maxLines {
			t.Errorf("cpu/%s has %d lines", name, n)
		}
		if r := beyondAVX2.Find(text); r != nil {
			t.Errorf("cpu/%s uses %s, which AVX2 does not have", name, r)
		}
	}
	for name := range got {
		if want.files[name] == nil {
			t.Errorf("cpu/%s is not generated any more", name)
		}
	}
}

func TestRegistersEndAtY15(t *testing.T) {
	defer func() {
		if r := recover(); r != errPressure {
			t.Fatalf("a seventeenth register: %v", r)
		}
	}()
	var r regs
	for range 17 {
		r.take()
	}
}

// TestTooManyValuesFail builds a sum of products whose values are all alive at
// once: nothing is spilled, so there is no loop for it.
func TestTooManyValuesFail(t *testing.T) {
	e := kernels.NewEmit()
	x := e.Arg(0, dtype.Float32)
	vs := []kernels.V{x}
	for range 20 {
		vs = append(vs, e.Div(x, vs[len(vs)-1]))
	}
	sum := vs[20]
	for i := range 20 { // the last one first
		sum = e.Sub(sum, vs[19-i])
	}
	body, err := e.Body(sum)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := best(body, loop{args: []dtype.DType{dtype.Float32}, result: dtype.Float32, scalar: -1}, "deep"); !errors.Is(err, errPressure) {
		t.Fatalf("error %v, want %v", err, errPressure)
	}
}

func TestWidthsDoNotMix(t *testing.T) {
	e := kernels.NewEmit()
	body, err := e.Body(e.Convert(dtype.Float64, e.Arg(0, dtype.Float32)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newEmitter(body); err == nil {
		t.Fatal("float32 and float64 in one loop")
	}
}
