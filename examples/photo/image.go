package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg" // JPEG files, for image.Decode
	"image/png"
	"io/fs"
	"os"
)

// A picture is an image in rows of pixels, each of which is four bytes: red,
// green, blue and alpha, the colours not multiplied by alpha.
type picture struct {
	rgba          []uint8
	height, width int
}

// read loads a PNG or JPEG file.
func read(path string) (picture, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return picture{}, fmt.Errorf("there is no file %s; name the photo first, then the PNG to write", path)
	}
	if err != nil {
		return picture{}, err
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	switch {
	case errors.Is(err, image.ErrFormat):
		return picture{}, fmt.Errorf("%s is neither PNG nor JPEG; convert it to one of them first", path)
	case err != nil:
		return picture{}, fmt.Errorf("%s is damaged or cut short: %w", path, err)
	}
	return pictureOf(img), nil
}

// write stores p as a PNG file. The file is replaced only once p is encoded.
func write(path string, p picture) error {
	img := &image.NRGBA{Pix: p.rgba, Stride: 4 * p.width, Rect: image.Rect(0, 0, p.width, p.height)}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// pictureOf copies the pixels of img.
func pictureOf(img image.Image) picture {
	r := img.Bounds()
	p := picture{height: r.Dy(), width: r.Dx()}
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
		// Without alpha both kinds of RGBA are one, and Draw is fast.
		rgba := image.NewRGBA(image.Rect(0, 0, p.width, p.height))
		draw.Draw(rgba, rgba.Bounds(), img, r.Min, draw.Src)
		p.rgba = rgba.Pix
		return p
	}
	p.rgba = make([]uint8, 0, 4*p.width*p.height)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			p.rgba = append(p.rgba, c.R, c.G, c.B, c.A)
		}
	}
	return p
}
