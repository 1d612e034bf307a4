#!/bin/sh
# make test: formatting, vet, staticcheck, the page's bundle, tests (the README's
# commands and the page in a browser among them), the race detector, cross-builds, the
# Python package. Go alone is needed; a part whose needs are missing is named NOT RUN at
# the end, and with CI=true that is a failure. As root on Debian what is missing is
# installed first.
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
"$go" vet -tags pictures ./serve
"$go" mod tidy -diff

step "staticcheck"
if (cd tools && "$go" build -o /dev/null honnef.co/go/tools/cmd/staticcheck); then
	"$go" tool -modfile=tools/go.mod staticcheck ./...
else
	not_run "staticcheck: its module cannot be had"
fi

step "the page"
page=$(mktemp -d)
venv=$(mktemp -d)
trap 'rm -rf "$page" "$venv"' EXIT
command -v npm >/dev/null || install npm || true
if command -v npm >/dev/null && (cd serve/ui && npm ci --ignore-scripts --no-audit --no-fund --silent); then
	(cd serve/ui && npx --no-install tsc --noEmit)
	"$go" run -C tools ./bundle ../serve/ui "$page/dist"
	diff -r "$page/dist" serve/dist || { echo 'serve/dist is stale: run go generate ./serve'; exit 1; }
else
	not_run "types and freshness of the page: npm is missing, or its packages cannot be had"
fi
if command -v npm >/dev/null && npm install --prefix "$page" --ignore-scripts --no-save --no-audit --no-fund --silent axe-core@4.14.1; then
	export AXE="$page/node_modules/axe-core/axe.min.js"
else
	not_run "accessibility of the page: axe-core cannot be had"
fi
command -v chromium >/dev/null || install chromium || true
command -v chromium >/dev/null || not_run "the page in a browser: chromium is missing"

step "tests"
command -v curl >/dev/null || install curl || true
command -v curl >/dev/null || not_run "the examples of docs/api.md: curl is missing"
command -v python3 >/dev/null || install python3 || true
command -v python3 >/dev/null || not_run "the bot in Python: python3 is missing"
[ -e /dev/ptmx ] || not_run "terminal sessions: there are no pseudo-terminals"
"$go" test ./...

step "race detector"
command -v gcc >/dev/null || install gcc libc6-dev || true
if command -v gcc >/dev/null; then
	CGO_ENABLED=1 "$go" test -race -short ./arena/... ./bitboard ./champion ./cli/... ./env/... ./explain/... ./game/... ./learn/... ./ntuple/... ./player/... ./search/... ./tui/... ./tune ./wire/...
	CGO_ENABLED=1 "$go" test -race -short -skip '^TestPage' ./serve # browsers are slow enough without it
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
