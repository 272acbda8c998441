package tensor

// refuse is the result of op on a tensor that cannot be an operand: the tensor
// itself when it carries an error already, else a failed tensor that names op.
func refuse(op string, t *Tensor) *Tensor { return refuseAs("the tensor", op, t) }

// refuseOperand is refuse for operand i of n.
func refuseOperand(op string, i, n int, t *Tensor) *Tensor {
	if n == 1 {
		return refuse(op, t)
	}
	return refuseAs("operand "+itoa(i+1)+" of "+itoa(n), op, t)
}

// refuseAs is refuse for a tensor in the given role, as "the destination".
func refuseAs(role, op string, t *Tensor) *Tensor {
	switch {
	case t != nil && t.failure() != nil:
		return t
	case t.Err() == ErrFreed:
		return fail(op, &freedError{role: role, byScope: t.freed.Load() == byScope})
	}
	return fail(op, errorf("%s: %w", role, t.Err()))
}

// freedError says which tensor of an operation was freed, and by what. It is
// ErrFreed.
type freedError struct {
	role    string
	byScope bool
}

func (e *freedError) Error() string {
	if e.byScope {
		return e.role + " was freed by its Scope; Keep it before Close"
	}
	return e.role + " was freed by Free"
}

func (e *freedError) Unwrap() error { return ErrFreed }
