package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/cpu"
)

// The table on the CPU, beside one foreign measurement.
func TestTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "torch")
	require.NoError(t, os.WriteFile(path, []byte("W2 0.5\nnoise\n"), 0o644))
	var b strings.Builder
	require.NoError(t, table(&b, cpu.Default(), 16, read(path)))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.Len(t, lines, 8, b.String())
	assert.Regexp(t, `^\| copy on the device \| [0-9.]+ ms \| [0-9]+ GB/s \| - \| - \|$`, lines[2])
	assert.Regexp(t, `^\| W2 add \| .* \| 500\.000 ms \| [0-9.]+ \|$`, lines[3])
	assert.Empty(t, read("nowhere"))
}
