package cudasim

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file that no unit has would be left out of the library.
func TestEveryFileIsInOneUnit(t *testing.T) {
	names, err := fs.Glob(source, "src/*.cpp")
	require.NoError(t, err)
	var want []string
	for _, name := range names {
		want = append(want, strings.TrimSuffix(strings.TrimPrefix(name, "src/"), ".cpp"))
	}
	assert.Equal(t, want, slices.Sorted(slices.Values(slices.Concat(units...))))
}

// Files a reader must take in at once stay short.
func TestFilesAreShort(t *testing.T) {
	err := fs.WalkDir(source, "src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := source.ReadFile(name)
		assert.Less(t, strings.Count(string(text), "\n"), 600, name)
		return err
	})
	require.NoError(t, err)
}
