package kernels

// schedule returns the nodes that outs need, depth first with the larger
// subtree first, so that few values are live at once. Arguments keep their
// numbers.
func schedule(nodes []Node, outs []V) Body {
	s := scheduler{nodes: nodes, weight: make([]int, len(nodes)), place: make([]V, len(nodes))}
	for i := range nodes {
		s.place[i] = -1
		s.weight[i] = 1
		for _, a := range nodes[i].args() {
			s.weight[i] = min(s.weight[i]+s.weight[a], 1<<20) // shared nodes count again: only an order
		}
	}
	b := Body{Outs: make([]V, len(outs))}
	for i, v := range outs {
		b.Outs[i] = s.visit(v)
	}
	b.Nodes = s.out
	return b
}

type scheduler struct {
	nodes  []Node
	weight []int
	place  []V // where a node stands in out, -1 before
	out    []Node
}

func (s *scheduler) visit(v V) V {
	if s.place[v] >= 0 {
		return s.place[v]
	}
	n := s.nodes[v]
	order := [3]int{0, 1, 2}
	for i := 1; i < n.NArg; i++ { // insertion sort, heaviest first, stable
		for j := i; j > 0 && s.weight[n.Args[order[j]]] > s.weight[n.Args[order[j-1]]]; j-- {
			order[j], order[j-1] = order[j-1], order[j]
		}
	}
	moved := n
	for _, i := range order[:n.NArg] {
		moved.Args[i] = s.visit(n.Args[i])
	}
	s.place[v] = V(len(s.out))
	s.out = append(s.out, moved)
	return s.place[v]
}

// args returns the arguments of n.
func (n *Node) args() []V { return n.Args[:n.NArg] }
