// Package cudasim builds, for tests, a shared library that stands in for
// NVIDIA's driver: it runs the real PTX of real kernels on the CPU and checks
// what they do.
//
// There is no GPU in it. It proves host code, the results of kernels to the
// last bit, and what happens after faults. It says nothing about speed, and
// nothing about what NVIDIA's compiler makes of the PTX.
//
// Vocabulary: the library exports the functions of the driver API that
// device/cuda binds, with the status codes of the real driver. A report is a
// line on something a kernel did wrong; a leak is what a context still held
// when it was given up; a fault is an error that a test asks for.
//
//	sim := cudasim.Open(t)             // built with g++ once, then cached
//	lib, err := dl.Open(sim.Path())    // in place of libcuda.so.1
//	sim.Set("faults", "cuMemAlloc:3")  // the third allocation fails
//	...                                // run what is to be tested
//	if r := sim.Reports(); r != "" {   // out of bounds, races, bad PTX
//		t.Error(r)
//	}
//
// What is checked: every access of global, shared and local memory against
// what is allocated at that moment, and its alignment; shared memory for two
// threads of which one writes with no barrier between; barriers that some
// threads do not reach; shuffles from absent threads; endless loops. Such a
// fault is printed on stderr, ends up in Reports, and fails the context as on
// a GPU. Launches are asynchronous: each stream has a thread of its own.
// Allocations never reuse an address and hold a pattern until written.
//
// Settings, by Set or as CUDASIM_KEY in the environment, are listed in
// src/settings.h. To add an instruction, edit the table of one of the files
// src/ops_*.cpp, or src/decode.cpp where its name has parts with a meaning; an
// instruction that is not there is refused with its line when the module is
// loaded. To add a function of the driver, edit one of src/api_*.cpp.
package cudasim
