package kernels

import (
	"maps"
	"strconv"
)

// families are the tables that the op table is made of.
var families = []map[Op]Row{arithRows, compareRows, join(mathRows, powerRows), dataRows, reduceRows,
	intRows, roundRows, trigRows, specialRows, activateRows, compositeRows}

var (
	table  [OpLimit]*Row // by Op
	ops    []Op          // of the rows, ascending
	byName = map[string]Op{}
)

// join makes one family of rows that stand in two files.
func join(a, b map[Op]Row) map[Op]Row {
	rows := maps.Clone(a)
	maps.Copy(rows, b)
	return rows
}

// The rows refer to functions that look up rows (mean applies Sum), which the
// compiler would call an initialization cycle in a variable's value.
func init() {
	for _, rows := range families {
		for op, row := range rows {
			table[op] = &row
			byName[row.Name] = op
		}
	}
	for op, row := range table {
		if row != nil {
			ops = append(ops, Op(op))
		}
	}
}

// Row returns what is known of op, nil if it is no row of the table. The
// caller must not change it.
func (op Op) Row() *Row {
	if int(op) >= OpLimit {
		return nil
	}
	return table[op]
}

// String returns the name of op's row or leaf: "add", "input".
func (op Op) String() string {
	switch op {
	case OpInput:
		return "input"
	case OpScalar:
		return "scalar"
	case OpIndex:
		return "index"
	}
	if row := op.Row(); row != nil {
		return row.Name
	}
	return "op(" + strconv.Itoa(int(op)) + ")"
}

// Ops returns the ops that have rows, in ascending order.
func Ops() []Op { return append([]Op(nil), ops...) }

// OpByName returns the op whose row has the given name.
func OpByName(name string) (Op, bool) {
	op, ok := byName[name]
	return op, ok
}
