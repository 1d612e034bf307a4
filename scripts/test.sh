#!/bin/sh
# make test: formatting, vet, staticcheck, tests (the README's commands among
# them), the race detector, cross-builds, the Python package. Go alone is needed; a
# part whose needs are missing is named NOT RUN at the end, and with CI=true that is
# a failure. As root on Debian what is missing is installed first.
set -eu
go=${GO:-go}
missing=""

step() { printf '\n== %s\n' "$1"; }

not_run() { missing="$missing
NOT RUN: $1"; }

install() { # packages, by apt, where that is possible
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/dev/null
	fi
}

step "formatting"
unformatted=$(gofmt -l $(find . -name '*.go' -not -path './.*'))
if [ -n "$unformatted" ]; then
	printf 'gofmt would change:\n%s\n' "$unformatted"
	exit 1
fi

step "vet, module file"
"$go" vet ./...
"$go" mod tidy -diff

step "staticcheck"
if (cd tools && "$go" build -o /dev/null honnef.co/go/tools/cmd/staticcheck); then
	"$go" tool -modfile=tools/go.mod staticcheck ./...
else
	not_run "staticcheck: its module cannot be had"
fi

step "tests"
command -v python3 >/dev/null || install python3 || true
command -v python3 >/dev/null || not_run "the bot in Python: python3 is missing"
[ -e /dev/ptmx ] || not_run "terminal sessions: there are no pseudo-terminals"
"$go" test ./...

step "race detector"
command -v gcc >/dev/null || install gcc libc6-dev || true
if command -v gcc >/dev/null; then
	CGO_ENABLED=1 "$go" test -race -short ./arena/... ./bitboard ./champion ./cli/... ./explain/... ./game/... ./learn/... ./ntuple/... ./player/... ./search/... ./tui/... ./tune ./wire/...
else
	not_run "race detector: it needs a C compiler"
fi

step "cross-builds"
for target in linux/arm64 darwin/arm64 windows/amd64; do
	GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 "$go" build -o /dev/null .
done
GOOS=js GOARCH=wasm "$go" build ./board/... ./bitboard ./game/... ./eval/... ./search/... ./ntuple/... ./learn/... ./champion ./wire/... ./player/...

step "Python"
command -v python3 >/dev/null && command -v gcc >/dev/null || install python3 gcc libc6-dev || true
venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PYTHONDONTWRITEBYTECODE=1
python3 -m venv "$venv" >/dev/null 2>&1 || { install python3-venv && python3 -m venv "$venv" >/dev/null; } || true
if ! command -v gcc >/dev/null || ! [ -x "$venv/bin/pip" ]; then
	not_run "Python package: it needs python3 with venv, and a C compiler"
elif ! "$venv/bin/pip" install -q -r python/tests/requirements.txt; then
	not_run "Python package: its tests need Python 3.11 or later, and pip what python/tests/requirements.txt names"
else
	"$go" vet -tags clib ./env/clib
	"$venv/bin/pip" install -q ./python
	(cd python && "$venv/bin/mypy" --cache-dir "$venv/mypy" && "$venv/bin/python" -m pytest -q -p no:cacheprovider)
fi

if [ -n "$missing" ]; then
	printf '%s\n' "$missing"
	[ "${CI:-}" != true ] || exit 1
else
	printf '\nall parts ran\n'
fi
