#!/bin/sh
# make test: formatting, vet, and the tests that Go alone can run: units, properties,
# command scripts, golden games, the documentation's commands, the signature.
# TAGS adds build tags. scripts/check.sh uses it for the browser tests.
set -eu
go=${GO:-go}

unformatted=$(gofmt -l $(find . -name '*.go' -not -path './.*' -not -path '*/node_modules/*'))
if [ -n "$unformatted" ]; then
	printf 'gofmt would change:\n%s\n' "$unformatted"
	exit 1
fi

# The browser tests of package serve take more than the ten minutes that are the default on a slow machine.
# -vet=all runs every analyzer of go vet and shares its compilation with the tests.
exec "$go" test -vet=all -timeout 80m -tags "${TAGS:-}" ./...
