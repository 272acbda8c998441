package devicetest

import (
	"math"
	"strings"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// simMuler is a sim that multiplies matrices, naively.
type simMuler struct{ *sim }

func (d *simMuler) Alloc(bytes int64) (device.Buffer, error) {
	b, err := d.sim.Alloc(bytes)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// MatMul uses the walk of the check itself; a bug changes what it computes.
func (d *simMuler) MatMul(m *device.MatMul) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	size := m.DType.Size()
	load := func(o device.Operand) (operand, error) {
		b, err := d.own(o.Buffer)
		if err != nil {
			return operand{}, err
		}
		return operand{mem: &memory{size: size, cells: decode(size, b.data[o.Offset:])}}, nil
	}
	p := &product{MatMul: *m}
	var err error
	if p.a, err = load(m.A); err != nil {
		return err
	}
	if p.b, err = load(m.B); err != nil {
		return err
	}
	if p.c, err = load(m.C); err != nil {
		return err
	}
	if d.has("ignores transposition") {
		p.TransB = false
	}
	odometer(append(append([]int(nil), m.Batch...), m.M, m.N), func(index []int) { d.cell(p, index) })
	if d.has("writes behind each row") && m.LDC > m.N && m.M > 0 {
		p.c.mem.cells[m.N] = 0
	}
	copy(m.C.Buffer.(*simBuffer).data[m.C.Offset:], encode(size, p.c.mem.cells))
	return nil
}

func (d *simMuler) cell(p *product, index []int) {
	if d.has("leaves C alone when K is 0") && p.K == 0 {
		return
	}
	if d.has("ignores the batch strides of B") {
		p.BatchB = make([]int, len(p.BatchB))
	}
	at, sum, _ := p.element(index)
	if d.has("adds to C") {
		sum += valueOf(p.DType, p.c.mem.cells[at])
	}
	if d.has("skips zeros") && math.IsNaN(sum) {
		sum = 0
	}
	p.c.mem.cells[at] = elementOf(p.DType, sum)
}

func matMulErrors(t *testing.T, bug string) map[string]error {
	t.Helper()
	s := &suite{dev: &simMuler{newSim(bug)}, declined: map[string]bool{}}
	checks := s.matMulChecks()
	if len(checks) == 0 {
		t.Fatal("no checks for a device that multiplies")
	}
	errs := map[string]error{}
	for _, c := range checks {
		errs[c.name] = c.run(s)
	}
	return errs
}

func TestMatMulChecksPassNaiveProduct(t *testing.T) {
	for name, err := range matMulErrors(t, "") {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMatMulBugsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("a test of the tests, which is slow")
	}
	for bug, found := range map[string]string{
		"ignores transposition":          "sizes",
		"writes behind each row":         "sizes",
		"leaves C alone when K is 0":     "K=0",
		"ignores the batch strides of B": "batches",
		"adds to C":                      "sizes",
		"skips zeros":                    "NaN",
	} {
		errs := matMulErrors(t, bug)
		for _, d := range dtype.All() {
			if found == "NaN" && !d.IsFloat() {
				continue
			}
			if errs["matmul "+d.String()+" "+found] == nil {
				t.Errorf("%s: not found by the check of %s for %s", bug, found, d)
			}
		}
	}
}

func TestMatMulOfAnotherDevice(t *testing.T) {
	s := &suite{dev: Lagging(&simMuler{newSim("")}, LagOptions{}), declined: map[string]bool{}}
	for _, c := range append(s.matMulChecks(), check{"use after free", (*suite).checkUseAfterFree}, check{"foreign", (*suite).checkForeign}) {
		if err := c.run(s); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if !strings.HasPrefix(s.dev.Info().Name, "lagging(") {
		t.Errorf("tested %s", s.dev.Info().Name)
	}
}
