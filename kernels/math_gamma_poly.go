package kernels

// The polynomials of the gamma functions, for float32 and float64: minimax fits
// (Remez exchange on 300 Chebyshev nodes, in 200 bits). The lowest
// coefficient is first. Errors are relative to the function served, after
// rounding the coefficients, evaluated exactly.
var (
	// lgammaPoly32: lgamma(y) / ((y-1) (y-2)) in y - 3/2, 7/8 <= y <= 17/8, degree 12, error 2^-24.966.
	lgammaPoly32 = []float64{
		0x1.eeb95cp-2, -0x1.2aed06p-3, 0x1.01af6p-4, -0x1.007b28p-5,
		0x1.133592p-6, -0x1.34b3d8p-7, 0x1.649af6p-8, -0x1.aa5342p-9,
		0x1.00bb8ep-9, -0x1.063f2p-10, 0x1.32b996p-11, -0x1.842bp-11,
		0x1.f85aa6p-12,
	}

	// lgammaPoly64: the same, degree 25, error 2^-54.614.
	lgammaPoly64 = []float64{
		0x1.eeb95b094c191p-2, -0x1.2aed059bd608ap-3, 0x1.01af62a2929dap-4, -0x1.007aa83cee18p-5,
		0x1.133423527ae55p-6, -0x1.34dbda1497a98p-7, 0x1.64f066509ad3ep-8, -0x1.a5035234bf364p-9,
		0x1.f814b87f39984p-10, -0x1.313e895f73505p-10, 0x1.750accb4c14aap-11, -0x1.cb452e7c19cbbp-12,
		0x1.1c769dd504217p-12, -0x1.62371a837b5abp-13, 0x1.bac356ffc8bf3p-14, -0x1.15e5c222b7829p-14,
		0x1.60fc58a502bd2p-15, -0x1.bf59c352e64d4p-16, 0x1.0782ba2bb60ccp-16, -0x1.4891182c8dea5p-17,
		0x1.2fcee7d3d69d2p-17, -0x1.979a8fc434873p-18, -0x1.cea186670b81p-22, 0x1.28f8a5d5fdfbp-21,
		0x1.d3ca0e540e2f2p-19, -0x1.3ba674f6e6ef1p-19,
	}

	// stirlingPoly32: x (lgamma(x) - (x-1/2) log(x) + x - log(2π)/2) in 1/x², x >= 8, degree 1,
	// error 2^-25.691 of 1/x times 12.
	stirlingPoly32 = []float64{
		0x1.555546p-4, -0x1.6a1b2ep-9,
	}

	// stirlingPoly64: the same, degree 5, error 2^-55.056.
	stirlingPoly64 = []float64{
		0x1.5555555555545p-4, -0x1.6c16c16b2d22ap-9, 0x1.a019fa345df95p-11, -0x1.380d070671efcp-11,
		0x1.b68cc0e5eeee5p-11, -0x1.ac3e7c9aee077p-10,
	}

	// digammaPoly32: digamma(y) / (y-y0) in y - 3/2, 1 <= y <= 2, y0 its zero, degree 10, error 2^-25.717.
	digammaPoly32 = []float64{
		0x1.e6f0ccp-1, -0x1.b1cb68p-2, 0x1.eca19cp-3, -0x1.2febb4p-3,
		0x1.850becp-4, -0x1.fc5f18p-5, 0x1.4ee26ep-5, -0x1.a6659cp-6,
		0x1.163278p-6, -0x1.0c6fa8p-6, 0x1.6c5e9ap-7,
	}

	// digammaPoly64: the same, degree 22, error 2^-54.222.
	digammaPoly64 = []float64{
		0x1.e6f0cbb873616p-1, -0x1.b1cb63005ee98p-2, 0x1.eca189b8e6f77p-3, -0x1.2feeeb98a78d2p-3,
		0x1.8512e590384c1p-4, -0x1.fb44202a24fep-5, 0x1.4de9aa17d3aefp-5, -0x1.b9f8b11b614dap-6,
		0x1.256471620e04cp-6, -0x1.8635640ee2d08p-7, 0x1.03c0b0fb4141dp-7, -0x1.5a06a31d62d5cp-8,
		0x1.cd1f77844e8f2p-9, -0x1.336deb2612c43p-9, 0x1.99dcf48553a5dp-10, -0x1.0fb1bccb43538p-10,
		0x1.69e7f15fb9952p-11, -0x1.fda56434c13edp-12, 0x1.55b6cd2b2f603p-12, -0x1.2f5c36a72a257p-13,
		0x1.8749a0726647ap-14, -0x1.75ff2dcd55bd2p-13, 0x1.fc404f9b971bep-14,
	}

	// digammaSeries32: x² (log(x) - 1/(2x) - digamma(x)) in 1/x², x >= 8, degree 1, error 2^-30.719 of 1.
	digammaSeries32 = []float64{
		0x1.5554e8p-4, -0x1.0e49dp-7,
	}

	// digammaSeries64: the same, degree 5, error 2^-58.896.
	digammaSeries64 = []float64{
		0x1.5555555555339p-4, -0x1.1111110be13b8p-7, 0x1.04102fffbcc18p-8, -0x1.11042b42dadabp-8,
		0x1.eb7d3ce71a09bp-8, -0x1.1af670cee0c74p-6,
	}
)
