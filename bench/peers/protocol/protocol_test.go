package protocol

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// fake has workload "W1" in mode alloc, fails in "W2", cannot make "W3".
func fake(runs *int) Maker {
	return func(w string) (map[string]Run, error) {
		switch w {
		case "W1", "W13a":
			return map[string]Run{Alloc: func() error { *runs++; return nil }}, nil
		case "W2":
			return map[string]Run{Alloc: func() error { return errors.New("no memory") }}, nil
		case "W3":
			return nil, errors.New("no operands")
		}
		return nil, nil
	}
}

func TestServeAnswersLineByLine(t *testing.T) {
	var runs int
	var out strings.Builder
	in := strings.NewReader(strings.Join([]string{
		`{"w":"W1","mode":"out","budget":0}`,
		`{"w":"W2","mode":"alloc","budget":0}`,
		`{"w":"W3","mode":"alloc","budget":0}`,
		`{"w":"W99","mode":"alloc","budget":0}`,
		`{"w":""}`,
	}, "\n"))
	if err := Serve(in, &out, fake(&runs)); err != nil {
		t.Fatal(err)
	}
	want := `{"skip":"n/a"}
{"error":"no memory"}
{"error":"no operands"}
{"skip":"n/a"}
{}
`
	if out.String() != want {
		t.Errorf("answers\n%swant\n%s", out.String(), want)
	}
}

func TestServeRefusesWhatIsNoRequest(t *testing.T) {
	err := Serve(strings.NewReader("W1 alloc\n"), new(strings.Builder), fake(new(int)))
	if err == nil || !strings.Contains(err.Error(), "W1 alloc") {
		t.Errorf("error %v does not quote the line", err)
	}
}

// TestSampleCounts proves how often a workload runs: warm-ups once for each
// workload, at least minRuns times without a budget, tiny ones many at a time.
func TestSampleCounts(t *testing.T) {
	var runs int
	s := server{maker: fake(&runs)}
	for _, c := range []struct {
		w    string
		want int
	}{{"W1", warmUps + minRuns}, {"W1", minRuns}, {"W13a", warmUps + minRuns*2000}, {"W1", warmUps + minRuns}} {
		runs = 0
		if a := s.answer(Request{W: c.w, Mode: Alloc}); len(a.MS) != minRuns || runs != c.want {
			t.Errorf("%s: %d times from %d runs, want %d from %d", c.w, len(a.MS), runs, minRuns, c.want)
		}
	}
	if a := s.answer(Request{W: "W1", Mode: Alloc, Budget: 60}); len(a.MS) != maxRuns {
		t.Errorf("%d times in a long budget, want %d", len(a.MS), maxRuns)
	}
}

// asPeer makes the test binary a peer: "serve" answers, "die" ends at the
// first request, "babble" answers what is no JSON.
const asPeer = "PROTOCOL_TEST_PEER"

func TestMain(m *testing.M) {
	switch os.Getenv(asPeer) {
	case "serve":
		if Serve(os.Stdin, os.Stdout, fake(new(int))) != nil {
			os.Exit(1)
		}
	case "die":
		os.Exit(3)
	case "babble":
		_, _ = os.Stdout.WriteString("Welcome to numbers 3.0\n")
	default:
		os.Exit(m.Run())
	}
}

func process(t *testing.T, kind string) *Process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asPeer+"="+kind)
	p, err := Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestProcessRoundTrip(t *testing.T) {
	p := process(t, "serve")
	for _, q := range []Request{{W: "W1", Mode: Alloc, Budget: 0.001}, {W: "W13a", Mode: Alloc}} {
		a, err := p.Ask(q)
		if err != nil || len(a.MS) < minRuns {
			t.Errorf("%v: %v, %v", q, a, err)
		}
	}
	if a, err := p.Ask(Request{W: "W1", Mode: Out}); err != nil || a.Skip != "n/a" {
		t.Errorf("a mode that it lacks: %v, %v", a, err)
	}
	if a, err := p.Ask(Request{}); err != nil || a.MS != nil || a.Skip != "" {
		t.Errorf("freeing: %v, %v", a, err)
	}
	if err := p.Close(); err != nil {
		t.Error("a peer ends without error when its input ends:", err)
	}
}

func TestProcessThatFails(t *testing.T) {
	for _, kind := range []string{"die", "babble"} {
		p := process(t, kind)
		if a, err := p.Ask(Request{W: "W1", Mode: Alloc}); err == nil {
			t.Errorf("%s: answer %v without an error", kind, a)
		}
		_ = p.Close()
	}
}
