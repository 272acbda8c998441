package broadcast

import "slices"

// term is one unknown x of an equation: coef·x with low ≤ x ≤ high.
type term struct{ coef, low, high int64 }

// equation is a linear equation in bounded integers, Σ coef·x = target. Those
// of two layouts have one unknown an axis and one for the units of an element.
type equation struct {
	terms [2*MaxRank + 1]term
	n     int
	least [2*MaxRank + 2]int64 // of the sum of the terms from each on
	most  [2*MaxRank + 2]int64
	gcd   [2*MaxRank + 2]int64 // of their coefficients, 0 for none
	steps int                  // left to take
}

// answer is what a bounded search finds out.
type answer uint8

const (
	no answer = iota
	yes
	unknown // it ran out of steps
)

// add adds the unknown x with low ≤ x ≤ high. Unknowns with the same
// coefficient become one: only their sum matters.
func (e *equation) add(coef, low, high int64) {
	if coef == 0 {
		return
	}
	if coef < 0 {
		coef, low, high = -coef, -high, -low
	}
	for i := range e.terms[:e.n] {
		if t := &e.terms[i]; t.coef == coef {
			t.low, t.high = t.low+low, t.high+high
			return
		}
	}
	e.terms[e.n] = term{coef, low, high}
	e.n++
}

// solvable searches for a solution in at most the given number of steps.
// The largest coefficient goes first: it leaves the others the least choice.
func (e *equation) solvable(target int64, steps int) answer {
	terms := e.terms[:e.n]
	slices.SortFunc(terms, func(s, t term) int {
		if s.coef > t.coef { // no two are equal
			return -1
		}
		return 1
	})
	for i := e.n - 1; i >= 0; i-- {
		t := terms[i]
		e.least[i] = e.least[i+1] + t.coef*t.low
		e.most[i] = e.most[i+1] + t.coef*t.high
		e.gcd[i] = e.gcd[i+1]
		if t.low < t.high { // a fixed term is not free to move the sum
			e.gcd[i] = gcd(e.gcd[i+1], t.coef)
		}
	}
	e.steps = steps
	return e.search(0, target)
}

// search solves for the terms from k on.
func (e *equation) search(k int, target int64) answer {
	e.steps--
	if target < e.least[k] || target > e.most[k] {
		return no
	}
	if e.gcd[k] == 0 {
		return yes // nothing is free, and the bounds met
	}
	if (target-e.least[k])%e.gcd[k] != 0 {
		return no
	}
	if k == e.n-1 {
		return yes // one unknown, in bounds and divisible
	}
	// What is left for the other terms must lie between their bounds.
	t := e.terms[k]
	from := max(t.low, ceilDiv(target-e.most[k+1], t.coef))
	to := min(t.high, floorDiv(target-e.least[k+1], t.coef))
	for x := from; x <= to; x++ {
		if e.steps <= 0 {
			return unknown
		}
		if found := e.search(k+1, target-t.coef*x); found != no {
			return found
		}
	}
	return no
}

// gcd returns the greatest common divisor of a, b ≥ 0; gcd(0, b) is b.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// floorDiv returns a/b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// ceilDiv returns a/b rounded up, for b > 0.
func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }
