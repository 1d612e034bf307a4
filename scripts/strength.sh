#!/bin/sh
# make strength: plays the experiments whose tables docs/strength.md shows, as far as
# they have not been played yet, and renews the tables. It can be stopped and gone on
# with at any time. DB is the store, FILE the document; the tables that it has of other
# experiments stay as they are.
set -eu
go=${GO:-go}
file=${FILE:-docs/strength.md}
db=${DB:-${XDG_DATA_HOME:-$HOME/.local/share}/afterstate/strength.db}
mkdir -p "$(dirname "$db")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$go" build -o "$folder/afterstate" .

# An empty cache has no solved sizes, so that luck is in the same values everywhere.
play() { # NAME and the rest of arena run's words
	XDG_CACHE_HOME=$folder "$folder/afterstate" arena run "$@" --luck --db "$db" >/dev/null
}

# A few seconds; a test holds the tables against it.
play sizes-3x3 random greedy foresight snake alphabeta weighted-snake --size 3x3 --games 100

"$folder/afterstate" arena report --into "$file" --db "$db"
