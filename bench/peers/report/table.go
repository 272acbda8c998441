package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stride0/stride0/bench/peers/protocol"
	"github.com/stride0/stride0/bench/peers/servers"
)

// Markdown returns the tables of docs/performance.md.
func (r *Run) Markdown() string {
	var b strings.Builder
	m := r.Machine
	fmt.Fprintf(&b, "Measured %s on %s, %d threads, %s, load before the run %s: %d rounds, %.0f ms of each peer in each, in random order; medians.\n",
		m.Time, m.CPU, m.Threads, m.Go, m.Load, r.Rounds, r.Slice*1e3)
	for _, peer := range r.LeftOut {
		fmt.Fprintf(&b, "Left out: %s.\n", peer)
	}
	r.bandwidths(&b)
	for _, threads := range r.threads() {
		r.comparison(&b, threads)
	}
	for _, threads := range r.threads() {
		r.shapes(&b, threads)
	}
	for _, mode := range modes {
		r.everyone(&b, mode)
	}
	return b.String()
}

// threads are the numbers that ours was measured on, the greatest first.
func (r *Run) threads() []int {
	var n []int
	for _, s := range r.Measured {
		if s.Peer == Ours && !slices.Contains(n, s.Threads) {
			n = append(n, s.Threads)
		}
	}
	slices.SortFunc(n, func(a, b int) int { return cmp.Compare(b, a) })
	return n
}

func title(b *strings.Builder, text string, columns ...string) {
	fmt.Fprintf(b, "\n### %s\n\n| %s |\n|%s\n", text, strings.Join(columns, " | "), strings.Repeat(" --- |", len(columns)))
}

func (r *Run) bandwidths(b *strings.Builder) {
	title(b, "What memory gives, GB/s", "threads", "read", "write", "copy, read and written bytes")
	for _, n := range r.threads() {
		fmt.Fprintf(b, "| %d |", n)
		for _, w := range []string{servers.ReadMemory, servers.WriteMemory, servers.CopyMemory} {
			fmt.Fprintf(b, " %s |", number(r.Bandwidth(w, n)/1e9))
		}
		b.WriteString("\n")
	}
}

// comparison is the table of one number of threads.
func (r *Run) comparison(b *strings.Builder, n int) {
	title(b, fmt.Sprintf("Against the best peer, %s", count(n)),
		"workload", "MB moved", "limit, ms", "new result, ms", "best peer", "× faster", "of limit",
		"existing result, ms", "best peer", "× faster", "of limit", "not freed, ms")
	for _, w := range r.Work {
		if strings.HasPrefix(w.W, "X") || r.Find(w.W, protocol.Alloc, Ours, n) == 0 {
			continue
		}
		fmt.Fprintf(b, "| %s %s | %s | %s |", w.W, cell(w.Text), number(float64(w.Bytes)/1e6), number(r.Limit(w.W, n)))
		for _, mode := range modes {
			peer, ms := r.Best(w.W, mode, n)
			fmt.Fprintf(b, " %s | %s | %s | %s |", number(r.Find(w.W, mode, Ours, n)),
				strings.TrimSpace(peer+" "+number(ms)), number(r.Speedup(w.W, mode, n)), percent(r.Reached(w.W, mode, n)))
		}
		fmt.Fprintf(b, " %s |\n", number(r.Find(w.W, servers.Garbage, Ours, n)))
	}
}

// shapes is the table of cases that are measured against contiguous ones.
func (r *Run) shapes(b *strings.Builder, n int) {
	if !slices.ContainsFunc(r.Work, func(w Work) bool { return r.Slowdown(w.W, protocol.Out, n) > 0 }) {
		return
	}
	title(b, fmt.Sprintf("Against the contiguous float32 addition of the same bytes, %s", count(n)),
		"workload", "MB moved", "new result, ms", "× contiguous", "existing result, ms", "× contiguous", "of limit")
	for _, w := range r.Work {
		if !strings.HasPrefix(w.W, "X") || r.Find(w.W, protocol.Out, Ours, n) == 0 {
			continue
		}
		fmt.Fprintf(b, "| %s | %s |", cell(w.Text), number(float64(w.Bytes)/1e6))
		for _, mode := range modes {
			fmt.Fprintf(b, " %s | %s |", number(r.Find(w.W, mode, Ours, n)), number(r.Slowdown(w.W, mode, n)))
		}
		fmt.Fprintf(b, " %s |\n", percent(r.Reached(w.W, protocol.Out, n)))
	}
}

// everyone is the table of all peers in one mode.
func (r *Run) everyone(b *strings.Builder, mode string) {
	n := slices.Max(append(r.threads(), 1))
	peers := r.peers(mode)
	text := map[string]string{protocol.Alloc: "a new result", protocol.Out: "an existing result"}[mode]
	title(b, fmt.Sprintf("All peers into %s, ms, %s (or one, of those that use one)", text, count(n)), append([]string{"workload"}, peers...)...)
	for _, w := range r.Work {
		if strings.HasPrefix(w.W, "X") {
			continue
		}
		fmt.Fprintf(b, "| %s |", w.W)
		for _, peer := range peers {
			fmt.Fprintf(b, " %s |", number(r.Peer(w.W, mode, peer, n)))
		}
		b.WriteString("\n")
	}
}

// peers are all that were measured in a mode, ours first and references last.
func (r *Run) peers(mode string) []string {
	var names []string
	for _, s := range r.Measured {
		if s.Mode == mode && s.Peer != contiguous && !slices.Contains(names, s.Peer) {
			names = append(names, s.Peer)
		}
	}
	rank := func(name string) int {
		switch name {
		case Ours:
			return 0
		case loop:
			return 2
		}
		return 1
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	return names
}

// number writes three digits; "–" for what was not measured.
func number(v float64) string {
	switch {
	case v == 0:
		return "–"
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v < 0.1:
		return fmt.Sprintf("%.3g", v)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.*f", max(0, 2-digits(v)), v), ".")
}

// digits is how many digits v has before its point, less one.
func digits(v float64) int {
	d := -1
	for ; v >= 1; v /= 10 {
		d++
	}
	return max(d, -1)
}

func percent(v float64) string {
	if v == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", v*100)
}

func count(threads int) string {
	if threads == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", threads)
}

// cell keeps stars out of Markdown's hands.
func cell(text string) string { return "`" + strings.ReplaceAll(text, "|", "\\|") + "`" }
