# make        build ./afterstate
# make test   everything that must hold before a change is committed
# make bench  the benchmarks, in benchstat's format
# make fuzz   every fuzz target, FUZZTIME each
# make strength   plays what docs/strength.md tells and renews its tables

GO       ?= go
FUZZTIME ?= 20s

.PHONY: build test bench fuzz strength

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o afterstate .

test:
	GO="$(GO)" sh scripts/test.sh

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz:
	GO="$(GO)" FUZZTIME=$(FUZZTIME) sh scripts/fuzz.sh

strength:
	GO="$(GO)" sh scripts/strength.sh
