package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/stride0/stride0/bench/peers/protocol"
)

// A peer is a library, before it is started.
type peer struct {
	name   string
	python string            // of the script's peers, its name there
	env    []string          // for its process
	needs  string            // flag of /proc/cpuinfo without which it cannot run
	multi  func(string) bool // the workloads for which it uses more threads than one; nil: all
}

func matMul(w string) bool { return strings.HasPrefix(w, "W14") }
func none(string) bool     { return false }

// list is every peer. PyTorch 1.13 does not choose AVX-512 by itself; its
// better figure counts.
var list = []peer{
	{name: "stride0"},
	{name: "contiguous"},
	{name: "memory"},
	{name: "loop", multi: none},
	{name: "gonum", multi: matMul},
	{name: "vek", multi: none},
	{name: "gorgonia", multi: matMul},
	{name: "gomlx"},
	{name: "numpy", python: "numpy", multi: matMul},
	{name: "torch", python: "torch"},
	{name: "torch-avx512", python: "torch", env: []string{"ATEN_CPU_CAPABILITY=avx512"}, needs: "avx512f"},
	{name: "numexpr", python: "numexpr"},
}

// A started is a peer on a number of threads.
type started struct {
	peer
	threads int
	process *protocol.Process
	broken  error // why it is not asked any more
}

// start starts every peer that is wanted (all if none is named) and can be had,
// on one thread and on all; it says why others are left out.
func (o options) start() (running []*started, leftOut []string) {
	flags, _ := os.ReadFile("/proc/cpuinfo") // elsewhere the peers with needs are left out
	wanted := split(o.peers)
	for _, p := range list {
		if len(wanted) > 0 && !slices.Contains(wanted, p.name) {
			continue
		}
		err := p.missing(o.python, strings.Fields(string(flags)))
		for _, n := range p.threads(o) {
			if err != nil {
				break
			}
			var process *protocol.Process
			if process, err = protocol.Start(p.command(o.python, n)); err == nil {
				running = append(running, &started{peer: p, threads: n, process: process})
			}
		}
		if err != nil {
			leftOut = append(leftOut, fmt.Sprintf("%s (%v)", p.name, err))
		}
	}
	return running, leftOut
}

// threads are the numbers of threads to measure p on. A quick run leaves out
// one thread where p uses more.
func (p peer) threads(o options) []int {
	switch {
	case o.threads == 1:
		return []int{1}
	case o.quick && p.multi == nil:
		return []int{o.threads}
	}
	return []int{1, o.threads}
}

// missing says why p cannot be had on a CPU with these flags.
func (p peer) missing(script string, flags []string) error {
	if p.needs != "" && !slices.Contains(flags, p.needs) {
		return fmt.Errorf("this CPU has no %s", p.needs)
	}
	if p.python != "" {
		return importable(p.python, script)
	}
	return nil
}

// interpreter is the Python for which distributions install packages.
const interpreter = "/usr/bin/python3"

// importable says why a peer of the script cannot be had.
func importable(module, script string) error {
	if _, err := os.Stat(script); err != nil {
		return fmt.Errorf("no script of Python peers; -python or STRIDE0_PEERS names it: %w", err)
	}
	if err := exec.Command(interpreter, "-c", "import "+module).Run(); err != nil {
		return fmt.Errorf("%s cannot import it: %w", interpreter, err)
	}
	return nil
}

// command is the process that serves p.
func (p peer) command(script string, threads int) *exec.Cmd {
	n := strconv.Itoa(threads)
	cmd := exec.Command(os.Args[0], "-serve", p.name, "-threads", n)
	if p.python != "" {
		cmd = exec.Command(interpreter, script, "--serve", p.python, n)
	}
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+n, "OPENBLAS_NUM_THREADS="+n, "OMP_NUM_THREADS="+n, "NUMEXPR_MAX_THREADS="+n)
	cmd.Env = append(cmd.Env, p.env...)
	cmd.Stderr = os.Stderr
	return cmd
}

// has says whether s is worth asking: on more threads than one only where it
// uses them.
func (s *started) has(w string) bool {
	return s.broken == nil && (s.threads == 1 || s.multi == nil || s.multi(w))
}

// ask asks s; a peer that fails is not asked again.
func (s *started) ask(q protocol.Request) protocol.Answer {
	if s.broken != nil {
		return protocol.Answer{Skip: "broken"}
	}
	a, err := s.process.Ask(q)
	if err != nil {
		s.broken = err
		return protocol.Answer{Error: err.Error()}
	}
	return a
}
