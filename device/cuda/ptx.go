package cuda

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// archive holds the PTX of kernels of single operations: a file for each
// kernels.KernelGroup, in which every piece of PTX follows a line with the
// first 16 hexadecimal digits of the SHA-256 of its source and its length. So
// PTX that is older than its source is never taken.
//
//go:generate go run ../../internal/gen/ptxgen
//go:embed ptx.zip
var archive []byte

// archiveRelease is the least driver that takes the archive's PTX: that of CUDA
// 11.0, since it is of ISA 7.0.
const archiveRelease = 11_000

var openArchive = sync.OnceValues(func() (*zip.Reader, error) {
	return zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
})

// embedded returns the PTX of a source whose kernels are of a group, or nil.
// Errors: the archive is damaged.
func embedded(group, source string) ([]byte, error) {
	r, err := openArchive()
	if err != nil {
		return nil, err
	}
	f, err := r.Open(group)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", group, err)
	}
	return find(text, fmt.Sprintf("%x", sha256.Sum256([]byte(source)))[:16])
}

// find returns the PTX under a key in a file of the archive, or nil.
func find(text []byte, key string) ([]byte, error) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		var k string
		var n int
		if _, err := fmt.Sscanf(string(line), "%s %d", &k, &n); err != nil || n < 0 || n > len(rest) {
			return nil, fmt.Errorf("no key and length in %q", line)
		}
		if k == key {
			return rest[:n], nil
		}
		text = rest[n:]
	}
	return nil, nil
}
