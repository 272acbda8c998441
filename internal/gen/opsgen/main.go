package main

import (
	"bytes"
	"flag"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("opsgen: ")
	dir := flag.String("dir", "..", "the root of the module")
	flag.Parse()
	path, out := filepath.Join(*dir, "OPS.md"), []byte(text())
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, out) {
		return
	}
	if err := os.WriteFile(path, out, 0o644); err != nil {
		log.Fatal(err)
	}
}
