package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strconv"
)

const (
	side    = 8           // pixels along each edge of an image
	pixels  = side * side // pixels of an image
	classes = 10          // the digits 0 to 9
	ink     = 16          // the value of the darkest pixel in the file
)

//go:embed data/digits.csv.gz
var digitsCSV []byte

// A set is a number of images with their labels, in host memory.
type set struct {
	images []float32 // pixels values per image, 0 (paper) to 1 (ink), row by row
	labels []int64   // the digit each image shows
}

// len returns the number of images.
func (s set) len() int { return len(s.labels) }

// image returns the pixels of image i.
func (s set) image(i int) []float32 { return s.images[i*pixels : (i+1)*pixels] }

// pick returns the images at the given places, in that order.
func (s set) pick(places []int) set {
	p := set{make([]float32, 0, len(places)*pixels), make([]int64, 0, len(places))}
	for _, i := range places {
		p.images = append(p.images, s.image(i)...)
		p.labels = append(p.labels, s.labels[i])
	}
	return p
}

// loadDigits reads the embedded file: all 1,797 images.
func loadDigits() (set, error) {
	z, err := gzip.NewReader(bytes.NewReader(digitsCSV))
	if err != nil {
		return set{}, err
	}
	rows := csv.NewReader(z)
	rows.FieldsPerRecord = pixels + 1
	records, err := rows.ReadAll()
	if err != nil {
		return set{}, err
	}
	var s set
	for i, record := range records {
		if err := s.appendRecord(record); err != nil {
			return set{}, fmt.Errorf("image %d: %w", i, err)
		}
	}
	return s, nil
}

// appendRecord adds one line of the file: 64 pixels and the digit.
func (s *set) appendRecord(record []string) error {
	for i, field := range record {
		v, err := strconv.Atoi(field)
		switch {
		case err != nil:
			return err
		case i == pixels && 0 <= v && v < classes:
			s.labels = append(s.labels, int64(v))
		case i < pixels && 0 <= v && v <= ink:
			s.images = append(s.images, float32(v)/ink)
		default:
			return fmt.Errorf("field %d is %d", i, v)
		}
	}
	return nil
}

// split shuffles s with a fixed seed and holds a fifth of it out, so that
// every run, whatever its own seed, is judged by the same images.
func split(s set) (train, heldOut set) {
	places := rand.New(rand.NewPCG(0, 0)).Perm(s.len())
	n := s.len() / 5
	return s.pick(places[n:]), s.pick(places[:n])
}
