package devicetest

// The canonical tree's two constants (SEMANTICS.md).
const (
	treeBlock = 1024
	treeLanes = 32
)

// canonical reduces seq by the canonical tree, written down as the text
// defines it: blocks of 1,024; in a block lane l takes elements l, l+32, ...,
// l+992 in that order, starting from the identity; lanes fold l with l+16, +8,
// +4, +2, +1; the block results are a new sequence reduced by the same rule
// until one is left. S is a reduction's state; combine takes the earlier state
// first. Elements that a block lacks are the identity, which changes no state
// that has met it once: a lane that starts from the identity need not meet it
// again.
func canonical[S any](seq []S, identity S, combine func(s, t S) S) S {
	for {
		results := make([]S, 0, len(seq)/treeBlock+1)
		for start := 0; start == 0 || start < len(seq); start += treeBlock {
			block := seq[start:min(start+treeBlock, len(seq))]
			results = append(results, foldBlock(block, identity, combine))
		}
		if len(results) == 1 {
			return results[0]
		}
		seq = results
	}
}

func foldBlock[S any](block []S, identity S, combine func(s, t S) S) S {
	var lanes [treeLanes]S
	for l := range lanes {
		lanes[l] = identity
		for i := l; i < len(block); i += treeLanes {
			lanes[l] = combine(lanes[l], block[i])
		}
	}
	for half := treeLanes / 2; half > 0; half /= 2 {
		for l := range half {
			lanes[l] = combine(lanes[l], lanes[l+half])
		}
	}
	return lanes[0]
}
