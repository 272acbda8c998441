package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
)

// constants returns the Go name of the constant behind each row, by the row's
// name ("argmax" is ArgMax), as the table in dir spells them: its entries are
// of the form
//
//	ArgMax: {
//		Name: "argmax", ...
func constants(dir string) (map[string]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "optab_*.go"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no optab_*.go in %s", dir)
	}
	names := map[string]string{}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if entry, ok := n.(*ast.KeyValueExpr); ok {
				if row, name := rowOf(entry); name != "" {
					names[name] = row
				}
			}
			return true
		})
	}
	return names, nil
}

// rowOf returns the constant and the name of a table entry, "" for anything else.
func rowOf(entry *ast.KeyValueExpr) (constant, name string) {
	key, isIdent := entry.Key.(*ast.Ident)
	row, isLiteral := entry.Value.(*ast.CompositeLit)
	if !isIdent || !isLiteral {
		return "", ""
	}
	for _, elt := range row.Elts {
		field, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		value, isValue := field.Value.(*ast.BasicLit)
		if k, ok := field.Key.(*ast.Ident); ok && k.Name == "Name" && isValue {
			name, _ = strconv.Unquote(value.Value)
			return key.Name, name
		}
	}
	return "", ""
}
