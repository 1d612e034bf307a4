#!/bin/sh
# release-reproduce.sh: builds the release of this commit twice, in clones at different places and with a
# build cache for each, and compares all artifacts byte by byte. The first is left in dist. make soak runs
# it. SHARE_CACHE=1 builds both with the user's cache, which is faster and proves less.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
commit=$(git rev-parse HEAD)
for place in a some/other/place; do
	git clone -q . "$work/$place"
	git -C "$work/$place" checkout -q "$commit"
done
GO="$go" sh "$work/a/scripts/release.sh"
[ "${SHARE_CACHE:-}" = 1 ] || export GOCACHE="$work/cache"
GO="$go" sh "$work/some/other/place/scripts/release.sh"
cd "$work/a/dist/release"
same=0
differ=0
for file in $(awk '{print $2}' ./*SHA256SUMS) ./*SHA256SUMS; do
	if cmp "$file" "$work/some/other/place/dist/release/$file"; then
		same=$((same + 1))
	else
		differ=$((differ + 1))
	fi
done
[ "$differ" = 0 ] && [ "$same" -ge 20 ] || { echo "not reproducible: $differ files differ"; exit 1; }
echo "reproducible: $same files are the same, byte by byte"
cd - >/dev/null
mkdir -p dist
rm -rf dist/release
cp -r "$work/a/dist/release" dist/release
