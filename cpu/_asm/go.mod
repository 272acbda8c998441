module github.com/stride0/stride0/cpu/_asm

go 1.26.0

require (
	github.com/mmcloughlin/avo v0.5.0
	github.com/stride0/stride0 v0.0.0
)

require (
	golang.org/x/mod v0.6.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/tools v0.2.0 // indirect
)

replace github.com/stride0/stride0 => ../..
