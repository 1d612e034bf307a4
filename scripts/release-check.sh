#!/bin/sh
# release-check.sh [FOLDER]: tries every artifact of a release (dist/release), as its users do, where
# there is no Go: programs in an empty root, packages by dpkg and rpm, wheels in new environments.
# Programs and the wheel for arm64 run under qemu-user, the library for Windows under Wine. make soak runs it. It needs
# Linux on amd64, root (or unprivileged user namespaces) and, from Debian: curl, python3-venv, unzip, rpm,
# qemu-user-static, wine64.
# As root on Debian it installs those that are missing, except python3-venv.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
release=$(cd "${1:-dist/release}" && pwd)
version=$(sed -n 's/^var Version = "\(.*\)"/\1/p' internal/version/version.go)
name=afterstate_$version
work=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
chroot=$(command -v chroot)
own=
[ "$(id -u)" = 0 ] || own="unshare --map-root-user"

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	for p in curl:curl unzip:unzip rpm:rpm qemu-aarch64-static:qemu-user-static /usr/lib/wine/wine64:wine64; do
		command -v "${p%:*}" >/dev/null || apt-get install -y -qq --no-install-recommends "${p#*:}" >/dev/null
	done
fi

# The game that every artifact must play.
game=$("$go" run . watch --seed 1 --until 2048 2>/dev/null | tail -1)

part() { printf '\n== %s\n' "$1"; }

# in_root ROOT PROGRAM WORD... runs a program where nothing else is, as the user $as if it is set.
home=/home
as=
in_root() {
	root=$1
	shift
	$own env -i HOME="$home" "$chroot" $as "$root" "$@"
}

# try ROOT WORD... tries the program that the words start: a whole game, a move, a page, the version.
try() {
	root=$1
	shift
	in_root "$root" "$@" version | grep -q "^afterstate $version " || { echo "version: want $version"; return 1; }
	in_root "$root" "$@" version | grep -q "^commit $(git rev-parse HEAD)" || { echo "version: want commit $(git rev-parse HEAD)"; return 1; }
	in_root "$root" "$@" version | grep -q '^champion ' || { echo 'version: want a champion'; return 1; }
	in_root "$root" "$@" watch --seed 1 --until 2048 >"$work/watch" 2>"$work/progress"
	tail -1 "$work/watch" | grep -qxF "$game" || { tail -3 "$work/watch"; echo "watch: want $game, as the source plays"; return 1; }
	in_root "$root" "$@" best 2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2 >"$work/best" 2>>"$work/progress"
	cat "$work/best"
	answers "$root" "$@" serve --no-open --listen 127.0.0.1:0
	echo "ok: version, watch, best, serve"
}

# answers ROOT WORD... starts a server and asks it for the page.
answers() {
	root=$1
	shift
	: >"$work/address"
	$own env -i HOME="$home" "$chroot" $as "$root" "$@" >"$work/address" 2>"$work/serve" &
	server=$!
	waited=0
	until grep -q http "$work/address"; do
		kill -0 "$server" 2>/dev/null && [ "$waited" -lt 600 ] || { cat "$work/serve"; return 1; }
		waited=$((waited + 1))
		sleep 0.2
	done
	curl -fsS --noproxy '*' --retry 9 --retry-connrefused "$(sed -n '1s/^[^h]*//p' "$work/address")" | grep -q '<title>Afterstate'
	kill "$server"
	wait "$server" 2>/dev/null || true
	server=
}

part 'checksums'
(cd "$release" && sha256sum -c --quiet "${name}_SHA256SUMS")
for file in "$release/$name"*.tar.gz "$release/$name"*.zip "$release/$name"*.deb "$release/$name"*.rpm "$release/"*.cdx.json "$release/"*.whl; do
	grep -q "  $(basename "$file")\$" "$release/${name}_SHA256SUMS" || { echo "no checksum of $file"; exit 1; }
done
wc -l <"$release/${name}_SHA256SUMS"

