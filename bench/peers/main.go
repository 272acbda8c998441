package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/stride0/stride0/bench/peers/protocol"
	"github.com/stride0/stride0/bench/peers/report"
	"github.com/stride0/stride0/bench/peers/servers"
)

// options are the flags.
type options struct {
	serve, python, docs, json, only, peers string
	threads, rounds                        int
	slice                                  time.Duration
	quick                                  bool
	limit                                  time.Duration
}

func main() {
	o := parse()
	run := o.compare
	if o.serve != "" {
		run = o.answer
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func parse() options {
	script := os.Getenv("STRIDE0_PEERS")
	if script == "" {
		script = "../../../shared/peers/peers.py"
	}
	var o options
	flag.BoolVar(&o.quick, "quick", false, "fewer rounds, all threads only: about two minutes")
	flag.StringVar(&o.only, "only", "", "workloads, separated by commas; all without")
	flag.StringVar(&o.peers, "peers", "", "peers, separated by commas; all without")
	flag.StringVar(&o.python, "python", script, "the script that serves NumPy, PyTorch and numexpr (STRIDE0_PEERS)")
	flag.StringVar(&o.docs, "docs", "", "a folder with a performance.md, for its tables, its charts and performance.json")
	flag.StringVar(&o.json, "json", "", "a file for all that was measured")
	flag.IntVar(&o.threads, "threads", runtime.NumCPU(), "threads; one is measured too")
	flag.IntVar(&o.rounds, "rounds", 11, "rounds")
	flag.DurationVar(&o.slice, "slice", 50*time.Millisecond, "how long a peer is measured in each round, about")
	flag.DurationVar(&o.limit, "for", 24*time.Hour, "begin no workload after this time")
	flag.StringVar(&o.serve, "serve", "", "be a peer: answer requests on standard input")
	flag.Parse()
	if o.quick {
		o.rounds, o.slice = 3, 10*time.Millisecond
	}
	return o
}

// answer is the program as a peer.
func (o options) answer() error {
	start, ok := servers.All[o.serve]
	if !ok {
		return fmt.Errorf("no peer %q", o.serve)
	}
	maker, err := start(o.threads)
	if err != nil {
		return err
	}
	return protocol.Serve(os.Stdin, os.Stdout, maker)
}

// compare is the program as the runner.
func (o options) compare() error {
	r := &report.Run{Machine: machine(o.threads), Rounds: o.rounds, Slice: o.slice.Seconds()}
	p := plan{rounds: o.rounds, slowRounds: slowRounds, slice: o.slice.Seconds()}
	p.running, r.LeftOut = o.start()
	if o.quick {
		p.slowRounds = 1
	}
	defer p.everyone(func(s *started) { _ = s.process.Close() })
	start := time.Now()
	for _, w := range workloads(split(o.only)) {
		begin := time.Now()
		if begin.Sub(start) > o.limit {
			r.LeftOut = append(r.LeftOut, w.W+" (no time left)")
			continue
		}
		series, warnings := p.measure(w.W)
		r.Measured = append(r.Measured, series...)
		if w.Text != "" {
			r.Work = append(r.Work, w)
		}
		for _, warning := range warnings {
			fmt.Fprintln(os.Stderr, warning)
		}
		fmt.Fprintf(os.Stderr, "%s: %d series, %.1f s\n", w.W, len(series), time.Since(begin).Seconds())
	}
	for _, s := range p.running {
		if s.broken != nil {
			r.LeftOut = append(r.LeftOut, fmt.Sprintf("%s on %d threads, in part (%v)", s.name, s.threads, s.broken))
		}
	}
	return o.write(r)
}

// write writes the report where the flags say.
func (o options) write(r *report.Run) error {
	if o.json != "" {
		if err := r.JSON(o.json); err != nil {
			return err
		}
	}
	if o.docs != "" {
		if err := r.Docs(o.docs); err != nil {
			return err
		}
	}
	_, err := os.Stdout.WriteString(r.Markdown())
	return err
}

// split cuts a list at commas; nil if it is empty.
func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// machine describes this one, as far as Linux tells.
func machine(threads int) report.Machine {
	m := report.Machine{CPU: runtime.GOARCH, Threads: threads, Load: "unknown", Go: runtime.Version(), Time: time.Now().UTC().Format("2006-01-02 15:04 UTC")}
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, after, ok := strings.Cut(string(info), "model name"); ok {
			line, _, _ := strings.Cut(after, "\n")
			m.CPU = strings.Trim(line, "\t :")
		}
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load = strings.Fields(string(load))[0]
	}
	return m
}
