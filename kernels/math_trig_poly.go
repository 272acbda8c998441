package kernels

// The polynomials of the trigonometric functions, for float32 and float64: minimax fits
// (Remez exchange on 300 Chebyshev nodes, in 200 bits), the coefficients rounded one by
// one from the lowest, the rest fitted again after each. The lowest
// coefficient is first. Errors are relative to the function served, after
// rounding the coefficients, evaluated exactly.
var (
	// sinPoly32: (sin(r)/r - 1) / s in s = r², |r| <= π/4, degree 3, error 2^-32.516 of sin(r).
	sinPoly32 = []float64{
		-0x1.555556p-3, 0x1.111174p-7, -0x1.a05954p-13, 0x1.7c2c4cp-19,
	}

	// sinPoly64: the same, degree 6, error 2^-63.222.
	sinPoly64 = []float64{
		-0x1.5555555555555p-3, 0x1.1111111111068p-7, -0x1.a01a019ffe08bp-13, 0x1.71de3a332c2c2p-19,
		-0x1.ae642b993d534p-26, 0x1.61093a1bdf63ep-33, -0x1.9fb6800c2dcfdp-41,
	}

	// cosPoly32: (cos(r) - 1 + s/2) / s² in s = r², |r| <= π/4, degree 2, error 2^-32.985 of cos(r).
	cosPoly32 = []float64{
		0x1.55554ap-5, -0x1.6c0c28p-10, 0x1.99e80cp-16,
	}

	// cosPoly64: the same, degree 5, error 2^-63.938.
	cosPoly64 = []float64{
		0x1.555555555554bp-5, -0x1.6c16c16c15015p-10, 0x1.a01a019c8f24ep-16, -0x1.27e4f7f19091dp-22,
		0x1.1ee9dbce1b5b8p-29, -0x1.8fa683d60a99ap-37,
	}

	// asinPoly32: (asin(z)/z - 1) / s in s = z², |z| <= 1/2, degree 5, error 2^-30.169 of asin(z).
	asinPoly32 = []float64{
		0x1.555556p-3, 0x1.3332bap-4, 0x1.6d991cp-5, 0x1.f9c94ep-6,
		0x1.25b7eep-6, 0x1.0c28f2p-5,
	}

	// asinPoly64: the same, degree 12, error 2^-58.17.
	asinPoly64 = []float64{
		0x1.5555555555556p-3, 0x1.333333332f2d1p-4, 0x1.6db6db72bb027p-5, 0x1.f1c719f4de73ap-6,
		0x1.6e8bf84d51d72p-6, 0x1.1c47bc3899eb9p-6, 0x1.ca5c55869d5a4p-7, 0x1.735faa13e3ef1p-7,
		0x1.6e3901fe98141p-7, 0x1.15ccb7a481eadp-9, 0x1.a5fe3ebb12245p-6, -0x1.b9a50832e8b8cp-6,
		0x1.2acfa4fd90426p-5,
	}

	// atanPoly32: (atan(z)/z - 1) / s in s = z², |z| <= 1, degree 9, error 2^-31.052 of atan(z).
	atanPoly32 = []float64{
		-0x1.555552p-2, 0x1.99981cp-3, -0x1.24762p-3, 0x1.c5117p-4,
		-0x1.6953bcp-4, 0x1.150ap-4, -0x1.7080bap-5, 0x1.75304p-6,
		-0x1.e6a0ecp-8, 0x1.29687ep-10,
	}

	// atanPoly64: the same, degree 20, error 2^-60.196.
	atanPoly64 = []float64{
		-0x1.555555555554dp-2, 0x1.9999999998c66p-3, -0x1.24924924576e4p-3, 0x1.c71c71b651f7p-4,
		-0x1.745d15d2dfecfp-4, 0x1.3b139bed2bb88p-4, -0x1.11103361e30b5p-4, 0x1.e1d492e26c158p-5,
		-0x1.aeda885076b67p-5, 0x1.84b511fa75493p-5, -0x1.5f264200b5c8fp-5, 0x1.39090522ebda4p-5,
		-0x1.0c9c494af880ep-5, 0x1.ac8ef28e5438bp-6, -0x1.31128fec28ce5p-6, 0x1.73057f0f3f1cbp-7,
		-0x1.70065251d0e09p-8, 0x1.1a3630ad24ccdp-9, -0x1.371aeef7139b5p-11, 0x1.b415c86d10c39p-14,
		-0x1.22b25232ff64ep-17,
	}
)
