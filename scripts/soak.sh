#!/bin/sh
# make soak: tests with their long counts (SOAK=1), then every fuzz target for FUZZTIME, then the release:
# built twice, compared, and every artifact tried.
set -eu
go=${GO:-go}
SOAK=1 FULL=1 "$go" test -count=1 -timeout 3h ./...
GO="$go" sh scripts/fuzz.sh
GO="$go" sh scripts/release-reproduce.sh
GO="$go" sh scripts/release-check.sh
