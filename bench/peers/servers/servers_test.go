package servers

import (
	"sync/atomic"
	"testing"

	"github.com/stride0/stride0/bench/peers/protocol"
)

// TestServersRun runs the workloads that are small enough for a test in every
// mode of every server, and has each refuse one that nobody has.
func TestServersRun(t *testing.T) {
	for name, start := range All {
		t.Run(name, func(t *testing.T) {
			maker, err := start(2)
			if err != nil {
				t.Fatal(err)
			}
			ran := 0
			for _, w := range []string{"W1", "W8", "W9exp", "W9gelu", "W13a", "W13b", "W13c", "W14a", "Xshort"} {
				runs, err := maker(w)
				if err != nil {
					t.Fatalf("%s: %v", w, err)
				}
				for mode, run := range runs {
					if err := run(); err != nil {
						t.Errorf("%s %s: %v", w, mode, err)
					}
					ran++
				}
			}
			if ran < 3 {
				t.Errorf("has %d runs of the workloads that are tried", ran)
			}
			if runs, err := maker("W99"); err != nil || len(runs) != 0 {
				t.Errorf("an unknown workload: %d runs, %v", len(runs), err)
			}
		})
	}
}

// TestSlicesWriteTheResult holds that a new result is new and has its size.
func TestSlicesWriteTheResult(t *testing.T) {
	var lengths []int
	runs := slices(5, func(out []float32) {
		lengths = append(lengths, len(out))
		out[0]++
		if len(lengths) == 1 && out[0] != 1 {
			t.Error("an allocated result is not new")
		}
	})
	for _, mode := range []string{protocol.Alloc, protocol.Out, protocol.Out} {
		if err := runs[mode](); err != nil {
			t.Fatal(err)
		}
	}
	if len(lengths) != 3 || lengths[0] != 5 || lengths[2] != 5 {
		t.Errorf("computed results of %v elements, want three of 5", lengths)
	}
}

// TestShareMoves proves that a share copies what it reads and writes, in
// pieces and at once, and clears the rest.
func TestShareMoves(t *testing.T) {
	for _, size := range []int{piece, MemoryBytes} {
		s := newShare(3*piece+7, 2*piece+5)
		for i := range s.src[:len(s.dst)] {
			s.src[i] = 9
		}
		s.move(size)
		for i, v := range s.dst {
			if v != 9 {
				t.Fatalf("pieces of %d: byte %d is not copied", size, i)
			}
		}
		s.free()
		s = newShare(0, piece+3)
		for i := range s.dst {
			s.dst[i] = 9
		}
		s.move(size)
		for i, v := range s.dst {
			if v != 0 {
				t.Fatalf("pieces of %d: byte %d is not written", size, i)
			}
		}
		s.free()
	}
}

// TestTeamRunsEveryThreadOnce also lets the helpers fall asleep between runs.
func TestTeamRunsEveryThreadOnce(t *testing.T) {
	const threads = 3
	team := newTeam(threads)
	var counts [threads]atomic.Int64
	for turn := range int64(500) {
		team.run(func(i int) { counts[i].Add(1) })
		for i := range counts {
			if n := counts[i].Load(); n != turn+1 {
				t.Fatalf("run %d: thread %d has run %d times", turn, i, n)
			}
		}
	}
}

// TestRandomSpreads holds the operands to a spread around 0, and divisors away
// from it.
func TestRandomSpreads(t *testing.T) {
	var sum, squares float64
	v := random(100_000)
	for _, x := range v {
		sum += float64(x)
		squares += float64(x) * float64(x)
	}
	n := float64(len(v))
	if mean, variance := sum/n, squares/n; mean < -0.05 || mean > 0.05 || variance < 0.8 || variance > 1.2 {
		t.Errorf("mean %v, variance %v, want about 0 and 1", mean, variance)
	}
	for _, x := range positive(1000) {
		if x < 1 {
			t.Fatalf("%v among divisors", x)
		}
	}
}
