package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// Check returns one line for everything in packages that the rules forbid.
func Check(packages []Package, rules []Rule) []string {
	violations := checkRules(packages, rules)
	for _, p := range packages {
		i := slices.IndexFunc(rules, func(r Rule) bool { return r.Package == p.Path })
		for _, f := range p.Files {
			if i >= 0 && !f.Test {
				violations = append(violations, checkImports(rules[i], f)...)
			}
			violations = append(violations, checkFile(p, f)...)
		}
		violations = append(violations, checkPackage(p)...)
	}
	return violations
}

// checkRules makes sure that every package has one rule.
func checkRules(packages []Package, rules []Rule) (violations []string) {
	seen := map[string]int{}
	for _, r := range rules {
		seen[r.Package]++
		if seen[r.Package] > 1 {
			violations = append(violations, fmt.Sprintf("rules.go has two rules for %q", r.Package))
		}
	}
	for _, p := range packages {
		if seen[p.Path] == 0 {
			violations = append(violations, fmt.Sprintf("package %q has no rule; add one to rules.go", p.Path))
		}
	}
	return violations
}

// checkImports holds one non-test file against the rule of its package.
func checkImports(r Rule, f File) (violations []string) {
	for _, imported := range f.Imports {
		ok := true
		if own, found := strings.CutPrefix(imported, Module+"/"); found {
			ok = slices.Contains(r.Imports, own)
		} else if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") {
			ok = slices.ContainsFunc(r.External, func(module string) bool {
				return imported == module || strings.HasPrefix(imported, module+"/")
			})
		}
		if !ok {
			violations = append(violations, fmt.Sprintf("%s must not import %s; move the code, or change the design and rules.go",
				at(r.Package, f), imported))
		}
	}
	return violations
}

// checkFile holds one file against the rules of length and generation. A test's
// table may make its function long.
func checkFile(p Package, f File) (violations []string) {
	add := func(format string, args ...any) {
		violations = append(violations, at(p.Path, f)+" "+fmt.Sprintf(format, args...))
	}
	if named := strings.HasPrefix(f.Name, "z"); named != f.Generated {
		add("is named or marked as generated, but not both: generated files start with z and have a Code generated line")
	}
	if f.Generated && slices.Contains(noGenerated, p.Path) {
		add("is generated: no generated code in this package")
	}
	limit := MaxLines
	if f.Generated {
		limit = MaxGeneratedLines
	} else if !f.Test && f.Longest.Lines > MaxFuncLines {
		add("has a function %s of %d lines, more than %d: one job a function", f.Longest.Name, f.Longest.Lines, MaxFuncLines)
	}
	if f.Lines > limit {
		add("has %d lines, more than %d: one job a file", f.Lines, limit)
	}
	return violations
}

// checkPackage asks for a doc.go and an example. The generators, commands that
// only go generate runs, need no example.
func checkPackage(p Package) (violations []string) {
	if !slices.ContainsFunc(p.Files, func(f File) bool { return f.Name == "doc.go" }) {
		violations = append(violations, fmt.Sprintf("package %q has no doc.go", p.Path))
	}
	generator := p.Name == "main" && strings.HasPrefix(p.Path, "internal/")
	if !generator && !slices.ContainsFunc(p.Files, func(f File) bool { return f.Example }) {
		violations = append(violations, fmt.Sprintf("package %q has no Example test", p.Path))
	}
	return violations
}

// at names a file of a package.
func at(path string, f File) string {
	if path == "" {
		return f.Name
	}
	return path + "/" + f.Name
}
