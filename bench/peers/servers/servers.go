// Package servers makes the workloads of the Go peers: ours, the libraries it
// is compared with, and two references: a hand-written loop, and memory, which
// moves the bytes of a workload with the fastest loops of the Go runtime.
//
// To add a peer, write its Maker in a file of its own and add it to All.
package servers

import (
	"github.com/stride0/stride0/bench"
	"github.com/stride0/stride0/bench/peers/protocol"
)

// All are the peers by name. A maker takes the number of threads that it may
// use, which is GOMAXPROCS too.
var All = map[string]func(threads int) (protocol.Maker, error){
	"stride0":    ours,
	"contiguous": contiguous,
	"loop":       loop,
	"memory":     memory,
	"gonum":      gonum,
	"vek":        vek,
	"gorgonia":   gorgonia,
	"gomlx":      goMLX,
}

// find returns the case of that ID.
func find(w string) (bench.Case, bool) {
	for _, c := range bench.Suite() {
		if c.ID == w {
			return c, true
		}
	}
	return bench.Case{}, false
}

// random returns n numbers spread like those of a normal distribution: the sum
// of four uniform ones, from a fixed seed.
func random(n int) []float32 {
	v := make([]float32, n)
	state := uint64(n)*2 + 1
	for i := range v {
		state = state*6364136223846793005 + 1442695040888963407
		u := state >> 32
		v[i] = float32(u&0xff+u>>8&0xff+u>>16&0xff+u>>24)/148 - 3.445
	}
	return v
}

// positive returns random numbers from 1 on, to divide by.
func positive(n int) []float32 {
	v := random(n)
	for i, x := range v {
		v[i] = 1 + max(x, -x)
	}
	return v
}

// slices makes the runs of a peer that computes on slices: compute writes out,
// which is n elements, new in each run of mode alloc.
func slices(n int, compute func(out []float32)) map[string]protocol.Run {
	existing := make([]float32, n)
	return map[string]protocol.Run{
		protocol.Alloc: func() error { compute(make([]float32, n)); return nil },
		protocol.Out:   func() error { compute(existing); return nil },
	}
}
