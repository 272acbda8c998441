package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// shades draw a pixel from paper to ink. Each stands twice in a row, since
// a terminal's cells are about twice as high as wide.
var shades = [...]string{"  ", "░░", "▒▒", "▓▓", "██"}

// A picture is one image with the line to write under it.
type picture struct {
	image   []float32 // side*side values from 0 to 1
	caption string
}

// draw writes the pictures side by side.
func draw(w io.Writer, pictures []picture) error {
	var b strings.Builder
	for row := range side {
		for i, p := range pictures {
			gap(&b, i)
			for _, v := range p.image[row*side : (row+1)*side] {
				b.WriteString(shade(v))
			}
		}
		b.WriteByte('\n')
	}
	for i, p := range pictures {
		gap(&b, i)
		b.WriteString(p.caption)
		b.WriteString(strings.Repeat(" ", max(0, 2*side-utf8.RuneCountInString(p.caption))))
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// gap separates picture i from the one before it.
func gap(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString("   ")
	}
}

// shade returns the cells for a pixel; values outside 0..1 count as the nearer end.
func shade(v float32) string {
	i := int(v * float32(len(shades)))
	return shades[min(max(i, 0), len(shades)-1)]
}
