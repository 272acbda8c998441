package conform

import (
	"errors"
	"fmt"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/tensor"
)

// An UnsupportedError says that a case needs what is not mapped.
type UnsupportedError struct {
	Op     string // the operator, or "dtype"
	Reason string
}

// Error returns "Loop: ...".
func (e *UnsupportedError) Error() string { return e.Op + ": " + e.Reason }

// Check runs c on a device and compares what comes out. The error is the first
// difference or failure; *UnsupportedError when c needs what is not mapped.
func (c *Case) Check(dev device.Device) error {
	out, err := c.Run(dev)
	if err != nil {
		return err
	}
	for i, want := range c.Outputs {
		if err := Compare(out[i], want); err != nil {
			return err
		}
	}
	return nil
}

// Run returns the outputs of c, computed on a device.
func (c *Case) Run(dev device.Device) ([]*tensor.Tensor, error) {
	values := map[string]*tensor.Tensor{}
	for i, v := range append(c.Initializers[:len(c.Initializers):len(c.Initializers)], c.Inputs...) {
		t, err := v.Tensor()
		if err != nil {
			return nil, err
		}
		name := v.Name
		if at := i - len(c.Initializers); at >= 0 {
			name = c.InNames[at]
		}
		values[name] = t.To(dev)
	}
	for _, n := range c.Nodes {
		if err := c.apply(n, values, dev); err != nil {
			return nil, err
		}
	}
	out := make([]*tensor.Tensor, len(c.OutNames))
	for i, name := range c.OutNames {
		if out[i] = values[name]; out[i] == nil {
			return nil, fmt.Errorf("no node gives the output %q", name)
		}
	}
	return out, nil
}

// apply adds the outputs of a node to values.
func (c *Case) apply(n Node, values map[string]*tensor.Tensor, dev device.Device) error {
	f, ok := operators[n.Op]
	if !ok {
		return &UnsupportedError{n.Op, "no such operator in the tables"}
	}
	k := &call{node: n, opset: c.Opset[""], dev: dev, in: make([]*tensor.Tensor, len(n.In))}
	for i, name := range n.In {
		if k.in[i], ok = values[name]; !ok && name != "" {
			return fmt.Errorf("%s: no node gives the input %q", n.Op, name)
		}
	}
	out := f(k)
	if k.err != nil {
		if e := (*UnsupportedError)(nil); errors.As(k.err, &e) {
			return &UnsupportedError{n.Op, e.Reason}
		}
		return fmt.Errorf("%s: %w", n.Op, k.err)
	}
	for i, name := range n.Out {
		switch {
		case name == "":
			continue
		case i >= len(out):
			return &UnsupportedError{n.Op, fmt.Sprintf("gives %d outputs, output %d (%q) is wanted", len(out), i+1, name)}
		case out[i].Err() != nil:
			return fmt.Errorf("%s: %w", n.Op, out[i].Err())
		}
		values[name] = out[i]
	}
	return nil
}
