package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stride0/stride0/cpu"
)

// call runs the program as a shell would.
func call(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = command(args, &out, &errs)
	return code, out.String(), errs.String()
}

// photo writes a small photo and returns its file name.
func photo(t *testing.T, height, width int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.png")
	if err := write(path, picture{rgba: scene(height, width), height: height, width: width}); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCommandDevelopsAPhoto(t *testing.T) {
	in, h, w := photo(t, 9, 14), 9, 14
	for _, l := range layouts {
		out := filepath.Join(t.TempDir(), "out.PNG")
		code, stdout, stderr := call("-device", "cpu", "-layout", l.name, "-warm", "0.3", in, out)
		if code != 0 || stderr != "" {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		for _, want := range []string{"device cpu", "14×9 pixels", l.name, "warmed by 0.3", out} {
			if !strings.Contains(stdout, want) {
				t.Errorf("the report lacks %q: %s", want, stdout)
			}
		}
		got, err := read(out)
		if err != nil {
			t.Fatal(err)
		}
		if want := mustDevelop(t, cpu.Default(), scene(h, w), h, w, l, 0.3); !slices.Equal(got.rgba, want) {
			t.Errorf("%s: the file has other pixels than developRGBA gives", l.name)
		}
	}
}

func TestCommandWithoutFlagsTakesTheBestDevice(t *testing.T) {
	in, out := photo(t, 1, 1), filepath.Join(t.TempDir(), "out.png")
	if code, _, stderr := call(in, out); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	got, err := read(out)
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint8{147, 128, 109, 255}; !slices.Equal(got.rgba, want) { // 128 times 1.15, 1, 0.85
		t.Errorf("one pixel becomes %v, want %v", got.rgba, want)
	}
}

func TestCommandRefuses(t *testing.T) {
	in := photo(t, 2, 2)
	dir := filepath.Dir(in)
	text := filepath.Join(dir, "text.png")
	if err := os.WriteFile(text, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out.png")
	tests := []struct {
		name string
		args []string
		code int
		want string // in stderr
	}{
		{"help", []string{"-h"}, 0, "usage: photo"},
		{"no_arguments", nil, 2, "needs two file names, got 0"},
		{"flag_after_the_names", []string{in, out, "-warm", "1"}, 2, "flags stand before them"},
		{"unknown_flag", []string{"-gpu", in, out}, 2, "not defined: -gpu"},
		{"unknown_layout", []string{"-layout", "hwc", in, out}, 2, `no layout "hwc"; -layout is nhwc or nchw`},
		{"out_not_png", []string{in, "out.jpg"}, 2, "must end in .png"},
		{"too_warm", []string{"-warm", "1.5", in, out}, 2, "-warm must be from -1 to 1"},
		{"not_a_number", []string{"-warm", "NaN", in, out}, 2, "-warm must be from -1 to 1"},
		{"unknown_device", []string{"-device", "abacus", in, out}, 1, "abacus"},
		{"missing_photo", []string{filepath.Join(dir, "no.png"), out}, 1, "there is no file"},
		{"not_an_image", []string{text, out}, 1, "neither PNG nor JPEG"},
		{"over_itself", []string{in, in}, 1, "is the photo itself"},
		{"folder_missing", []string{in, filepath.Join(dir, "no", "out.png")}, 1, filepath.Join("no", "out.png")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, stdout, stderr := call(test.args...)
			if code != test.code || stdout != "" || !strings.Contains(stderr, test.want) {
				t.Errorf("exit code %d, stdout %q, stderr %q; want code %d and %q", code, stdout, stderr, test.code, test.want)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("an image was written")
			}
		})
	}
}
