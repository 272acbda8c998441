package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

const priceUsage = `usage: stride0 price [-json] DTYPE SHAPE

Prints what the elements of a tensor take. A shape is written (3,2), 3,2 or 3x2;
() has no axes. The exit status is 0, 1 when no tensor can be so large, 2 for
what is not a dtype or a shape.

  stride0 price float32 32,2048,4096

`

func setupPrice(flags *flag.FlagSet) func(io.Writer) error {
	asJSON := flags.Bool("json", false, "print JSON: dtype, shape, elements, bytes and text")
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), priceUsage)
		flags.PrintDefaults()
	}
	return func(out io.Writer) error {
		if flags.NArg() != 2 {
			return usageError("give a dtype and one shape, as in: stride0 price float32 32,2048,4096")
		}
		d, err := dtypeNamed(flags.Arg(0))
		if err != nil {
			return usageError(err.Error())
		}
		shape, err := parseShape(flags.Arg(1))
		if shape == nil {
			return usageError(err.Error())
		}
		p, err := priceOf(d, shape)
		if err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(out).Encode(p)
		}
		_, err = fmt.Fprintf(out, "%v %s is %s\nbytes     %d\nelements  %d\n", shape, p.DType, p.Text, p.Bytes, p.Elements)
		return err
	}
}

// jsonPrice is what price -json prints. A field may be added, never renamed.
type jsonPrice struct {
	DType    string          `json:"dtype"`
	Shape    broadcast.Shape `json:"shape"`
	Elements int64           `json:"elements"`
	Bytes    int64           `json:"bytes"`
	Text     string          `json:"text"` // the bytes as people read them
}

func priceOf(d dtype.DType, shape broadcast.Shape) (jsonPrice, error) {
	bytes, err := tensor.Price(d, shape...)
	if failed, ok := errors.AsType[*tensor.Error](err); ok {
		return jsonPrice{}, failed.Err // without the line of this file
	}
	return jsonPrice{DType: d.String(), Shape: shape, Elements: int64(shape.Size()), Bytes: bytes, Text: device.Bytes(bytes)}, err
}
