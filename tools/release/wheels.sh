#!/bin/sh
# wheels.sh FOLDER builds the Python wheels for Linux on amd64 and arm64. The C compiler is Zig's, as a
# package of Python, linked against glibc 2.17, so that they run on every Linux distribution since 2014.
# auditwheel verifies the tag. Variables of scripts/release.sh: GO, GO_LDFLAGS, SOURCE_DATE_EPOCH.
# The library has no debug information of C and no build ID: both depend on the folder that Zig is in.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CGO_CFLAGS='-O2 -g0' GO_LDFLAGS="${GO_LDFLAGS:--s -w} -buildid="
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PYTHONDONTWRITEBYTECODE=1
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --require-hashes --only-binary=:all: -r tools/release/requirements.txt
for target in amd64:x86_64 arm64:aarch64; do
	machine=${target#*:}
	GOOS=linux GOARCH=${target%:*} CC="$work/venv/bin/python -m ziglang cc -target $machine-linux-gnu.2.17" \
		"$work/venv/bin/pip" wheel -q ./python --no-deps --no-build-isolation -w "$out" \
		--config-settings=--build-option=--plat-name=manylinux_2_17_"$machine"
	wheel=$(ls "$out"/*_"$machine".whl)
	# auditwheel names the oldest glibc with which the wheel works, such as manylinux_2_5_x86_64.
	oldest=$("$work/venv/bin/auditwheel" show "$wheel" | sed -n "s/.*\"manylinux_2_\([0-9]*\)_$machine\".*/\1/p")
	[ "${oldest:-99}" -le 17 ] || { "$work/venv/bin/auditwheel" show "$wheel"; exit 1; }
done
