package kernels

import (
	"container/list"
	"sync"

	"github.com/stride0/stride0/dtype"
)

// Leaf says how an operand of a single operation enters its Program.
type Leaf struct {
	Kind  Op          // OpInput, OpScalar or OpIndex
	DType dtype.DType // of an input or scalar, before the operation's own conversions
	Axis  int8        // of an index
}

// Single returns the Program of one operation whose result has dtype result:
// leaves converted to the dtypes of sig, the row, and a last conversion when
// result differs. Scalars must already have their dtype in sig. Programs are
// cached, so that equal calls return the same pointer.
func Single(op Op, sig Signature, result dtype.DType, leaves ...Leaf) (*Program, error) {
	key := singleKey{op: op, sig: [MaxArity + 1]dtype.DType{sig.Args[0], sig.Args[1], sig.Args[2], sig.Result}, result: result}
	copy(key.leaves[:], leaves)
	if p, ok := singles.get(key); ok {
		return p, nil
	}
	p, err := buildSingle(op, sig, result, leaves)
	if err != nil {
		return nil, err
	}
	return singles.put(key, p), nil
}

func buildSingle(op Op, sig Signature, result dtype.DType, leaves []Leaf) (*Program, error) {
	b := NewBuilder()
	args := make([]Value, len(leaves))
	for i, l := range leaves {
		switch l.Kind {
		case OpScalar:
			args[i] = b.Scalar(l.DType)
		case OpIndex:
			args[i] = b.Index(int(l.Axis))
		default:
			args[i] = b.Input(l.DType)
		}
	}
	for i := range args {
		args[i] = b.Cast(args[i], sig.Args[i])
	}
	v, err := b.applyTyped(op, Attr{}, sig.Result, args)
	if err != nil {
		return nil, err
	}
	b.Output(b.Cast(v, result))
	return b.Program()
}

type singleKey struct {
	op     Op
	sig    [MaxArity + 1]dtype.DType
	result dtype.DType
	leaves [MaxArity]Leaf
}

// singles holds the Programs of single operations, the least recently used
// dropped first. The limit is far above what a program uses: rows × dtypes.
var singles = singleCache{limit: 4096, byKey: map[singleKey]*list.Element{}}

type singleCache struct {
	mu    sync.Mutex
	limit int
	byKey map[singleKey]*list.Element
	order list.List // of *singleEntry, most recently used first
}

type singleEntry struct {
	key singleKey
	p   *Program
}

func (c *singleCache) get(k singleKey) (*Program, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.byKey[k]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(el)
	return el.Value.(*singleEntry).p, true
}

// put stores p unless another goroutine was faster, and returns what is stored.
func (c *singleCache) put(k singleKey, p *Program) *Program {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[k]; ok {
		return el.Value.(*singleEntry).p
	}
	c.byKey[k] = c.order.PushFront(&singleEntry{k, p})
	if c.order.Len() > c.limit {
		last := c.order.Remove(c.order.Back()).(*singleEntry)
		delete(c.byKey, last.key)
	}
	return p
}
