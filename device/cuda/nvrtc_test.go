package cuda

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

func TestX(t *testing.T) {
	n, err := bindNVRTC(compilers)
	require.NoError(t, err)
	fmt.Println(n.version, n.archs)
	sig, err := kernels.Resolve(kernels.Softplus, kernels.Attr{}, []kernels.Arg{{DType: dtype.Float32}, {DType: dtype.Float32}})
	_ = sig
	for _, op := range []kernels.Op{kernels.AddCMul, kernels.Sum, kernels.Exp, kernels.Div} {
		row := op.Row()
		args, leaves := make([]kernels.Arg, row.Arity), make([]kernels.Leaf, row.Arity)
		for i := range args {
			args[i].DType, leaves[i] = dtype.Float32, kernels.Leaf{Kind: kernels.OpInput, DType: dtype.Float32}
		}
		sig, err := kernels.Resolve(op, kernels.Attr{}, args)
		require.NoError(t, err)
		p, err := kernels.Single(op, sig, sig.Result, leaves...)
		require.NoError(t, err)
		l, err := kernels.Lower(p)
		require.NoError(t, err)
		form := "r4"
		if l.Reduce != nil {
			form = "block"
		}
		f, err := kernels.FormNamed(l, form)
		require.NoError(t, err)
		src, err := kernels.Spell(kernels.CUDA, p, l, f, l.Stages()...)
		require.NoError(t, err)
		out, err := n.compile("cuda:0", "x", src, 52, ptxImage)
		require.NoError(t, err, src)
		os.WriteFile("/tmp/h-cuda/"+op.String()+".ptx", out, 0o644)
		_, err = n.compile("cuda:0", "x", src, 90, cubinImage)
		require.NoError(t, err, src)
	}
}
