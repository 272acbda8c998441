package cudasim

import "testing"

// BenchmarkSimulator says how long tests take, and nothing of any GPU.
func BenchmarkSimulator(b *testing.B) {
	b.Run("floats_float32/n=16384", func(b *testing.B) {
		g := newGPU(b)
		const n = 1 << 14
		f := g.function(g.module("compute.ptx"), "floats_float32")
		x, out := upload(g, make([]float32, n)), g.alloc(4*22*n)
		b.SetBytes(4 * 24 * n)
		for b.Loop() {
			g.run(f, n, x, x, out, uint32(n))
		}
	})
	b.Run("reduce/n=16384", func(b *testing.B) {
		g := newGPU(b)
		const n = 1 << 14
		f := g.function(g.module("compute.ptx"), "reduce")
		x, out := upload(g, make([]int32, n)), g.alloc(4*100)
		b.SetBytes(4 * n)
		for b.Loop() {
			g.launch(f, [3]int{16, 1, 1}, [3]int{256, 1, 1}, 1024, x, out, uint32(n))
			g.ok("cuCtxSynchronize")
		}
	})
	b.Run("launch", func(b *testing.B) {
		g := newGPU(b)
		f := g.function(g.module("faulty.ptx"), "store_past_end")
		p := g.alloc(128)
		for b.Loop() {
			g.launch(f, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, p, uint32(1))
			g.ok("cuCtxSynchronize")
		}
	})
}
