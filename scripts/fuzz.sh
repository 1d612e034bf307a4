#!/bin/sh
# Runs every fuzz target for FUZZTIME. Inputs that reach new code are not minimized, which takes up to a minute each
# and no new input is tried meanwhile.
set -eu
go=${GO:-go}
for file in $(grep -rl --include='*_test.go' '^func Fuzz' .); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\)(.*/\1/p' "$file"); do
		"$go" test "$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-20s}" -fuzzminimizetime 1x
	done
done
