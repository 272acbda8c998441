package tensor_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// here returns "errors_test.go:N" of the line it is called on.
func here(t *testing.T) string {
	t.Helper()
	_, file, line, ok := runtime.Caller(1)
	if !ok {
		t.Fatal("no caller")
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

func TestErrorText(t *testing.T) {
	x := iota32(2, 3)
	y, at := x.Add(iota32(4)), here(t)
	text := y.Err().Error()
	if !strings.HasPrefix(text, "add: cannot broadcast (2, 3) with (4): axis -1 is 3 and 4") || !strings.HasSuffix(text, " ("+at+")") {
		t.Errorf("text %q, call at %s", text, at)
	}
	if y.String() != text {
		t.Errorf("String() is %q, not the error", y)
	}
}

func TestErrorFields(t *testing.T) {
	err := iota32(2, 3).Add(tensor.Ones(dtype.Int64, 4)).Err()
	var e *tensor.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T is no *tensor.Error", err)
	}
	if e.Op != "add" || !reflect.DeepEqual(e.Shapes, []tensor.Shape{{2, 3}, {4}}) ||
		!reflect.DeepEqual(e.DTypes, []dtype.DType{dtype.Float32, dtype.Int64}) {
		t.Errorf("fields %+v", e)
	}
	if !filepath.IsAbs(strings.SplitN(e.At, ":", 2)[0]) && !strings.Contains(e.At, "errors_test.go:") {
		t.Errorf("At is %q", e.At)
	}
	var shape *broadcast.ShapeError
	if !errors.As(err, &shape) || shape.Axis != -1 {
		t.Errorf("no *broadcast.ShapeError about axis -1 in %v", err)
	}
	var d *dtype.Error
	if err := tensor.Ones(dtype.Bool, 2).Neg().Err(); !errors.As(err, &d) {
		t.Errorf("no *dtype.Error in %v", err)
	}
}

// Every front door names the line of its caller, not one of its own.
func TestErrorsNameTheCaller(t *testing.T) {
	x, m := iota32(2, 3), tensor.Zeros(dtype.Float32, 2, 2)
	_, dataErr := tensor.Data[int32](x)
	_, itemErr := tensor.Item[float32](x)
	for op, err := range map[string]error{
		"sum":       x.Sum(7).Err(),
		"reshape":   x.Reshape(4).Err(),
		"view":      x.T().View(6).Err(),
		"matmul":    x.MatMul(m).Err(),
		"sumto":     x.SumTo(5).Err(),
		"new":       tensor.New([]float32{1}, 2).Err(),
		"zeros":     tensor.Zeros(dtype.Float32, -1).Err(),
		"arange":    tensor.Arange(dtype.Float32, 0, 1, 0).Err(),
		"uniform":   tensor.NewRand(1).Uniform(dtype.Int32, 2).Err(),
		"where":     x.Where(x, x).Err(),
		"add":       x.AddScalar("one").Err(),
		"data":      dataErr,
		"item":      itemErr,
		"withdata":  tensor.WithData(x.T(), func([]float32) error { return nil }),
		"copy":      tensor.Into(x, kernels.Copy, iota32(3, 3, 3)),
		"fromslice": tensor.FromSlice([]float32{1}, 3).Err(),
		"to":        x.To(nil).Err(),
		"in":        x.In(nil).Err(),
		"full":      tensor.Full(dtype.Uint8, 256, 1).Err(),
		"squeeze":   x.Squeeze(0).Err(),
		"t":         x.Sum().T().Err(),
	} {
		if err == nil {
			t.Errorf("%s: no error", op)
			continue
		}
		if text := err.Error(); !strings.HasPrefix(text, op+": ") || !strings.Contains(text, "(errors_test.go:") {
			t.Errorf("%s: %q", op, text)
		}
	}
}

func helper(t *testing.T, x, y *tensor.Tensor) (*tensor.Tensor, string) {
	return x.Add(y), here(t)
}

// An error names the line of the failing call itself: within a chain over
// several lines, in a helper, through a method value, on another goroutine.
func TestErrorsNameTheExactLine(t *testing.T) {
	x, y := iota32(3), iota32(2)
	failing := map[string]func() (*tensor.Tensor, string){
		"a link of a chain": func() (*tensor.Tensor, string) {
			at := here(t)
			return x.MulScalar(2).
				Add(y). // two lines below at
				Exp().
				Sum(), below(at, 2)
		},
		"helper": func() (*tensor.Tensor, string) {
			return helper(t, x, y)
		},
		"method value": func() (*tensor.Tensor, string) {
			add := x.Add
			return add(y), here(t)
		},
		"goroutine": func() (*tensor.Tensor, string) {
			r := make(chan *tensor.Tensor)
			go func() { r <- x.Add(y) }()
			return <-r, below(here(t), -1)
		},
		"deferred": func() (r *tensor.Tensor, at string) {
			defer func() { r, at = x.Add(y), here(t) }()
			return nil, ""
		},
		"lent memory": func() (r *tensor.Tensor, at string) {
			err := tensor.WithData(x, func([]float32) error {
				r, at = x.Add(y), here(t)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			return r, at
		},
	}
	for name, f := range failing {
		r, at := f()
		var e *tensor.Error
		if !errors.As(r.Err(), &e) || e.Op != "add" || filepath.Base(e.At) != at {
			t.Errorf("%s: %v, want an add at %s", name, r.Err(), at)
		}
	}
}

// below returns the place n lines below at.
func below(at string, n int) string {
	file, line, _ := strings.Cut(at, ":")
	l, err := strconv.Atoi(line)
	if err != nil {
		panic(err)
	}
	return file + ":" + strconv.Itoa(l+n)
}

func TestChainKeepsTheFirstError(t *testing.T) {
	bad := iota32(2).Add(iota32(3))
	y := bad.MulScalar(2).Exp().Sum().Reshape(9, 9).T().MatMul(iota32(2)).To(nil)
	if y != bad {
		t.Errorf("the chain returned %v, not its first error", y)
	}
	other := iota32(5).Add(iota32(6))
	if r := bad.Add(other); r != bad {
		t.Errorf("the right operand's error won: %v", r)
	}
	if r := other.Add(bad); r != other {
		t.Errorf("the right operand's error won: %v", r)
	}
	if r := iota32(2).Add(bad); r != bad {
		t.Errorf("a failed right operand gave %v", r)
	}
	if err := tensor.Into(other, kernels.Add, bad, bad); err != other.Err() {
		t.Errorf("Into reports %v, not the destination's error", err)
	}
	if _, err := tensor.Data[float32](y); err != bad.Err() {
		t.Errorf("Data reports %v", err)
	}
}

// No method of a tensor that cannot be used panics, and all of them say why.
func TestEveryMethodOfUnusableTensors(t *testing.T) {
	freed := iota32(2, 2)
	if err := freed.Free(); err != nil {
		t.Fatal(err)
	}
	freedScalar := tensor.Scalar(1)
	if err := freedScalar.Free(); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]*tensor.Tensor{
		"nil":          nil,
		"zero":         {},
		"failed":       iota32(2).Add(iota32(3)),
		"freed":        freed,
		"freed scalar": freedScalar,
	} {
		t.Run(name, func(t *testing.T) {
			v := reflect.ValueOf(bad)
			for i := range v.NumMethod() {
				m := v.Type().Method(i)
				for _, out := range v.Method(i).Call(arguments(m.Type, bad)) {
					switch out := out.Interface().(type) {
					case *tensor.Tensor:
						if out.Err() == nil {
							t.Errorf("%s returned a tensor without an error", m.Name)
						}
					case tensor.Shape:
						if len(out) != 0 {
							t.Errorf("%s returned %v", m.Name, out)
						}
					case error:
						if out == nil {
							t.Errorf("%s returned no error", m.Name)
						}
					case string:
						if out != bad.Err().Error() {
							t.Errorf("%s returned %q", m.Name, out)
						}
					}
				}
			}
		})
	}
}

// arguments returns values for a method's parameters after the receiver;
// tensors are bad ones too.
func arguments(m reflect.Type, bad *tensor.Tensor) []reflect.Value {
	var args []reflect.Value
	for i := 1; i < m.NumIn(); i++ {
		in := m.In(i)
		switch {
		case m.IsVariadic() && i == m.NumIn()-1:
			continue
		case in == reflect.TypeFor[*tensor.Tensor]():
			args = append(args, reflect.ValueOf(bad))
		case in == reflect.TypeFor[fmt.State](): // only package fmt calls Format, never with nil
			args = append(args, reflect.ValueOf(&noState{}))
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	return args
}

// noState is a fmt.State without flags.
type noState struct{ strings.Builder }

func (*noState) Width() (int, bool)     { return 0, false }
func (*noState) Precision() (int, bool) { return 0, false }
func (*noState) Flag(int) bool          { return false }

func TestFunctionsOfUnusableTensors(t *testing.T) {
	bad := iota32(2).Add(iota32(3))
	for _, x := range []*tensor.Tensor{nil, {}, bad} {
		_, dataErr := tensor.Data[float32](x)
		_, itemErr := tensor.Item[float32](x)
		for _, err := range []error{
			dataErr, itemErr,
			tensor.WithData(x, func([]float32) error { return nil }),
			tensor.WithMutableData(x, func([]float32) error { return nil }),
			tensor.Into(x, kernels.Add, iota32(2), iota32(2)),
			tensor.Into(iota32(2), kernels.Add, x, iota32(2)),
			tensor.ZerosLike(x).Err(), tensor.OnesLike(x).Err(), tensor.FullLike(x, 1).Err(), tensor.FullLike(x, "").Err(),
			iota32(2).Add(x).Err(), iota32(2, 2).MatMul(x).Err(), x.Where(x, x).Err(),
		} {
			if err == nil {
				t.Errorf("no error for %v", x)
			} else if x == bad && err != bad.Err() {
				t.Errorf("%v instead of the error of the operand", err)
			}
		}
	}
}
