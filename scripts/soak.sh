#!/bin/sh
# make soak: tests with their long counts (SOAK=1) and the page in every window, then every fuzz target for FUZZTIME, then
# the release: built twice, compared, and every artifact tried.
set -eu
go=${GO:-go}
GO="$go" SOAK=1 LIMIT=3h PARTS="page tests browser race" sh scripts/check.sh
GO="$go" sh scripts/fuzz.sh
GO="$go" sh scripts/release-reproduce.sh
GO="$go" sh scripts/release-check.sh
