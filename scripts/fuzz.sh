#!/bin/sh
# Runs every fuzz target for FUZZTIME. Inputs that reach new code are not minimized: that would take up to a minute
# for each, in which no new input is tried.
set -eu
go=${GO:-go}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# fuzz DIR TARGET fails if an input fails. Before Go 1.27 a run on a busy machine may also end with this error of
# the fuzzer itself (https://go.dev/issue/75804); it writes no input then.
fuzz() {
	status=0
	"$go" test "$1" -run '^$' -fuzz "^$2\$" -fuzztime "${FUZZTIME:-20s}" -fuzzminimizetime 1x >"$log" 2>&1 || status=$?
	cat "$log"
	if [ "$status" != 0 ] && grep -qx '    context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log"; then
		echo "$1 $2: ended by the fuzzer's own deadline, no input failed"
		return
	fi
	return "$status"
}

for file in $(grep -rl --include='*_test.go' '^func Fuzz' .); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\)(.*/\1/p' "$file"); do
		fuzz "$(dirname "$file")" "$target"
	done
done
