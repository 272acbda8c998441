package cudasim

import (
	"fmt"
	"testing"

	"github.com/stride0/stride0/internal/dl"
)

// Sim is the simulator as loaded into this process. Whoever opens the library
// at Path sees the same devices.
type Sim struct {
	lib  *dl.Library
	path string
}

// Open builds and loads the simulator. The test is skipped where that is not
// possible, see Build.
func Open(t testing.TB) *Sim {
	t.Helper()
	if !canCall && required() {
		t.Fatal("STRIDE0_REQUIRE lists cudasim, which needs cgo and Linux")
	}
	if !canCall {
		t.Skip("the CUDA simulator needs cgo and Linux")
	}
	path := Build(t)
	lib, err := dl.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return &Sim{lib, path}
}

// Path returns where the library lies, to be opened as libcuda.so.1 would be.
func (s *Sim) Path() string { return s.path }

// Set changes a setting; src/settings.h lists them. An unknown key or value is
// an error.
func (s *Sim) Set(key, value string) error {
	if s.control("cudasim_set", key, value) != 0 {
		return fmt.Errorf("cudasim: %q cannot be set to %q", key, value)
	}
	return nil
}

// Reports returns what the checks found since the last call, a line each.
func (s *Sim) Reports() string { return s.text("cudasim_reports") }

// Leaks returns, a line each, what contexts held when they were given up since
// the last call, and what is held now.
func (s *Sim) Leaks() string { return s.text("cudasim_leaks") }

// symbol returns a function of the library, which always has it.
func (s *Sim) symbol(name string) uintptr {
	f, err := s.lib.Symbol(name)
	if err != nil {
		panic(err)
	}
	return f
}
