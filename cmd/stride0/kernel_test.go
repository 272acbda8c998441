package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestKernel(t *testing.T) {
	tests := []struct {
		name   string
		args   []string
		status int
		want   string // a part of what is printed
	}{
		{"operation first", []string{"kernel", "add"}, exitOK, "kernel void add_float32_flat(global const float *in0, global const float *in1, global float *out0"},
		{"operation as a flag", []string{"kernel", "-dtype", "int32", "-op", "add"}, exitOK, "const int m2 = (int)((uint)x0 + (uint)x1);"},
		{"form", []string{"kernel", "where", "-form", "r4"}, exitOK, "where_float32_r4(global const uchar *in0"},
		{"cast", []string{"kernel", "cast", "-dtype", "bool", "-to", "int64"}, exitOK, "cast_bool_int64_flat(global const uchar *in0, global long *out0"},
		{"index", []string{"kernel", "arange", "-dtype", "int64"}, exitOK, "const long at0 = g.index[0] + i;"},
		{"seed", []string{"kernel", "random"}, exitOK, "const ulong scalar0"},
		{"reduction", []string{"kernel", "sum", "-form", "block"}, exitOK, "kernel void sum_float32_block_last("},
		{"composite", []string{"kernel", "mean", "-dtype", "float64"}, exitOK, "sum_div_float64_rows("},
		{"no such operation", []string{"kernel", "ad"}, exitFailed, `no operation "ad"; there are add, sub, `},
		{"no operation", []string{"kernel"}, exitFailed, "name an operation, as in stride0 kernel add; there are add, sub, "},
		{"no such dialect", []string{"kernel", "add", "-dialect", "metal"}, exitFailed, `no dialect "metal"; there are opencl and cuda`},
		{"no such dtype", []string{"kernel", "add", "-dtype", "f32"}, exitFailed, `no dtype "f32"; there are bool, `},
		{"no such form", []string{"kernel", "add", "-form", "rows"}, exitFailed, `has no form "rows"`},
		{"no second input", []string{"kernel", "neg", "-form", "rs"}, exitFailed, `form "rs" makes a scalar of input 2; the operation has 1`},
		{"no input", []string{"kernel", "arange", "-form", "ls"}, exitFailed, `form "ls" makes a scalar of input 1; the operation has 0`},
		{"no third input", []string{"kernel", "add", "-form", "s2"}, exitFailed, `form "s2" makes a scalar of input 3; the operation has 2`},
		{"third input", []string{"kernel", "where", "-form", "s2"}, exitOK, "where_float32_s2("},
		{"not defined", []string{"kernel", "sub", "-dtype", "bool"}, exitFailed, "sub is not defined for bool"},
		{"two words", []string{"kernel", "add", "sub"}, exitUsage, `unexpected argument "sub"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if got := stride0(test.args, &out, &errs); got != test.status {
				t.Errorf("exit status %d, want %d", got, test.status)
			}
			if got := out.String() + errs.String(); !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q in it", got, test.want)
			}
		})
	}
}
