STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME   ?= 20s

# The packages that compute, whose tests an emulator runs in minutes.
COMPUTES = ./dtype ./broadcast ./internal/exact ./kernels ./cpu

.PHONY: all test full race noasm nocgo 386 arm64 ports check generate generate-asm ulp conform bench bench-peers peers fuzz cover help

all: check test ## what to run before a commit

test: ## all tests, as a user runs them
	go test ./...

full: check race noasm nocgo 386 arm64 ports ## everything, long tests too (minutes)
	STRIDE0_FULL=1 go test -timeout 60m ./...

race: ## tests under the race detector, which sees only Go code on the Go heap (needs a C compiler)
	STRIDE0_POOL=heap go test -short -race -tags noasm ./...

noasm: ## tests without assembly
	go test -short -tags noasm ./...

nocgo: ## tests as built without a C compiler
	CGO_ENABLED=0 go test -short ./...

386: ## tests where int has 32 bits; emulated for arm if this machine runs no 386 (needs qemu-user-static)
	if CGO_ENABLED=0 GOARCH=386 go test -run '^$$' ./dtype >/dev/null 2>&1; \
	then CGO_ENABLED=0 GOARCH=386 go test -short ./...; \
	else GOARCH=386 go vet ./... && CGO_ENABLED=0 GOARCH=arm go test -short -exec qemu-arm-static $(COMPUTES); fi

arm64: ## tests of what computes on another architecture, emulated (needs qemu-user-static)
	CGO_ENABLED=0 GOARCH=arm64 go test -short -exec qemu-aarch64-static $(COMPUTES)

ports: ## type-check and build everything for macOS and Windows
	for os in darwin windows; do GOOS=$$os GOARCH=arm64 go vet ./... && GOOS=$$os GOARCH=arm64 go build ./... || exit 1; done

check: ## format, vet, staticcheck, generated files up to date
	files=$$(gofmt -l .) && test -z "$$files" || { echo "gofmt -w $$files"; exit 1; }
	go vet ./... && go run $(STATICCHECK) ./... && go test -run UpToDate ./...

generate: ## write the generated files (z*) again, but for assembly
	go generate ./...

generate-asm: ## write the assembly (cpu/zasm*) again; downloads avo
	cd cpu/_asm && go run . -dir ..

ulp: ## the measured error of every row in every float dtype, on a million samples (an hour)
	STRIDE0_SAMPLES=1000000 go test -run 'TestULP$$' -v -timeout 4h ./kernels | grep ULP

conform: ## ONNX node tests, with a summary; STRIDE0_DEVICE names the device
	go test -count=1 -run Conformance -v ./internal/conform

bench: ## benchmarks, with the bytes they move and allocate
	go test -run '^$$' -bench . -benchmem ./bench

bench-peers: ## against other libraries, interleaved: tables and charts of docs/performance.md (an hour; QUICK=-quick: minutes)
	cd bench/peers && go run . -docs ../../docs $(QUICK)

peers: ## analyse and test bench/peers, a module of its own with the other libraries
	cd bench/peers && go vet ./... && go run $(STATICCHECK) ./... && go test ./...

fuzz: ## every fuzz target for FUZZTIME each
	go list -f '{{.ImportPath}}' ./... | while read p; do for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p || exit 1; done; done

cover: ## statement coverage of the whole module by all its tests
	go test -coverpkg=./... -coverprofile=cover.out ./... && go tool cover -func cover.out | tail -n 1

help: ## this list
	@sed -n 's/^\([a-z0-9 -]*\):.*## /\1\t/p' Makefile | expand -t 13
