package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
)

// readArchive returns the PTX in an archive by key, nothing when there is none.
func readArchive(path string) (map[string][]byte, error) {
	out := map[string][]byte{}
	r, err := zip.OpenReader(path)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for _, f := range r.File {
		text, err := readFile(f)
		if err != nil {
			return nil, err
		}
		for len(text) > 0 {
			line, rest, _ := bytes.Cut(text, []byte("\n"))
			var key string
			var n int
			if _, err := fmt.Sscanf(string(line), "%s %d", &key, &n); err != nil || n < 0 || n > len(rest) {
				return nil, fmt.Errorf("%s: no key and length in %q", f.Name, line)
			}
			out[key] = rest[:n]
			text = rest[n:]
		}
	}
	return out, nil
}

func readFile(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// writeArchive returns an archive of the sources' PTX, with nothing in it that
// changes from run to run.
func writeArchive(all []source, ptx map[string][]byte) ([]byte, error) {
	groups := map[string]*bytes.Buffer{}
	var names []string
	for _, s := range all {
		if groups[s.group] == nil {
			groups[s.group] = new(bytes.Buffer)
			names = append(names, s.group)
		}
		text := lower(ptx[s.key])
		fmt.Fprintf(groups[s.group], "%s %d\n", s.key, len(text))
		groups[s.group].Write(text)
	}
	slices.Sort(names)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range names {
		f, err := w.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(groups[name].Bytes()); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// isa is the line that says which version of the PTX ISA a text is of, and
// leastISA what the archive says: 7.0, that of CUDA 11.0, has all its
// instructions (PTX ISA, "Release Notes"), and drivers refuse what is newer than
// themselves.
var isa = regexp.MustCompile(`(?m)^\.version \d+\.\d+$`)

const leastISA = ".version 7.0"

func lower(ptx []byte) []byte { return isa.ReplaceAll(ptx, []byte(leastISA)) }

// strip removes comments, of which NVRTC writes only whole lines, and empty
// lines.
func strip(ptx []byte) []byte {
	var out []byte
	for line := range bytes.Lines(ptx) {
		text := bytes.TrimSpace(line)
		if len(text) > 0 && !bytes.HasPrefix(text, []byte("//")) {
			out = append(append(out, text...), '\n')
		}
	}
	return out
}
