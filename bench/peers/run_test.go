package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stride0/stride0/bench/peers/protocol"
	"github.com/stride0/stride0/bench/peers/report"
	"github.com/stride0/stride0/bench/peers/servers"
)

// asPeer makes the test binary a fake peer, which breaks at its nth request if
// the value is a number.
const asPeer = "PEERS_TEST_PEER"

func TestMain(m *testing.M) {
	switch os.Getenv(asPeer) {
	case "":
		os.Exit(m.Run())
	case "good":
		if protocol.Serve(os.Stdin, os.Stdout, fake) != nil {
			os.Exit(1)
		}
	case "dies in a run":
		_ = protocol.Serve(os.Stdin, os.Stdout, func(string) (map[string]protocol.Run, error) {
			n := 0
			return map[string]protocol.Run{protocol.Out: func() error {
				if n++; n > 6 {
					os.Exit(1)
				}
				return nil
			}}, nil
		})
	}
}

func fake(w string) (map[string]protocol.Run, error) {
	return map[string]protocol.Run{protocol.Out: func() error { return nil }}, nil
}

func fakePeer(t *testing.T, name, kind string) *started {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asPeer+"="+kind)
	process, err := protocol.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Close() })
	return &started{peer: peer{name: name}, threads: 1, process: process}
}

// TestMeasureInterleaves proves that every peer that answers has one median of
// each round, and that one that dies loses only what it had not measured.
func TestMeasureInterleaves(t *testing.T) {
	good, bad := fakePeer(t, "good", "good"), fakePeer(t, "bad", "dies in a run")
	p := plan{rounds: 3, slowRounds: 4, running: []*started{good, bad}}
	series, warnings := p.measure("W1")
	if len(series) != 1 || series[0].Peer != "good" || series[0].Mode != protocol.Out || len(series[0].MS) != 3 {
		t.Errorf("measured %v, want three rounds of good", series)
	}
	if len(warnings) != 1 || !strings.HasPrefix(warnings[0], "bad W1 out: ") || bad.broken == nil {
		t.Errorf("warnings %q, want one of the peer that died (%v)", warnings, bad.broken)
	}
	if series, _ = p.measure("W2"); len(series) != 1 {
		t.Errorf("after that %v, want good alone", series)
	}
}

func TestDropSlow(t *testing.T) {
	at := func(peer, mode string, ms float64) *task {
		return &task{Series: report.Series{Peer: peer, Mode: mode, MS: []float64{ms}}}
	}
	tasks := []*task{
		at("fast", "out", 1), at("close", "out", 9), at("slow", "out", 11), at(report.Ours, "out", 50),
		at("slow", "alloc", 11), {Series: report.Series{Peer: "never", Mode: "out"}},
	}
	dropSlow(tasks)
	for i, want := range []bool{false, false, true, false, false, false} {
		if tasks[i].done != want {
			t.Errorf("%s %s: left out is %v", tasks[i].Peer, tasks[i].Mode, tasks[i].done)
		}
	}
}

// TestListHasServers holds the list of peers and the servers together.
func TestListHasServers(t *testing.T) {
	listed := map[string]bool{}
	for _, p := range list {
		if _, ok := servers.All[p.name]; ok == (p.python != "") {
			t.Errorf("%s: a server in Go is %v, the script's name is %q", p.name, ok, p.python)
		}
		listed[p.name] = true
	}
	for name := range servers.All {
		if !listed[name] {
			t.Errorf("%s is served, but not in the list", name)
		}
	}
}

func TestPeersThatAreNotThere(t *testing.T) {
	o := options{peers: "numpy,torch-avx512", python: t.TempDir() + "/none.py", threads: 1}
	running, leftOut := o.start()
	if len(running) != 0 || len(leftOut) != 2 || !strings.Contains(leftOut[0], "STRIDE0_PEERS") {
		t.Errorf("started %d, left out %q; want both left out, the script named", len(running), leftOut)
	}
}

func TestThreads(t *testing.T) {
	many, single := peer{}, peer{multi: none}
	for _, c := range []struct {
		p     peer
		o     options
		first int
		n     int
	}{
		{many, options{threads: 1}, 1, 1}, {many, options{threads: 4}, 1, 2},
		{many, options{threads: 4, quick: true}, 4, 1}, {single, options{threads: 4, quick: true}, 1, 2},
	} {
		if got := c.p.threads(c.o); len(got) != c.n || got[0] != c.first {
			t.Errorf("%+v: threads %v", c.o, got)
		}
	}
}
