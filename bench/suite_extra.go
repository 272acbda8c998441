package bench

import "github.com/stride0/stride0/dtype"

// extraSpecs are shapes and dtypes that are measured against the contiguous
// float32 addition of the same bytes: short axes, odd sizes, gaps, other
// widths. Sizes lie in the L3 cache, where overhead is not hidden by memory.
func extraSpecs() []spec {
	const prime = 1_000_003
	return []spec{
		extra("Xshort", "short", "add (100000,3)+(3)", dtype.Float32, twinRow, of(100_000, 3), of(3)),
		extra("Xrow", "row", "add (300,1000)+(1000)", dtype.Float32, twinRow, of(300, 1000), of(1000)),
		extra("Xmiddle", "middle", "add (2,512,1024)+(1,512,1)", dtype.Float32, twinChannel, of(2, 512, 1024), of(1, 512, 1)),
		{
			id: "Xgap", op: "add", form: "gap", work: "x[:, :W]+y, x (1024,2048), W 1024",
			in:     []operand{{sizes: []int{1024, 2048}, view: leftHalf, moved: 1024 * 1024}, of(1024, 1024)},
			result: []int{1024, 1024}, steps: pair(add), twin: twinGap,
		},
		extra("Xint8", "flat", "add int8 4e6", dtype.Int8, nil, of(4e6), of(4e6)),
		extra("Xuint8", "flat", "add uint8 4e6", dtype.Uint8, nil, of(4e6), of(4e6)),
		extra("Xfloat16", "flat", "add float16 2e6", dtype.Float16, nil, of(2e6), of(2e6)),
		extra("Xfloat64", "flat", "add float64 5e5", dtype.Float64, nil, of(5e5), of(5e5)),
		extra("Xfloat64row", "row", "add float64 (1000,1000)+(1000)", dtype.Float64, nil, of(1000, 1000), of(1000)),
		extra("Xprime", "flat", "add (1000003)+(1000003)", dtype.Float32, twinFlat, of(prime), of(prime)),
		extra("Xoddrow", "row", "add (1023,1025)+(1025)", dtype.Float32, twinRow, of(1023, 1025), of(1025)),
		extra("Xoddcolumn", "column", "add (1023,1025)+(1023,1)", dtype.Float32, twinColumn, of(1023, 1025), of(1023, 1)),
	}
}

// extra adds y to x.
func extra(id, form, work string, t dtype.DType, twin func([]float32, []array), x, y operand) spec {
	return spec{id: id, op: "add", form: form, work: work, t: t, in: []operand{x, y}, result: x.sizes, steps: pair(add), twin: twin}
}
