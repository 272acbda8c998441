package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The lines of performance.md between which the tables stand.
const (
	begin = "<!-- measured: written by make bench-peers -->\n"
	end   = "<!-- end of measured -->\n"
)

// JSON writes all that was measured to a file.
func (r *Run) JSON(file string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// Docs writes the charts and performance.json to dir and replaces the tables of
// its performance.md.
func (r *Run) Docs(dir string) error {
	page := filepath.Join(dir, "performance.md")
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	replaced, err := replace(string(text), r.Markdown())
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	if err := r.Charts(dir); err != nil {
		return err
	}
	if err := r.JSON(filepath.Join(dir, "performance.json")); err != nil {
		return err
	}
	return os.WriteFile(page, []byte(replaced), 0o644)
}

// replace puts tables between the two marks of text.
func replace(text, tables string) (string, error) {
	before, rest, ok := strings.Cut(text, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("no lines %q and %q to put the tables between", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + "\n" + tables + "\n" + end + after, nil
}
