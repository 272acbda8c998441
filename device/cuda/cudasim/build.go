package cudasim

import (
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

//go:embed src
var source embed.FS

// flags of g++. Results must be those of IEEE 754: nothing is contracted, and
// integers wrap.
var flags = []string{"-std=c++17", "-O1", "-fPIC", "-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden"}

// units are the files that are compiled together: most of the time goes into
// the headers of the standard library. Files of one unit share no static name.
var units = [][]string{
	{"ops_integer", "ops_warp", "warp", "runner", "shared"},
	{"ops_memory", "decode", "lexer", "parser", "body"},
	{"ops_float", "ops_compare", "settings", "memory", "stream", "driver"},
	{"ops_convert", "api_device", "api_memory", "api_module"},
}

// built is the library of this process.
var built = sync.OnceValues(build)

// Build compiles the library, once for this version of its source, and returns
// its path. Without g++ the test is skipped, unless STRIDE0_REQUIRE lists
// cudasim.
func Build(t testing.TB) string {
	t.Helper()
	path, err := built()
	switch {
	case err == nil:
		return path
	case required():
		t.Fatalf("STRIDE0_REQUIRE lists cudasim: %v", err)
	case errors.Is(err, exec.ErrNotFound):
		t.Skipf("needs g++ to build the CUDA simulator: %v", err)
	default:
		t.Fatal(err)
	}
	return ""
}

// required reports whether STRIDE0_REQUIRE lists cudasim.
func required() bool {
	return slices.Contains(strings.Split(os.Getenv("STRIDE0_REQUIRE"), ","), "cudasim")
}

// build returns the path of the library, which another process may have
// compiled before. A lock keeps tests of several packages from compiling it at
// the same time, and a rename from using it half written.
func build() (string, error) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		return "", err
	}
	key, err := hash(compiler)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(os.TempDir(), "stride0-cudasim-"+key)
	path := filepath.Join(dir, "libcudasim.so")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	unlock, err := lock(filepath.Join(dir, "lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	work, err := os.MkdirTemp(dir, "build")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	library, err := compile(compiler, work)
	if err != nil {
		return "", err
	}
	return path, os.Rename(library, path)
}

// hash names what the library depends on: source, flags, compiler, user.
func hash(compiler string) (string, error) {
	version, err := exec.Command(compiler, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", compiler, err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %q %q %s", os.Getuid(), flags, units, version)
	err = fs.WalkDir(source, "src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := source.ReadFile(name)
		fmt.Fprintf(h, "%s %d %s", name, len(text), text)
		return err
	})
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), err
}

// compile writes the source to a folder and makes the library there, one unit
// on each CPU at a time.
func compile(compiler, dir string) (string, error) {
	if err := os.CopyFS(dir, source); err != nil {
		return "", err
	}
	files, err := writeUnits(dir)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	failed := make(chan error, len(files))
	for _, file := range files {
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			failed <- run(ctx, compiler, append(slices.Clone(flags), "-c", file, "-o", file+".o"))
		}()
	}
	for range files {
		if e := <-failed; e != nil && err == nil {
			err = e
			cancel()
		}
	}
	if err != nil {
		return "", err
	}
	library := filepath.Join(dir, "libcudasim.so")
	args := []string{"-shared", "-pthread", "-o", library}
	for _, file := range files {
		args = append(args, file+".o")
	}
	return library, run(ctx, compiler, args)
}

// writeUnits writes one file for each unit, which includes those of the unit.
func writeUnits(dir string) (files []string, err error) {
	for i, unit := range units {
		var text strings.Builder
		for _, name := range unit {
			fmt.Fprintf(&text, "#include \"src/%s.cpp\"\n", name)
		}
		file := filepath.Join(dir, fmt.Sprintf("unit%d.cpp", i))
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// run calls the compiler; its error has what the compiler said.
func run(ctx context.Context, compiler string, args []string) error {
	out, err := exec.CommandContext(ctx, compiler, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", compiler, strings.Join(args, " "), err, out)
	}
	return nil
}
