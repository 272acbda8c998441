package kernels

import "fmt"

// reduce writes the kernel of one stage. Each work-item or group does one
// block b of the canonical tree of one result o: elements or states
// first..end-1 of those that are reduced to o.
func (k *cKernel) reduce(s Stage) {
	k.begin(s)
	r := reduceKernel{cKernel: k, stage: s}
	switch k.f.Kind {
	case RowsForm:
		r.rows()
	case BlockForm:
		r.block()
	default:
		r.lead()
	}
	k.close()
}

type reduceKernel struct {
	*cKernel
	stage Stage
}

// rows: all lanes of a block are an array, which compilers for CPUs turn into
// vector registers.
func (k reduceKernel) rows() {
	k.item()
	k.lanes("s%d[32]")
	k.line("for (%s l = 0; l < 32; l++) { %s }", k.d.Uint, k.each("s%d[l] = %s;", k.identity()))
	k.line("%s p = first;", k.d.Uint)
	k.open("for (; p + 32 <= end; p += 32) for (%s l = 0; l < 32; l++)", k.d.Uint)
	k.take("p + l", "s%d[l]")
	k.close()
	k.line("%s", k.d.Rolled)
	k.open("for (%s l = 0; p + l < end; l++)", k.d.Uint)
	k.take("p + l", "s%d[l]")
	k.close()
	k.line("%s", k.d.Rolled)
	k.open("for (%s h = 16; h > 0; h /= 2) for (%s l = 0; l < h; l++)", k.d.Uint, k.d.Uint)
	k.combine("s%d[l]", "s%d[l + h]", "s%d[l]")
	k.close()
	k.yield("s%d[0]")
}

// block: a lane is a work-item; they fold through shared memory. A group does
// several blocks, so that none may leave before the last Sync.
func (k reduceKernel) block() {
	k.line("const %s l = %s, o = %s + g.origin[0], b = %s + g.origin[1];", k.d.Uint, k.d.LocalID[0], k.d.GlobalID[1], k.d.GlobalID[2])
	k.line("const %s w = %s + %s;", k.d.Uint, k.d.LocalID[1], k.d.LocalID[2])
	for i, t := range k.l.Reduce.State {
		k.line("%s %s lane%d[%d][32];", k.d.Shared, k.d.Types[t], i, blockRows)
	}
	k.lanes("s%d")
	k.line("%s", k.each("s%d = %s;", k.identity()))
	k.open("if (o < g.outer[0] && b < g.blocks[0])")
	k.bounds()
	k.open("for (%s p = first + l; p < end; p += 32)", k.d.Uint)
	k.take("p", "s%d")
	k.close()
	k.close()
	k.line("%s", k.each("lane%d[w][l] = s%d;", nil))
	k.line("%s", k.d.Sync)
	k.open("for (%s h = 16; h > 0; h /= 2)", k.d.Uint)
	k.open("if (l < h)")
	k.combine("lane%d[w][l]", "lane%d[w][l + h]", "lane%d[w][l]")
	k.close()
	k.line("%s", k.d.Sync)
	k.close()
	k.open("if (l == 0 && o < g.outer[0] && b < g.blocks[0])")
	k.keptIndices()
	k.yield("lane%d[w][0]")
	k.close()
}

// lead: one lane after the other, in the order in which the fold l with l+16,
// +8, +4, +2, +1 wants them: that of their numbers with the 5 bits reversed.
// Then two states of the same level meet as the carries of a binary counter
// do, and at most one of each level is kept (in wait). The carry also moves l
// on: i has that many ones at its low end, l at its high end, and both become
// zeros with a one after them.
func (k reduceKernel) lead() {
	k.item()
	k.lanes("wait%d[6]")
	k.lanes("s%d")
	k.open("for (%s i = 0, l = 0; i < 32; i++)", k.d.Uint)
	k.line("%s", k.each("s%d = %s;", k.identity()))
	k.open("for (%s p = first + l; p < end; p += 32)", k.d.Uint)
	k.take("p", "s%d")
	k.close()
	k.line("%s level = 0;", k.d.Uint)
	k.open("for (; i >> level & 1; level++)")
	k.combine("wait%d[level]", "s%d", "s%d")
	k.close()
	k.line("%s", k.each("wait%d[level] = s%d;", nil))
	k.line("l = l - 32 + (32 >> level) + (16 >> level);")
	k.close()
	k.yield("s%d")
}

// item begins a form in which a work-item does a block alone.
func (k reduceKernel) item() {
	k.line("const %s o = %s, b = %s + g.origin[0];", k.d.Uint, k.d.GlobalID[0], k.d.GlobalID[1])
	k.line("if (o >= g.outer[0] || b >= g.blocks[0]) return;")
	k.bounds()
}

