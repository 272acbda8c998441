package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUpToDate(t *testing.T) {
	want, err := generate()
	require.NoError(t, err)
	got, err := generated(filepath.Join("..", "..", "cpu"))
	require.NoError(t, err)
	for name, text := range want {
		if !bytes.Equal(got[name], text) {
			t.Errorf("cpu/%s does not follow from the op table and internal/gen", name)
		}
	}
	for name := range got {
		if want[name] == nil {
			t.Errorf("cpu/%s belongs to no row", name)
		}
	}
	if t.Failed() {
		t.Log("run: go generate ./cpu")
	}
}

func TestFilesAreReviewable(t *testing.T) {
	files, err := generate()
	require.NoError(t, err)
	for name, text := range files {
		require.LessOrEqual(t, bytes.Count(text, []byte("\n")), maxLines, name)
		require.True(t, strings.HasPrefix(string(text), "// Code generated "), name)
	}
}

func TestWriteReplacesOnlyWhatChanged(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"zold.go": "old", "zsame.go": "same", "keep.go": "keep"} {
		require.NoError(t, os.WriteFile(path(name), []byte(text), 0o644))
	}
	require.NoError(t, os.Chmod(path("zsame.go"), 0o400))
	require.NoError(t, write(dir, map[string][]byte{"zsame.go": []byte("same"), "znew.go": []byte("new")}))
	require.NoFileExists(t, path("zold.go"))
	require.FileExists(t, path("keep.go"))
	text, err := os.ReadFile(path("znew.go"))
	require.NoError(t, err)
	require.Equal(t, "new", string(text))
}
