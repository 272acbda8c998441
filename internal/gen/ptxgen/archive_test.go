package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const archivePath = "../../../device/cuda/ptx.zip"

// TestArchiveIsUpToDate: every source is in the archive, and nothing else is.
func TestArchiveIsUpToDate(t *testing.T) {
	all, err := sources()
	require.NoError(t, err)
	have, err := readArchive(archivePath)
	require.NoError(t, err)
	missing := 0
	for _, s := range all {
		if len(have[s.key]) == 0 {
			missing++
		}
	}
	assert.Zero(t, missing, "run go generate in device/cuda where NVRTC 11 is installed (Debian: libnvrtc11.2)")
	assert.Len(t, have, len(all), "and nothing is left over")
	for key, ptx := range have {
		require.True(t, strings.HasPrefix(string(ptx), ".version 7.0\n.target sm_52\n"), "%s begins %.40q", key, ptx)
	}
}

// TestArchiveIsSmall: every program that links device/cuda carries it.
func TestArchiveIsSmall(t *testing.T) {
	info, err := os.Stat(archivePath)
	require.NoError(t, err)
	assert.Less(t, info.Size(), int64(3<<20))
}

func TestArchiveRoundTrip(t *testing.T) {
	all := []source{{"b", "0001", "x"}, {"a", "0002", "y"}, {"b", "0003", "z"}}
	ptx := map[string][]byte{"0001": []byte("one\n"), "0002": []byte("two\nlines\n"), "0003": {}}
	data, err := writeArchive(all, ptx)
	require.NoError(t, err)
	again, err := writeArchive(all, ptx)
	require.NoError(t, err)
	assert.Equal(t, data, again, "the same bytes each time")
	path := t.TempDir() + "/ptx.zip"
	require.NoError(t, os.WriteFile(path, data, 0o644))
	got, err := readArchive(path)
	require.NoError(t, err)
	assert.Equal(t, "two\nlines\n", string(got["0002"]))
	assert.Len(t, got, 3)
	none, err := readArchive(path + ".absent")
	require.NoError(t, err)
	assert.Empty(t, none)
}

func TestStrip(t *testing.T) {
	assert.Equal(t, ".version 7.8\nadd.s32 a, b, c; // sum\n", string(strip([]byte("// by NVRTC\n\n.version 7.8\n\tadd.s32 a, b, c; // sum\n\n"))))
}
