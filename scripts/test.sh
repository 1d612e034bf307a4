#!/bin/sh
# make test: formatting, vet, and the quick tests: what an ordinary change can break, in one process for each package.
# CONTRIBUTING.md has the rule, scripts/check.sh the rest.
set -eu
go=${GO:-go}

# The tests of these packages are linked with nats-server, which takes a minute to compile: only make check runs them.
# TestServerPackages of internal/repository compares the list with the imports.
server_packages='cli/hub cmd/hub experiment/machines experiment/machines/hub'

unformatted=$(gofmt -l $(find . -name '*.go' -not -path './.*' -not -path '*/node_modules/*'))
if [ -n "$unformatted" ]; then
	printf 'gofmt would change:\n%s\n' "$unformatted"
	exit 1
fi

export RAPID_SEED=1 # properties try the same cases each time; make soak tries others

packages=$("$go" list ./... | grep -v -E "/($(echo $server_packages | tr ' ' '|'))\$")

# A test that hangs ends after two minutes, with the stacks of all goroutines. No package takes a quarter of that on a
# quiet machine.
exec "$go" test -timeout 2m $packages
