package report

import (
	"fmt"
	"image/color"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/stride0/stride0/bench/peers/protocol"
)

// The size of a chart, and of a group of bars in it.
const (
	chartWidth  = 24 * vg.Centimeter
	chartHeight = 10 * vg.Centimeter
	groupWidth  = 18 // points
)

// highest is where a bar is cut off, so that one great ratio does not hide the
// others.
const highest = 5

// palette holds colours that stay apart for colour-blind readers (Okabe, Ito).
var palette = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{230, 159, 0, 255}, color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{150, 150, 150, 255},
}

// goPeers are the other Go libraries, one bar together.
var goPeers = []string{"gonum", "vek", "gorgonia", "gomlx"}

// A group is the bars of one colour.
type group struct {
	name   string
	values plotter.Values
}

// Charts writes peers-new.svg and peers-existing.svg (every peer's speed, the
// best peer's being 1) and limit.svg (the share of memory bandwidth that ours
// reaches) to dir.
func (r *Run) Charts(dir string) error {
	n := slices.Max(append(r.threads(), 1))
	for mode, name := range map[string]string{protocol.Alloc: "new", protocol.Out: "existing"} {
		labels, groups := r.speeds(mode, n)
		text := fmt.Sprintf("Speed into %s result, best peer = 1, %s (cut at %d)", map[string]string{"new": "a new", "existing": "an existing"}[name], count(n), highest)
		if err := draw(filepath.Join(dir, "peers-"+name+".svg"), text, labels, groups); err != nil {
			return err
		}
	}
	labels, groups := r.shares(n)
	return draw(filepath.Join(dir, "limit.svg"), "Share of memory bandwidth reached, "+count(n), labels, groups)
}

// speeds are those of ours, each Python peer and the fastest Go peer.
func (r *Run) speeds(mode string, n int) (labels []string, groups []group) {
	fastest := func(w string, peers ...string) (ms float64) {
		for _, p := range peers {
			if t := r.Peer(w, mode, p, n); t > 0 && (ms == 0 || t < ms) {
				ms = t
			}
		}
		return ms
	}
	groups = []group{{name: Ours}, {name: "NumPy"}, {name: "PyTorch"}, {name: "numexpr"}, {name: "best other Go"}}
	members := [][]string{{Ours}, {"numpy"}, {"torch", "torch-avx512"}, {"numexpr"}, goPeers}
	for _, w := range r.Work {
		_, best := r.Best(w.W, mode, n)
		if best == 0 || r.Find(w.W, mode, Ours, n) == 0 {
			continue
		}
		labels = append(labels, strings.TrimPrefix(w.W, "W"))
		for i := range groups {
			groups[i].values = append(groups[i].values, min(highest, ratio(best, fastest(w.W, members[i]...))))
		}
	}
	return labels, groups
}

// shares are those of ours in both modes, where memory is the limit.
func (r *Run) shares(n int) (labels []string, groups []group) {
	groups = []group{{name: "new result"}, {name: "existing result"}}
	for _, w := range r.Work {
		if w.Flops > 0 || r.Reached(w.W, protocol.Alloc, n) == 0 {
			continue
		}
		labels = append(labels, strings.TrimPrefix(w.W, "W"))
		for i, mode := range modes {
			groups[i].values = append(groups[i].values, r.Reached(w.W, mode, n))
		}
	}
	return labels, groups
}

func draw(file, text string, labels []string, groups []group) error {
	if len(labels) == 0 {
		return nil // nothing of it was measured
	}
	p := plot.New()
	p.Title.Text = text
	p.Y.Min = 0
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	width := vg.Points(groupWidth / float64(len(groups)))
	for i, g := range groups {
		bars, err := plotter.NewBarChart(g.values, width)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		bars.Color = palette[i%len(palette)]
		bars.LineStyle.Width = 0
		bars.Offset = width * vg.Length(float64(i)-float64(len(groups)-1)/2)
		p.Add(bars)
		p.Legend.Add(g.name, bars)
	}
	p.NominalX(labels...)
	p.X.Tick.Label.Rotation = 0.8
	p.X.Tick.Label.XAlign = -1
	return p.Save(chartWidth, chartHeight, file)
}
