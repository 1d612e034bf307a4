# make        build ./afterstate
# make test   everything that must hold before a change is committed
# make bench  the benchmarks, in benchstat's format
# make fuzz   every fuzz target, FUZZTIME each

GO       ?= go
FUZZTIME ?= 20s

.PHONY: build test bench fuzz

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o afterstate .

test:
	GO="$(GO)" sh scripts/test.sh

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz:
	GO="$(GO)" FUZZTIME=$(FUZZTIME) sh scripts/fuzz.sh
