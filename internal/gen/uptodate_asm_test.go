package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAssemblyIsUpToDate runs the tests of cpu/_asm, which regenerate the
// assembly and compare. That is a module of its own: where what it needs cannot
// be downloaded the test skips.
func TestAssemblyIsUpToDate(t *testing.T) {
	dir := filepath.Join("..", "..", "cpu", "_asm")
	for _, pattern := range []string{filepath.Join(dir, "*"), filepath.Join(dir, "..", "zasm*")} {
		paths, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, paths, pattern)
		for _, path := range paths { // or the go command would take an earlier result as this one
			_, err := os.ReadFile(path)
			require.NoError(t, err)
		}
	}
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOOS=", "GOARCH=", "GOWORK=off")
		return cmd.CombinedOutput()
	}
	if text, err := run("mod", "download"); err != nil {
		t.Skipf("go mod download in cpu/_asm: %v\n%s", err, text)
	}
	text, err := run("test", "-count=1", ".")
	require.NoError(t, err, "%s", text)
}
