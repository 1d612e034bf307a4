#!/bin/sh
# wheels.sh FOLDER builds the Python wheels for Linux and macOS on amd64 and arm64, and for Windows on amd64. The C
# compiler is Zig's, as a package of Python. For Linux it links against glibc 2.17, so that they run on every distribution
# since 2014 (auditwheel verifies the tag), and for macOS against version 12, the oldest of Go 1.26.
# Variables of scripts/release.sh: GO, GO_LDFLAGS, SOURCE_DATE_EPOCH.
# The library has no debug information of C and no build ID: both depend on the folder that Zig is in.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CGO_CFLAGS='-O2 -g0' CGO_LDFLAGS=-O2 GO_LDFLAGS="${GO_LDFLAGS:--s -w} -buildid="
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PYTHONDONTWRITEBYTECODE=1
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --require-hashes --only-binary=:all: -r tools/release/requirements.txt

# wheel GOOS GOARCH TARGET TAG builds a wheel. TARGET is Zig's name of the system.
wheel() {
	GOOS=$1 GOARCH=$2 CC="$work/venv/bin/python -m ziglang cc -target $3" \
		"$work/venv/bin/pip" wheel -q ./python --no-deps --no-build-isolation -w "$out" \
		--config-settings=--build-option=--plat-name="$4"
}

for target in amd64:x86_64 arm64:aarch64; do
	machine=${target#*:}
	wheel linux "${target%:*}" "$machine-linux-gnu.2.17" "manylinux_2_17_$machine"
	file=$(ls "$out"/*manylinux_2_17_"$machine".whl)
	# auditwheel names the oldest glibc with which the wheel works, such as manylinux_2_5_x86_64.
	oldest=$("$work/venv/bin/auditwheel" show "$file" | sed -n "s/.*\"manylinux_2_\([0-9]*\)_$machine\".*/\1/p")
	[ "${oldest:-99}" -le 17 ] || { "$work/venv/bin/auditwheel" show "$file"; exit 1; }
done

wheel windows amd64 x86_64-windows-gnu win_amd64

# Zig has the functions of macOS's libSystem, but not the library and the framework that Go also names to its linker. The
# package's library uses neither, so these files list none of their functions, and the result does not name them.
mkdir "$work/CoreFoundation.framework"
for name in libresolv CoreFoundation.framework/CoreFoundation; do
	cat >"$work/$name.tbd" <<EOF
--- !tapi-tbd
tbd-version: 4
targets: [x86_64-macos, arm64-macos]
install-name: /$name
...
EOF
done
CGO_LDFLAGS="$CGO_LDFLAGS -L$work -F$work -Wl,-dead_strip_dylibs -Wl,-install_name,@rpath/libafterstate.dylib"
GO_LDFLAGS=${GO_LDFLAGS#-s } # Zig's linker writes uninitialized memory in place of symbols that it strips
wheel darwin amd64 x86_64-macos.12.0 macosx_12_0_x86_64
wheel darwin arm64 aarch64-macos.12.0 macosx_12_0_arm64
