package main

import (
	"flag"
	"log"
	"os"
	"slices"
	"sync"

	"github.com/stride0/stride0/internal/nvrtc"
)

// arch is the virtual architecture of the archive, Maxwell's: every later GPU's
// driver compiles it (PTX ISA, "Target Architecture").
const arch = 52

func main() {
	log.SetFlags(0)
	log.SetPrefix("ptxgen: ")
	path := flag.String("out", "ptx.zip", "the archive")
	flag.Parse()
	if err := update(*path); err != nil {
		log.Fatal(err)
	}
}

// update brings the archive up to date, if it is not and there is NVRTC.
func update(path string) error {
	want, err := sources()
	if err != nil {
		return err
	}
	old, err := readArchive(path)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(want), func(s source) bool { return old[s.key] != nil })
	if len(missing) == 0 && len(old) == len(want) {
		return nil
	}
	c, err := nvrtc.Open(nvrtc.Libraries...)
	if err == nil && !slices.Contains(c.Archs, arch) {
		log.Printf("NVRTC %s does not compile for compute capability 5.2 any more; %s stays as it is", c.Version, path)
		return nil
	}
	if err != nil {
		log.Printf("%d kernels are not in %s, and there is no NVRTC: %v", len(missing), path, err)
		return nil
	}
	made, err := compile(c, missing)
	if err != nil {
		return err
	}
	for key, ptx := range made {
		old[key] = ptx
	}
	data, err := writeArchive(want, old)
	if err != nil {
		return err
	}
	log.Printf("%d kernel sources, %d of them compiled now, %d bytes", len(want), len(missing), len(data))
	return os.WriteFile(path, data, 0o644)
}

// compile returns the PTX of sources by key.
func compile(c *nvrtc.Compiler, all []source) (map[string][]byte, error) {
	made := make(map[string][]byte, len(all))
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	next := make(chan source)
	for range 2 { // NVRTC does little more at a time
		wg.Go(func() {
			for s := range next {
				ptx, _, err := c.Compile(s.text, arch, nvrtc.PTX)
				mu.Lock()
				if err != nil && failed == nil {
					failed = err
				}
				made[s.key] = strip(ptx)
				mu.Unlock()
			}
		})
	}
	for _, s := range all {
		next <- s
	}
	close(next)
	wg.Wait()
	return made, failed
}