part 'archive for Linux on amd64'
tar -xzf "$release/${name}_linux_amd64.tar.gz" -C "$work"
unpacked=$work/${name}_linux_amd64
size=$(stat -c %s "$unpacked/afterstate")
[ "$size" -le 60000000 ] || { echo "afterstate has $size bytes: must be at most 60,000,000"; exit 1; }
size=$(stat -c %s "$unpacked/afterstate-hub")
[ "$size" -le 25000000 ] || { echo "afterstate-hub has $size bytes: must be at most 25,000,000, without networks"; exit 1; }
"$unpacked/afterstate-cuda" </dev/null | grep -q -e '"games":' -e 'no NVIDIA graphics driver' || { echo 'afterstate-cuda does not start'; exit 1; }
try "$work" "/${name}_linux_amd64/afterstate"
cmp LICENSE "$unpacked/LICENSE"
cmp THIRD_PARTY_LICENSES.txt "$unpacked/THIRD_PARTY_LICENSES.txt"
cmp deploy/afterstate-hub.service "$unpacked/deploy/afterstate-hub.service"
python3 - "$unpacked" <<'EOF'
import pathlib, re, sys
folder = pathlib.Path(sys.argv[1])
links = [(page, link) for page in folder.rglob("*.md") for link in re.findall(r"\]\(([^)#:\"]+)(?:#[^)]*)?\)", page.read_text())]
missing = [f"{page.relative_to(folder)}: {link}" for page, link in links if not (page.parent / link).exists()]
assert len(links) > 100 and not missing, missing
print("ok:", len(links), "links of the documentation")
EOF
bash -n "$unpacked/completions/afterstate.bash"

