package devicetest

import (
	"slices"

	"github.com/stride0/stride0/broadcast"
)

type axisMask = broadcast.AxisMask

// PieceLimiter is what a device may offer to tests: it cuts launches into
// pieces of at most limit elements or offsets, instead of 2^31, until restore
// is called.
type PieceLimiter interface {
	LimitPieces(limit int) (restore func())
}

// pieceChecks run the forms again in small pieces, where the device can.
func (s *suite) pieceChecks(apps []application) []check {
	limiter, ok := s.dev.(PieceLimiter)
	if !ok {
		return nil
	}
	return []check{{"pieces", func(s *suite) error {
		var errs collector
		for _, limit := range []int{100, 1 << 10, 1 << 12} {
			restore := limiter.LimitPieces(limit)
			for _, a := range apps {
				if slices.Contains([]string{"sub_float32", "sum_float32", "argmax_float64_int64", "arange_int32"}, a.name) {
					errs.add(s.checkPieces(a))
				}
			}
			restore()
		}
		return errs.err()
	}}}
}

// checkPieces runs forms that are worth cutting.
func (s *suite) checkPieces(a application) error {
	forms := append(indexForms(), sameShape("long", dense, 5000), sameShape("long, backwards", reversed, 3000))
	if a.reduces() {
		forms = append(indexReduceForms(), reducing("long leading", dense, 0b01, 2100, 3), reducing("very long", dense, 1, 10000))
	}
	var errs collector
	for i, f := range forms {
		errs.add(s.checkForm(a, f, uint64(i)))
	}
	return errs.err()
}
