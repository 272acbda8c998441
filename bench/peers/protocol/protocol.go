// Package protocol is how the runner asks a peer for measurements: a process
// that answers lines of JSON, so that a peer can be written in any language.
//
// Vocabulary: a Request names a workload, a mode and a budget of seconds; an
// Answer holds the times of single runs, or why there are none. Modes are
// "alloc" (the peer allocates the result) and "out" (an existing result);
// a peer may have more. {"w":""} frees the operands of the last workload.
//
//	{"w":"W3","mode":"alloc","budget":0.1}
//	{"ms":[4.1,4.0,4.2]}
//
// A Maker makes the runs of a workload; Serve answers with what it times, and
// Start is the other end.
package protocol

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"
)

// The modes that every peer is asked for.
const (
	Alloc = "alloc" // the result is allocated
	Out   = "out"   // the result is written over an existing one
)

// A Request is one line to a peer.
type Request struct {
	W      string  `json:"w"`
	Mode   string  `json:"mode"`
	Budget float64 `json:"budget"` // seconds of measuring, roughly
}

// An Answer is one line back.
type Answer struct {
	MS    []float64 `json:"ms,omitempty"`    // milliseconds of each run
	Skip  string    `json:"skip,omitempty"`  // the peer does not have this
	Error string    `json:"error,omitempty"` // it has, but failed
}

// A Run runs a workload once.
type Run func() error

// A Maker makes the operands of a workload and returns its runs by mode, none
// for a workload that the peer does not have.
type Maker func(w string) (map[string]Run, error)

// The number of runs in an answer, as the peers in Python have it.
const (
	minRuns = 3
	maxRuns = 400
	warmUps = 2
)

// inner is how many runs of a workload are timed as one: those that take less
// than the clock's step.
func inner(w string) int {
	if strings.HasPrefix(w, "W13") {
		return 2000
	}
	return 1
}

// Serve answers the requests on in until it ends.
func Serve(in io.Reader, out io.Writer, maker Maker) error {
	s := server{maker: maker}
	answers := json.NewEncoder(out)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var q Request
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return fmt.Errorf("request %q: %w", lines.Text(), err)
		}
		if err := answers.Encode(s.answer(q)); err != nil {
			return err
		}
	}
	return lines.Err()
}

// A server holds the operands of one workload at a time.
type server struct {
	maker  Maker
	w      string
	runs   map[string]Run
	warmed map[string]bool
	err    error // of maker
}

func (s *server) answer(q Request) Answer {
	if q.W != s.w {
		s.w, s.runs, s.warmed, s.err = q.W, nil, map[string]bool{}, nil
		debug.FreeOSMemory()
		if q.W != "" {
			s.runs, s.err = s.maker(q.W)
		}
	}
	run := s.runs[q.Mode]
	switch {
	case q.W == "":
		return Answer{}
	case s.err != nil:
		return Answer{Error: s.err.Error()}
	case run == nil:
		return Answer{Skip: "n/a"}
	}
	ms, err := s.sample(q, run)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	return Answer{MS: ms}
}

// sample times runs one after another, with the freeing of their results,
// until the budget is spent.
func (s *server) sample(q Request, run Run) ([]float64, error) {
	if !s.warmed[q.Mode] {
		s.warmed[q.Mode] = true
		for range warmUps {
			if err := run(); err != nil {
				return nil, err
			}
		}
	}
	var ms []float64
	n := inner(q.W)
	end := time.Now().Add(time.Duration(q.Budget * float64(time.Second)))
	for len(ms) < maxRuns && (len(ms) < minRuns || time.Now().Before(end)) {
		start := time.Now()
		for range n {
			if err := run(); err != nil {
				return nil, err
			}
		}
		ms = append(ms, time.Since(start).Seconds()*1e3/float64(n))
	}
	return ms, nil
}