part 'image of the Containerfile'
image=$work/image
mkdir "$image"
sed -n '/^FROM scratch$/,$s/^COPY \([^-].*\)/\1/p' "$unpacked/Containerfile" | while read -r words; do
	to=${words##* }
	mkdir -p "$image$to"
	(cd "$unpacked" && cp ${words% *} "$image$to")
done
(cd "$image" && find . -type f | sort)
if [ "$(id -u)" = 0 ]; then # otherwise there is one user only
	user=$(sed -n 's/^USER //p' "$unpacked/Containerfile")
	home=/data as=--userspec=$user
	install -d -o "${user%:*}" -g "${user#*:}" "$image/data"
fi
try "$image" "$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]/\1/p' "$unpacked/Containerfile")"
[ -z "$as" ] || [ -d "$image/data/.cache/afterstate" ]

# Hub, worker and experiment of docs/administration.md, with the image's variables.
image_env="env -i HOME=/data XDG_DATA_HOME=/data XDG_CACHE_HOME=/data/cache TMPDIR=/data"
$own $image_env "$chroot" $as "$image" /usr/bin/afterstate-hub --listen 127.0.0.1:0 --json >"$work/hub" 2>"$work/hub-log" &
server=$!
waited=0
until grep -q '"url"' "$work/hub"; do
	kill -0 "$server" 2>/dev/null && [ "$waited" -lt 600 ] || { cat "$work/hub-log"; exit 1; }
	waited=$((waited + 1))
	sleep 0.2
done
$own $image_env AFTERSTATE_NATS="$(sed 's/.*"url":"\([^"]*\)".*/\1/' "$work/hub")" "$chroot" $as "$image" /usr/bin/afterstate worker --name rack-1 2>"$work/worker-log" &
server="$server $!"
$own $image_env "$chroot" $as "$image" /usr/bin/afterstate arena run first snake greedy --games 40 --nats hub -j 0 | tail -1
kill $server
for p in $server; do wait "$p"; done # both end well
server=
grep '^ended after 80 games' "$work/worker-log"
home=/home as=

part 'archives for the other systems'
for system in darwin_amd64 darwin_arm64 linux_arm64; do
	mkdir -p "$work/other"
	tar -xzf "$release/${name}_$system.tar.gz" -C "$work/other"
done
for arch in amd64 arm64; do
	unzip -q "$release/${name}_windows_$arch.zip" -d "$work/other"
done
for folder in "$work/other"/*; do
	for file in LICENSE THIRD_PARTY_LICENSES.txt README.md completions/afterstate.ps1; do
		[ -s "$folder/$file" ] || { echo "$folder lacks $file"; exit 1; }
	done
	system=${folder#*_*_}
	"$go" version -m "$folder"/afterstate* | awk -v os="GOOS=${system%_*}" -v arch="GOARCH=${system#*_}" '
		$1 == "build" && ($2 == os || $2 == arch) {n++} END {if (n != 4) exit 1}' || { echo "$folder: programs of another system"; exit 1; }
done
ls "$work/other"

part 'deb'
for arch in amd64 arm64; do
	dpkg-deb --field "$release/${name}_linux_$arch.deb" Package Version Architecture
done
root=$work/debian
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
: >"$root/var/lib/dpkg/status"
$own dpkg --root="$root" --install "$release/${name}_linux_amd64.deb" >/dev/null
try "$root" /usr/bin/afterstate
[ -s "$root/usr/share/doc/afterstate/THIRD_PARTY_LICENSES.txt" ]
[ -s "$root/usr/lib/systemd/system/afterstate-worker.service" ]
$own dpkg --root="$root" --purge afterstate >/dev/null
[ ! -e "$root/usr/bin/afterstate" ]

part 'rpm'
for arch in amd64 arm64; do
	rpm -qp --qf '%{name} %{version} %{arch} %{license}\n' "$release/${name}_linux_$arch.rpm"
done
root=$work/fedora
mkdir "$root"
$own rpm --root="$root" --install "$release/${name}_linux_amd64.rpm" 2>"$work/rpm" || { cat "$work/rpm"; exit 1; } # Debian's rpm warns
$own rpm --root="$root" --verify afterstate 2>>"$work/rpm"
try "$root" /usr/bin/afterstate
[ -s "$root/usr/share/doc/afterstate/THIRD_PARTY_LICENSES.txt" ]
[ -s "$root/usr/share/zsh/site-functions/_afterstate" ]
$own rpm --root="$root" --erase afterstate 2>>"$work/rpm"
[ ! -e "$root/usr/bin/afterstate" ]
[ ! -e "$root/usr/share/doc/afterstate" ]

part 'Linux on arm64, emulated'
cp "$(command -v qemu-aarch64-static)" "$work/other/qemu"
try "$work/other" /qemu "/${name}_linux_arm64/afterstate"
GOOS=linux GOARCH=arm64 CGO_ENABLED=0 "$go" test -count=1 -timeout 60m -exec qemu-aarch64-static -run '^(TestSignature|TestGoldenGames)$' ./experiment/bench ./rules/game ./learn >"$work/golden" || { cat "$work/golden"; exit 1; }
cat "$work/golden"
if grep -q 'no tests to run' "$work/golden"; then exit 1; fi

part 'site'
mkdir "$work/site"
tar -xzf "$release/${name}_site.tar.gz" -C "$work/site" --strip-components 1
python3 - "$work/site" <<'EOF'
import json, pathlib, re, sys
site = pathlib.Path(sys.argv[1])
first = (site / "sw.js").read_text().splitlines()[0]
names = json.loads(first.removeprefix("const files = ").rstrip(";"))["names"]
page = (site / "index.html").read_text()
networks = [n["file"] for n in json.loads(re.search(r'id="site">(.*?)</script>', page).group(1))["networks"]]
missing = [n for n in [*names, *networks] if n != "./" and not (site / n.split("?")[0]).is_file()]
assert not missing and len(names) > 5 and networks, (names, networks, missing)
print("ok:", len(names), "files that the service worker names, and", len(networks), "networks")
EOF

part 'SBOMs'
python3 - "$release" "$unpacked" "$version" "$go" <<'EOF'
import json, pathlib, subprocess, sys
release, unpacked, version, go = sys.argv[1:]
def listed(program, system):
    bom = json.loads(pathlib.Path(release, f"{program}_{version}_{system}.cdx.json").read_text())
    assert bom["bomFormat"] == "CycloneDX", bom["bomFormat"]
    return {(c["name"], c["version"]) for c in bom["components"]}

for program in ("afterstate", "afterstate-hub", "afterstate-cuda"):
    have = listed(program, "linux_amd64")
    others = ("darwin_amd64", "darwin_arm64", "windows_amd64", "windows_arm64") if program != "afterstate-cuda" else ()
    for system in ("linux_arm64", *others):
        assert len(listed(program, system)) >= len(have) - 5, system
    lines = subprocess.run([go, "version", "-m", f"{unpacked}/{program}"], capture_output=True, text=True, check=True).stdout.splitlines()
    want = {tuple(words[1:3]) for words in map(str.split, lines) if words[:1] == ["dep"]}
    assert want and want <= have, want - have
    print("ok:", program, len(want), "modules")
EOF

part 'wheels'
ls "$release"/*.whl
WHEELS=$release "$go" test -C tools/release -count=1 -run '^TestWheels$' .
cat >"$work/try.py" <<'EOF'
import platform

import gymnasium
from gymnasium.utils.env_checker import check_env

import afterstate2048

check_env(gymnasium.make("afterstate/Game2048-v0", size=(4, 4)).unwrapped)
env = gymnasium.make("afterstate/Game2048-v0", size=(4, 4))
board, _ = env.reset(seed=1)
print("ok: check_env;", afterstate2048.__version__, "on", platform.machine(), "would move", afterstate2048.best_move(board))
EOF
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --require-hashes --only-binary=:all: -r tools/release/requirements.txt # for Zig
"$work/venv/bin/pip" install -q wheel "$release"/*manylinux_2_17_x86_64.whl
for wheel in "$release"/*.whl; do
	"$work/venv/bin/wheel" unpack -d "$work/unpacked/${wheel##*-}" "$wheel" # verifies the hashes of its RECORD
done
# PATH has neither Go nor a compiler.
(cd "$work" && env -i HOME="$work/home" PATH="$work/venv/bin" python try.py)

part 'wheels for macOS and Windows'
for system in macosx_12_0_x86_64 macosx_12_0_arm64 win_amd64; do # as pip would install them there, with NumPy
	"$work/venv/bin/pip" install -q --target "$work/$system" --only-binary=:all: --python-version 3.12 --platform $system \
		"$release"/*-$system.whl
	ls "$work/$system/afterstate2048/"*afterstate.d*
done

part 'library for Windows, under Wine'
mkdir "$work/windows"
cat >"$work/windows/try.c" <<'EOF'
#include <stdint.h>
#include <stdio.h>
#include <windows.h>

#define function(name) (void *)GetProcAddress(library, "afterstate_" #name)

int main(int count, char **words) {
	HMODULE library = LoadLibraryA(words[1]);
	if (library == NULL) {
		return 1;
	}
	uintptr_t (*call_new)(void) = function(call_new);
	char *(*rpc)(uintptr_t, const char *) = function(rpc);
	int32_t (*call_wait)(uintptr_t, int32_t) = function(call_wait);
	char *(*call_end)(uintptr_t) = function(call_end);
	uintptr_t call = call_new();
	rpc(call, words[2]);
	while (!call_wait(call, 50)) {
	}
	puts(call_end(call));
	return 0;
}
EOF
cat >"$work/windows/random.c" <<'EOF'
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID to, ULONG n);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T n) { return SystemFunction036(to, (ULONG)n); }
EOF
zig="$work/venv/bin/python -m ziglang cc -target x86_64-windows-gnu"
wine="env -i HOME=$work/home WINEPREFIX=$work/wine WINEDEBUG=-all /usr/lib/wine"
$wine/wine64 wineboot >/dev/null 2>&1
random=$work/wine/drive_c/windows/system32/bcryptprimitives.dll # Wine has it since version 9, Windows since 7
[ -e "$random" ] || $zig -shared -o "$random" "$work/windows/random.c" -ladvapi32
$zig -o "$work/windows/try.exe" "$work/windows/try.c"
$wine/wine64 "$work/windows/try.exe" "$work/win_amd64/afterstate2048/afterstate.dll" \
	'{"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":"2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2"}}' | tee "$work/move"
grep -q '"move":"down"' "$work/move"
$wine/wineserver -k

part 'wheel for arm64, emulated'
# Python for arm64 is Debian's. It is unpacked, not installed.
arm=$work/arm
mkdir -p "$arm/lists/partial" "$arm/cache/archives/partial" "$arm/root"
: >"$arm/status"
cat >"$arm/apt.conf" <<EOF
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "";
Dir::State::lists "$arm/lists";
Dir::State::status "$arm/status";
Dir::Cache "$arm/cache";
EOF
APT_CONFIG="$arm/apt.conf" apt-get update -qq
APT_CONFIG="$arm/apt.conf" apt-get install -qq --download-only --no-install-recommends python3 libstdc++6 >/dev/null
for package in "$arm/cache/archives"/*.deb; do
	dpkg-deb -x "$package" "$arm/root"
done
[ -e "$arm/root/lib" ] || ln -s usr/lib "$arm/root/lib"
python=$(cd "$arm/root/usr/bin" && ls python3.*)
"$work/venv/bin/pip" install -q --target "$arm/packages" --only-binary=:all: --python-version "${python#python}" \
	--platform manylinux_2_17_aarch64 --platform manylinux_2_28_aarch64 "$release"/*manylinux_2_17_aarch64.whl
env -i HOME="$work/home" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$arm/packages" qemu-aarch64-static -L "$arm/root" "$arm/root/usr/bin/$python" "$work/try.py"

printf '\nall artifacts work\n'
