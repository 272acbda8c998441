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
	log.SetPrefix("_asm: ")
	dir := flag.String("dir", "..", "the folder of package cpu")
	verbose := flag.Bool("v", false, "say which rows keep their Go loops, and why")
	flag.Parse()
	g, err := generate()
	if err == nil {
		err = write(*dir, g.files)
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range g.left {
		if *verbose {
			log.Print(line)
		}
	}
}

// write makes the generated files of dir those of files and removes others.
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

// generated returns the files of dir that this program wrote, by name.
func generated(dir string) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "zasm*"))
	files := map[string][]byte{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[filepath.Base(path)] = text
	}
	return files, err
}
