// Package dl opens shared libraries while the program runs, so that drivers
// are found and not linked.
//
// Vocabulary: a Library is what Open found under one of the names it tried;
// a symbol is the address of one of its functions. Process is the Library of
// what is loaded already: tools that interpose a driver put their functions
// there.
//
//	lib, err := dl.Open("libOpenCL.so.1", "libOpenCL.so")
//	if err != nil {
//		return err // lists every name tried and why it did not open
//	}
//	f, err := lib.Symbol("clGetPlatformIDs")
//
// Without cgo, and on systems without dlopen, Open returns an error that is
// ErrNoLoader. To support a system, edit the build line of dl_cgo.go and the
// opposite one of dl_none.go.
package dl
