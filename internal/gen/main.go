package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	dir := flag.String("dir", ".", "the folder of package cpu")
	flag.Parse()
	files, err := generate()
	if err == nil {
		err = write(*dir, files)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// write makes the generated files of dir those of files: it leaves equal ones
// alone, so that a build does not start over, and removes those of rows that
// are gone.
func write(dir string, files map[string][]byte) error {
	old, err := generated(dir)
	if err != nil {
		return err
	}
	for name := range old {
		if files[name] == nil {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	for name, text := range files {
		if bytes.Equal(old[name], text) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generated returns the files of dir that this program wrote, by name. Those of
// assembly are written by cpu/_asm.
func generated(dir string) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "z*.go"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if strings.HasPrefix(filepath.Base(path), "zasm") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("cannot compare with the generated file: %w", err)
		}
		files[filepath.Base(path)] = text
	}
	return files, nil
}
