# make          build ./afterstate and ./afterstate-hub, on Linux also ./afterstate-cuda
# make test     a verdict in minutes: formatting, vet, the tests that need only Go
# make check    all tests: also the slow ones, the page in a browser, the race detector,
#               cross-builds and Python; what CI runs
# make soak     the long counts: kills, matches of equal players, fuzzing, the release (one to two hours)
# make bench    the benchmarks, in benchstat's format
# make fuzz     every fuzz target, FUZZTIME each
# make site OUT=DIR   the page as a static site, with the engine as WebAssembly (docs/site.md)
# make release    builds the files of a release into dist/release (docs/releases.md)

GO       ?= go
FUZZTIME ?= 20s
NETWORK  ?= cmd/wasm/network.model

.PHONY: build test check soak bench fuzz site release

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o afterstate .
	CGO_ENABLED=0 $(GO) build -trimpath -o afterstate-hub ./cmd/hub
	[ "$$($(GO) env GOOS)" != linux ] || CGO_ENABLED=0 $(GO) build -trimpath -o afterstate-cuda ./cmd/cuda

test:
	GO="$(GO)" sh scripts/test.sh

check:
	GO="$(GO)" sh scripts/check.sh

soak:
	GO="$(GO)" FUZZTIME=$(FUZZTIME) sh scripts/soak.sh

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz:
	GO="$(GO)" FUZZTIME=$(FUZZTIME) sh scripts/fuzz.sh

site:
	$(GO) run ./cmd/site -network $(NETWORK) $(OUT)

release:
	GO="$(GO)" sh scripts/release.sh
