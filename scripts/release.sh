#!/bin/sh
# make release: builds the release of this commit into dist/release, without publishing anything.
# It needs Go, git and Python 3 with venv, and downloads modules and Python packages.
# It fails on a work tree with changes unless DIRTY=1 is set. docs/releases.md describes the artifacts.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
umask 022
export LC_ALL=C TZ=UTC
stage=dist/stage
rm -rf "$stage" dist/release
mkdir -p "$stage/bin" "$stage/completions" "$stage/wheels" "$stage/site"

VERSION=$(sed -n 's/^var Version = "\(.*\)"/\1/p' internal/version/version.go)
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
modified=false
if [ -n "$(git status --porcelain)" ]; then
	modified=true
	[ "${DIRTY:-}" = 1 ] || { echo 'release: the work tree has changes; commit them, or set DIRTY=1 to try a build' >&2; exit 1; }
fi
v=github.com/afterstate2048/afterstate/internal/version
GO_LDFLAGS="-s -w -X $v.Version=$VERSION -X $v.commit=$commit -X $v.modified=$modified"
export VERSION SOURCE_DATE_EPOCH GO_LDFLAGS GOFLAGS=-buildvcs=false GOTOOLCHAIN="$("$go" env GOVERSION)"
# GoReleaser and cyclonedx-gomod run the go command on PATH.
export PATH="$("$go" env GOROOT)/bin:$PATH"

step() { printf '%s  %s\n' "$(date +%H:%M:%S)" "$1"; }

step 'release tools'
"$go" build -C tools/release -o "../../$stage/bin/" github.com/goreleaser/goreleaser/v2 github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod

step 'completions'
CGO_ENABLED=0 "$go" build -trimpath -ldflags "$GO_LDFLAGS" -o "$stage/bin/afterstate" .
for shell in bash zsh fish; do
	"$stage/bin/afterstate" completion "$shell" >"$stage/completions/afterstate.$shell"
done
"$stage/bin/afterstate" completion powershell >"$stage/completions/afterstate.ps1"

step 'the site'
"$go" run ./cmd/site -network cmd/wasm/network.model "$stage/site"
cp THIRD_PARTY_LICENSES.txt "$stage/site/"

step 'wheels'
GO="$go" sh tools/release/wheels.sh "$stage/wheels"

step 'archives, packages, SBOMs, checksums'
# One at a time, so that programs are in the same order in every archive.
"$stage/bin/goreleaser" release --snapshot --skip=publish,announce --parallelism 1
cp "$stage/wheels/"*.whl dist/release/

step 'done: dist/release'
cd dist/release
sha256sum -c --quiet "afterstate_${VERSION}_SHA256SUMS"
ls -l | awk 'NR > 1 && $5 != 4096 && !/config.yaml|artifacts.json|metadata.json/ {printf "%11d  %s\n", $5, $9}'
