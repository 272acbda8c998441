// Broadcasting teaches how shapes stretch, in small programs whose output is
// checked:
//
//	go run ./examples/broadcasting        # all lessons
//	go run ./examples/broadcasting trap   # one
//	go test -v ./examples/broadcasting    # run and check them
//
// The lessons, in order:
//
//	scalar                  a number meets a tensor
//	row                     a missing axis is stretched
//	column                  an axis of size 1 is stretched
//	outer                   both operands are stretched
//	trap                    (N, 1) - (N) is (N, N)
//	stretch                 nothing is copied
//	keepdims                why reductions can keep their axis
//	masks                   comparisons and Where
//	sumTo                   broadcasting backwards
//	mistakeRow              (5, 3) + (5)
//	mistakeColumn           (3, 1) + (3)
//	mistakeStretchedWrite   adding into a stretched view
//	mistakeMean             a mean that drops its axis
//
// Each is an Example function in a _test.go file, which holds the program and
// what it prints. To add a lesson, write such a function and a line above; a
// new file also goes into the list in main.go.
package main
