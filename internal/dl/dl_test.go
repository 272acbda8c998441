package dl_test

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/internal/dl"
)

// libc is a library that every Linux machine with the GNU C library has.
const libc = "libc.so.6"

// needLibc skips where there is nothing to open; what happens there is tested
// by TestOpenNamesWhatItLookedFor.
func needLibc(t *testing.T) *dl.Library {
	t.Helper()
	lib, err := dl.Open("libstride0-absent.so", libc)
	if errors.Is(err, dl.ErrNoLoader) || runtime.GOOS != "linux" {
		t.Skip("no loader, or no libc.so.6, in this build")
	}
	if err != nil {
		t.Skip("no GNU C library here")
	}
	return lib
}

func TestOpenNamesWhatItLookedFor(t *testing.T) {
	_, err := dl.Open("libstride0-absent.so.1", "/nonexistent/libstride0.so")
	var failed *dl.OpenError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, []string{"libstride0-absent.so.1", "/nonexistent/libstride0.so"}, failed.Names)
	assert.True(t, strings.HasPrefix(err.Error(), "found none of libstride0-absent.so.1, /nonexistent/libstride0.so: "), err.Error())
	if errors.Is(err, dl.ErrNoLoader) {
		assert.Contains(t, err.Error(), "needs cgo")
		return
	}
	require.Len(t, failed.Reasons, 2)
	assert.Contains(t, failed.Reasons[0], "libstride0-absent.so.1")
	assert.Contains(t, err.Error(), failed.Reasons[0]+"; "+failed.Reasons[1])
}

func TestOpenWithoutNames(t *testing.T) {
	_, err := dl.Open()
	var failed *dl.OpenError
	assert.ErrorAs(t, err, &failed)
}

func TestOpenTakesTheFirstThatIsThere(t *testing.T) {
	assert.Equal(t, libc, needLibc(t).Name())
}

func TestSymbol(t *testing.T) {
	lib := needLibc(t)
	p, err := lib.Symbol("strlen")
	require.NoError(t, err)
	assert.NotZero(t, p)

	p, err = lib.Symbol("stride0_has_no_such_function")
	assert.Zero(t, p)
	var missing *dl.SymbolError
	require.ErrorAs(t, err, &missing)
	assert.Equal(t, "libc.so.6 has no function stride0_has_no_such_function", err.Error())
}

func TestProcessHasWhatIsLoadedOnly(t *testing.T) {
	needLibc(t)
	lib, ok := dl.Process("strlen")
	require.True(t, ok)
	p, err := lib.Symbol("strlen")
	require.NoError(t, err)
	assert.NotZero(t, p)

	_, ok = dl.Process("stride0_has_no_such_function")
	assert.False(t, ok)
}

// The loader's message is per thread: concurrent failures must not mix theirs.
func TestConcurrentFailuresKeepTheirReasons(t *testing.T) {
	needLibc(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := "libstride0-absent-" + string(rune('a'+i)) + ".so"
			for range 50 {
				_, err := dl.Open(name)
				var failed *dl.OpenError
				if assert.ErrorAs(t, err, &failed) {
					assert.Contains(t, failed.Reasons[0], name)
				}
			}
		})
	}
	wg.Wait()
}
