package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/all"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gpucheck: ")
	name := flag.String("device", "cuda:0", "the device to measure")
	n := flag.Int("n", 28, "elements, as a power of 2; at least 16")
	present := flag.Bool("present", false, "only tell whether there is the device")
	describe := flag.Bool("describe", false, "only describe the device")
	beside := flag.String("beside", "", "a file with measurements by something else")
	flag.Parse()
	dev, err := device.Open(*name)
	if err != nil {
		log.Fatal(err)
	}
	switch {
	case *present:
	case *describe:
		info := dev.Info()
		fmt.Printf("%s: %s, %s, %s\n", info.Name, info.Model, info.Driver, device.Bytes(info.Memory))
	default:
		err = table(os.Stdout, dev, max(*n, 16), read(*beside))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// read returns the seconds that a file has for each name; none without a file.
func read(path string) map[string]float64 {
	out := map[string]float64{}
	f, err := os.Open(path)
	if err != nil {
		return out
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var name string
		var seconds float64
		if _, err := fmt.Sscan(s.Text(), &name, &seconds); err == nil {
			out[name] = seconds
		}
	}
	return out
}

// table measures everything and writes a table in Markdown.
func table(w io.Writer, dev device.Device, n int, beside map[string]float64) error {
	all, err := measures(dev, n)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "| 2^%d float32 elements | time | bandwidth | PyTorch | times PyTorch's speed |\n| --- | --- | --- | --- | --- |\n", n)
	for _, m := range all {
		seconds, err := best(dev, m.run)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		peer, ratio := "-", "-"
		if s, ok := beside[strings.Fields(m.name)[0]]; ok {
			peer, ratio = fmt.Sprintf("%.3f ms", 1e3*s), fmt.Sprintf("%.2f", s/seconds)
		}
		fmt.Fprintf(w, "| %s | %.3f ms | %.0f GB/s | %s | %s |\n", m.name, 1e3*seconds, float64(m.bytes)/seconds/1e9, peer, ratio)
	}
	return nil
}

// best returns the seconds of one run: the least of five rounds of ten.
func best(dev device.Device, run func() error) (float64, error) {
	const rounds, runs = 5, 10
	least := time.Duration(1 << 62)
	for round := -1; round < rounds; round++ { // the first one compiles and warms up
		if err := dev.Sync(); err != nil {
			return 0, err
		}
		start := time.Now()
		for range runs {
			if err := run(); err != nil {
				return 0, err
			}
		}
		if err := dev.Sync(); err != nil {
			return 0, err
		}
		if round >= 0 {
			least = min(least, time.Since(start))
		}
	}
	return least.Seconds() / runs, nil
}