// bounds spells where the block begins and ends, and what depends on o only.
func (k reduceKernel) bounds() {
	k.line("const %s first = b * %d, end = g.inner[0] - first < %d ? g.inner[0] : first + %d;", k.d.Uint, Block, Block, Block)
	if k.f.Kind != BlockForm || k.stage&FromStates == 0 {
		k.keptIndices()
	}
	if k.stage&FromStates != 0 {
		return
	}
	for i := range k.p.Inputs {
		k.line("const %s p%d = g.base[%d]%s;", k.d.Long, i, i, offset("k", fmt.Sprintf("stride%d", i), int(k.f.Kept)))
	}
}

// keptIndices spells the index of each kept axis.
func (k reduceKernel) keptIndices() { k.divide("k", "o", "", 0, int(k.f.Kept)) }

// lanes declares variables for a state's parts.
func (k reduceKernel) lanes(declarator string) {
	for i, t := range k.l.Reduce.State {
		k.line("%s "+declarator+";", k.d.Types[t], i)
	}
}

// identity spells the state that changes no other.
func (k reduceKernel) identity() []string { return k.body(k.d, k.l.Reduce.Identity, "z") }

// each spells a statement for every part of a state: format takes the part's
// number and its value, or its number twice when there are no values.
func (k reduceKernel) each(format string, values []string) string {
	text := ""
	for i := range k.l.Reduce.State {
		if i > 0 {
			text += " "
		}
		if values == nil {
			text += fmt.Sprintf(format, i, i)
		} else {
			text += fmt.Sprintf(format, i, values[i])
		}
	}
	return text
}

// names returns the names of a state's parts.
func (k reduceKernel) names(format string) []string {
	out := make([]string, len(k.l.Reduce.State))
	for i := range out {
		out[i] = fmt.Sprintf(format, i)
	}
	return out
}

// take combines the element or state at the given position into a state.
func (k reduceKernel) take(position, into string) {
	k.line("const %s q = %s;", k.d.Uint, position)
	if k.stage&FromStates != 0 {
		k.line("const %s c = g.from[0] + (%s)o * g.inner[0] + q;", k.d.Long, k.d.Long)
		for i, t := range k.l.Reduce.State {
			k.line("const %s e%d = %s;", k.d.Types[t], i, k.cell(i, "c"))
		}
		k.combine(into, "e%d", into)
		return
	}
	axes := int(k.f.Reduced)
	k.divide("r", "q", "r", 0, axes)
	element := k.mapped(func(input int) string {
		if k.f.Unit {
			return fmt.Sprintf("p%d + q", input)
		}
		return fmt.Sprintf("p%d%s", input, offset("r", fmt.Sprintf("along%d", input), axes))
	}, k.axisIndex)
	lifted := k.body(k.d, k.l.Reduce.Lift, "t", element[0], fmt.Sprintf("(g.position[0] + (%s)q)", k.d.Long))
	for i, t := range k.l.Reduce.State {
		k.line("const %s e%d = %s;", k.d.Types[t], i, lifted[i])
	}
	k.combine(into, "e%d", into)
}

// combine spells into = s, then t. The arguments are copied first, since into
// may be one of them.
func (k reduceKernel) combine(s, t, into string) {
	n := len(k.l.Reduce.State)
	args := append(k.names(s), k.names(t)...)
	for i, a := range args {
		args[i] = fmt.Sprintf("a%d", i)
		k.line("const %s a%d = %s;", k.d.Types[k.l.Reduce.State[i%n]], i, a)
	}
	k.line("%s", k.each(into+" = %s;", k.body(k.d, k.l.Reduce.Combine, "v", args...)))
}

// yield spells what becomes of a block's state: a state in scratch, or the
// outputs.
func (k reduceKernel) yield(state string) {
	kept := int(k.f.Kept)
	if k.stage&ToStates != 0 {
		to := fmt.Sprintf("const %s d = g.to[0] + b", k.d.Long)
		for a := range kept {
			to += fmt.Sprintf(" + k%d * g.to_stride[%d]", a, a)
		}
		k.line("%s;", to)
		for i := range k.l.Reduce.State {
			k.line("%s = %s;", k.cell(i, "d"), fmt.Sprintf(state, i))
		}
		return
	}
	result := k.body(k.d, k.l.Reduce.Finish, "f", k.names(state)...)
	args := result
	for _, leaf := range k.l.PostLeaves {
		args = append(args, fmt.Sprintf("scalar%d", leaf.Slot))
	}
	values := k.body(k.d, k.l.Post, "y", args...)
	k.store(values, func(output int) string {
		o := len(k.p.Inputs) + output
		return fmt.Sprintf("g.base[%d]%s", o, offset("k", fmt.Sprintf("stride%d", o), kept))
	})
}

// cell spells part i of the state at index in scratch.
func (k reduceKernel) cell(i int, index string) string {
	if len(k.l.Reduce.State) == 1 {
		return "scratch[" + index + "]"
	}
	return fmt.Sprintf("*(%s)(scratch + %s * %d + %d)", k.d.global(k.d.Types[k.l.Reduce.State[i]]), index, len(k.l.Reduce.State), i)
}
