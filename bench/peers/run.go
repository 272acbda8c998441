package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stride0/stride0/bench"
	"github.com/stride0/stride0/bench/peers/protocol"
	"github.com/stride0/stride0/bench/peers/report"
	"github.com/stride0/stride0/bench/peers/servers"
)

// settle is a pause between slices, in which the helper threads of the peer
// before stop spinning.
const settle = 5 * time.Millisecond

// A peer over slow times as slow as the best one is left alone after slowRounds
// rounds: it would take most of the time of the run and decide nothing.
const (
	slow       = 10
	slowRounds = 2
)

// A plan is what a run measures.
type plan struct {
	rounds     int
	slowRounds int
	slice      float64 // seconds
	running    []*started
}

// A task is a series that is being measured.
type task struct {
	report.Series
	from *started
	done bool
}

// workloads are what memory gives (named read, write and copy) and the suite, or
// those of them that are named.
func workloads(only []string) []report.Work {
	work := []report.Work{{W: servers.ReadMemory}, {W: servers.WriteMemory}, {W: servers.CopyMemory}}
	for _, c := range bench.Suite() {
		work = append(work, report.Work{W: c.ID, Text: c.Work, Bytes: c.Bytes(), Flops: c.Flops})
	}
	if len(only) == 0 {
		return work
	}
	return slices.DeleteFunc(work, func(w report.Work) bool { return !slices.Contains(only, w.W) })
}

// modesOf are the modes in which a peer is asked for w.
func modesOf(name, w string) []string {
	switch name {
	case "memory":
		return []string{servers.Normal, servers.Streaming}
	case "stride0":
		return []string{protocol.Alloc, protocol.Out, servers.Garbage}
	case "contiguous":
		if !strings.HasPrefix(w, "X") {
			return nil
		}
	}
	return []string{protocol.Alloc, protocol.Out}
}

// measure runs all rounds of one workload. Warnings say which peers failed.
func (p plan) measure(w string) (series []report.Series, warnings []string) {
	tasks, warnings := p.prepare(w)
	for round := range p.rounds {
		rand.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
		for _, t := range tasks {
			if t.done {
				continue
			}
			time.Sleep(settle)
			a := t.from.ask(protocol.Request{W: w, Mode: t.Mode, Budget: p.slice})
			if len(a.MS) == 0 {
				t.done = true
				warnings = append(warnings, fmt.Sprintf("%s %s %s: %s%s", t.Peer, w, t.Mode, a.Error, a.Skip))
				continue
			}
			t.MS = append(t.MS, report.Median(a.MS))
		}
		if round+1 >= p.slowRounds {
			dropSlow(tasks)
		}
	}
	for _, t := range tasks {
		if len(t.MS) > 0 {
			series = append(series, t.Series)
		}
	}
	p.everyone(func(s *started) { s.ask(protocol.Request{}) })
	return series, warnings
}

// dropSlow ends the series of peers that are far behind the best in their mode.
func dropSlow(tasks []*task) {
	best := map[string]float64{}
	for _, t := range tasks {
		if ms := t.Time(); ms > 0 && (best[t.Mode] == 0 || ms < best[t.Mode]) {
			best[t.Mode] = ms
		}
	}
	for _, t := range tasks {
		if t.Peer != report.Ours && t.Time() > slow*best[t.Mode] {
			t.done = true
		}
	}
}

// prepare has all peers make the operands of w, at the same time, and returns
// a task for each mode that they have.
func (p plan) prepare(w string) (tasks []*task, warnings []string) {
	var mu sync.Mutex
	p.everyone(func(s *started) {
		if !s.has(w) {
			return
		}
		for _, mode := range modesOf(s.name, w) {
			a := s.ask(protocol.Request{W: w, Mode: mode})
			mu.Lock()
			if a.Error != "" {
				warnings = append(warnings, fmt.Sprintf("%s %s %s: %s", s.name, w, mode, a.Error))
			}
			if len(a.MS) > 0 {
				tasks = append(tasks, &task{Series: report.Series{W: w, Mode: mode, Peer: s.name, Threads: s.threads}, from: s})
			}
			mu.Unlock()
		}
	})
	return tasks, warnings
}

// everyone calls f for all peers at once.
func (p plan) everyone(f func(s *started)) {
	var wait sync.WaitGroup
	for _, s := range p.running {
		wait.Go(func() { f(s) })
	}
	wait.Wait()
}
