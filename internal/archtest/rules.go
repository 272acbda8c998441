package archtest

// Module is the path of the module; Rules and Packages name packages without it.
const Module = "github.com/stride0/stride0"

// The limits on length, in lines. Hand-written files should stay under about
// 300 and functions under about 40; beyond these limits that is no "about".
const (
	MaxLines          = 350   // of a hand-written file
	MaxFuncLines      = 50    // of a hand-written function outside tests
	MaxGeneratedLines = 2_000 // of a generated file
)

// A Rule says what the non-test files of one package may import. Test files
// may import anything.
type Rule struct {
	Package  string   // path in the module; "" is the root
	Imports  []string // packages of the module
	External []string // modules from elsewhere
}

// Below lists, from the bottom up, the packages of which each may import all
// before it; "everything" is for programs, the only ones to link GPU drivers.
var (
	belowKernels = []string{"dtype", "broadcast", "internal/exact"}
	belowDevice  = append(belowKernels[:3:3], "kernels")
	belowCPU     = append(belowDevice[:4:4], "device")
	belowTensor  = append(belowCPU[:5:5], "cpu")
	everything   = append(belowTensor[:6:6], "tensor", "device/all")
)

// Rules is the import table of the module. Every package has exactly one rule;
// a rule may come before its package.
var Rules = []Rule{
	{Package: ""},
	{Package: "dtype"},
	{Package: "broadcast"},
	{Package: "internal/exact"},
	{Package: "kernels", Imports: belowKernels},
	{Package: "device", Imports: belowDevice},
	{Package: "device/devicetest", Imports: belowCPU},
	{Package: "cpu", Imports: belowCPU, External: []string{"gonum.org/v1/gonum", "golang.org/x/sys"}},
	{Package: "internal/dl"},
	{Package: "internal/lru"},
	{Package: "internal/nvrtc", Imports: []string{"internal/dl"}},
	{Package: "device/opencl", Imports: append(belowCPU[:5:5], "internal/dl", "internal/lru")},
	{Package: "device/cuda", Imports: append(belowCPU[:5:5], "internal/dl", "internal/lru", "internal/nvrtc")},
	{Package: "device/cuda/cudasim", Imports: []string{"internal/dl"}}, // for tests only
	{Package: "device/all", Imports: []string{"device/opencl", "device/cuda"}},
	{Package: "tensor", Imports: belowTensor},
	{Package: "tensor/tensortest", Imports: []string{"device"}},
	{Package: "nn", Imports: []string{"dtype", "broadcast", "tensor"}},
	{Package: "bench", Imports: everything},
	{Package: "cmd/stride0", Imports: everything},
	{Package: "examples/broadcasting"}, // lessons are tests, the program prints them
	{Package: "examples/digits", Imports: everything},
	{Package: "examples/photo", Imports: everything},
	{Package: "internal/archtest"},
	{Package: "internal/gpucheck", Imports: everything},
	{Package: "internal/goldens", Imports: []string{"dtype", "tensor"}},
	{Package: "internal/conform", Imports: append(belowTensor[:6:6], "tensor", "nn")},
	{Package: "internal/gen", Imports: belowDevice},
	{Package: "internal/gen/opsgen", Imports: belowDevice},
	{Package: "internal/gen/ptxgen", Imports: append(belowDevice[:4:4], "internal/nvrtc")},
	{Package: "internal/gen/tensorgen", Imports: belowDevice},
}

// noGenerated lists the packages that contain no generated code: the op table
// must compile before anything is derived from it.
var noGenerated = []string{"kernels"}
