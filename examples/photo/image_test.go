package main

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPictureOfEveryKindOfImage(t *testing.T) {
	r := image.Rect(0, 0, 2, 1)
	nrgba := &image.NRGBA{Pix: []uint8{1, 2, 3, 0, 200, 100, 50, 128}, Stride: 8, Rect: r}
	large := &image.NRGBA{Pix: make([]uint8, 4*4*3), Stride: 16, Rect: image.Rect(-1, 5, 3, 8)}
	large.SetNRGBA(0, 6, color.NRGBA{1, 2, 3, 0})
	large.SetNRGBA(1, 6, color.NRGBA{200, 100, 50, 128})
	deep := image.NewNRGBA64(r)
	deep.SetNRGBA64(0, 0, color.NRGBA64{0x1212, 0x3434, 0x5656, 0xffff})
	deep.SetNRGBA64(1, 0, color.NRGBA64{0xffff, 0x8080, 0, 0x8080})
	tests := []struct {
		name string
		img  image.Image
		want []uint8
	}{
		{"colours_under_no_alpha", nrgba, nrgba.Pix},
		{"part_of_a_larger_image", large.SubImage(image.Rect(0, 6, 2, 7)), nrgba.Pix},
		{"alpha_taken_out_of_the_colours", &image.RGBA{Pix: []uint8{64, 32, 0, 128, 9, 9, 9, 255}, Stride: 8, Rect: r},
			[]uint8{127, 63, 0, 128, 9, 9, 9, 255}},
		{"grey", &image.Gray{Pix: []uint8{7, 250}, Stride: 2, Rect: r}, []uint8{7, 7, 7, 255, 250, 250, 250, 255}},
		{"palette_with_a_hole", &image.Paletted{Pix: []uint8{1, 0}, Stride: 2, Rect: r,
			Palette: color.Palette{color.NRGBA{}, color.NRGBA{10, 20, 30, 255}}}, []uint8{10, 20, 30, 255, 0, 0, 0, 0}},
		{"16_bits_a_channel", deep, []uint8{0x12, 0x34, 0x56, 0xff, 0xff, 0x80, 0, 0x80}},
		{"opaque_away_from_the_origin", &image.Gray{Pix: []uint8{7, 250}, Stride: 2, Rect: r.Add(image.Pt(3, -4))},
			[]uint8{7, 7, 7, 255, 250, 250, 250, 255}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := pictureOf(test.img)
			if p.width != 2 || p.height != 1 || !slices.Equal(p.rgba, test.want) {
				t.Errorf("%d×%d pixels %v, want 2×1 of %v", p.width, p.height, p.rgba, test.want)
			}
		})
	}
}

func TestWriteAndReadAgain(t *testing.T) {
	want := picture{rgba: scene(3, 5), height: 3, width: 5}
	path := filepath.Join(t.TempDir(), "a.png")
	if err := write(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.height != 3 || got.width != 5 || !slices.Equal(got.rgba, want.rgba) {
		t.Errorf("read %+v, want %+v", got, want)
	}
}

func TestWriteLeavesTheFileWhenItFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.png")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write(path, picture{width: 3}); err == nil { // PNG has no empty images
		t.Fatal("wrote an image without rows")
	}
	if got, err := os.ReadFile(path); string(got) != "old" || err != nil {
		t.Errorf("the file is now %q, %v", got, err)
	}
}

func TestReadJPEG(t *testing.T) {
	img := image.NewYCbCr(image.Rect(0, 0, 16, 8), image.YCbCrSubsampleRatio420)
	for i := range img.Y {
		img.Y[i] = 90
	}
	for i := range img.Cb {
		img.Cb[i], img.Cr[i] = 128, 128
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "photo.jpg")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := slices.Repeat([]uint8{90, 90, 90, 255}, 16*8); !slices.Equal(p.rgba, want) || p.width != 16 || p.height != 8 {
		t.Errorf("%d×%d pixels %v", p.width, p.height, p.rgba)
	}
}

func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	png := filepath.Join(dir, "whole.png")
	if err := write(png, picture{rgba: scene(4, 4), height: 4, width: 4}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(png)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		content []byte // nil: no file
		want    string
	}{
		{"missing", nil, "there is no file"},
		{"text", []byte("not an image"), "neither PNG nor JPEG"},
		{"empty", []byte{}, "neither PNG nor JPEG"},
		{"cut_short", whole[:len(whole)/2], "damaged or cut short"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(dir, test.name)
			if test.content != nil {
				if err := os.WriteFile(path, test.content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := read(path)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want %q and the file's name", err, test.want)
			}
		})
	}
	if _, err := read(dir); err == nil {
		t.Error("read a folder")
	}
}
