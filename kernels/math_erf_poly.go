package kernels

// The polynomials of the error functions, for float32 and float64: minimax fits
// (Remez exchange on 300 Chebyshev nodes, in 200 bits). The lowest
// coefficient is first. Errors are relative to the function served, after
// rounding the coefficients, evaluated exactly.
var (
	// erfPoly32: erf(x)/x - 1 in x², |x| <= 1, degree 6, error 2^-29.387 of erf(x); each coefficient
	// was rounded before the higher ones were fitted again.
	erfPoly32 = []float64{
		0x1.06eba8p-3, -0x1.81273ep-2, 0x1.ce2ce6p-4, -0x1.b7f71ap-6,
		0x1.53f224p-8, -0x1.a3515ep-11, 0x1.4771fcp-14,
	}

	// erfPoly64: the same, degree 12, error 2^-56.302.
	erfPoly64 = []float64{
		0x1.06eba8214db69p-3, -0x1.812746b037a25p-2, 0x1.ce2f21a0458d1p-4, -0x1.b82ce313548dp-6,
		0x1.565bcd2c5ed2ap-8, -0x1.c02db934cc1a3p-11, 0x1.f9a3b9e3b7812p-14, -0x1.f4dd04561bf04p-17,
		0x1.ba6a76eaa2f14p-20, -0x1.63a03f6b561eap-23, 0x1.1387f8c30f13fp-26, -0x1.c7b2c06a9140ap-30,
		0x1.4046b34cf186p-33,
	}

	// erfcPoly32: (1+2x) e^x² erfc(x) in q = (x-4)/(x+4), 0 <= x <= 10.1, degree 11, error 2^-24.791.
	erfcPoly32 = []float64{
		0x1.3ba592p0, -0x1.1df1aep-3, 0x1.f7f5aep-7, 0x1.16edcp-4,
		-0x1.9dd9d2p-4, 0x1.7fe1ecp-4, -0x1.0fc9e8p-4, 0x1.30ebf4p-5,
		-0x1.068adap-6, 0x1.4a86f2p-8, -0x1.29f21ep-10, -0x1.5092cap-11,
	}

	// erfcPoly64: the same for 0 <= x <= 27.3, degree 23, error 2^-54.13.
	erfcPoly64 = []float64{
		0x1.3ba5916e9fd7fp0, -0x1.1df1ad154a28fp-3, 0x1.f7f5df66fd6e2p-7, 0x1.16ecefcfa54aep-4,
		-0x1.9ddb23c3e89f8p-4, 0x1.7fee004e0fc51p-4, -0x1.0fb06dfe54525p-4, 0x1.3079edf6d92a2p-5,
		-0x1.09623882c226bp-6, 0x1.49c6726d76798p-8, -0x1.8d4a9c30d1031p-11, -0x1.a1df14c9c5cb3p-13,
		0x1.3be06a95b58eap-13, -0x1.995af8f8d7f48p-16, -0x1.788db1e19d03ep-17, 0x1.7f361b2141887p-18,
		0x1.3bde385ef6beap-22, -0x1.bb83c457dd29fp-21, 0x1.3df545703183fp-24, 0x1.da5790288e40cp-24,
		-0x1.2a6d9edba6d02p-26, -0x1.e42782308107ap-27, 0x1.c07787d3d07a5p-30, 0x1.45bc42afb3b2cp-30,
	}
)
