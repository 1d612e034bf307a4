#!/bin/sh
# make check: all tests. In addition to those of make test: slower tests, staticcheck, the page's types, format, bundle
# and browser tests, the race detector, cross-builds, Python. PARTS="python race" runs some parts alone.
# A part that lacks something is listed as NOT RUN at the end; with CI=true that is a failure. As root on Debian, missing
# programs are installed first.
set -eu
go=${GO:-go}
parts=${PARTS:-page analysis tests browser race cross_builds python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM # so that $work is removed: its Python environment alone takes 2.5 GB
[ "${SOAK:-}" = 1 ] || export RAPID_SEED=1 # properties try the same cases each time; make soak tries others
limit=${LIMIT:-40m} # for the tests of a package; the page took 21 minutes beside two other runs
export FULL=1 AXE="$work/page/node_modules/axe-core/axe.min.js" GAME2048="$work/game/node_modules/game-2048"
: >"$work/not-run" >"$work/failed" >"$work/notes"

# The goroutines of these packages share data: their tests run only with the race detector, except plain_tests.
race_packages='eval/models eval/models/cache exchange/drive exchange/drive/cdp experiment experiment/arena
	experiment/machines experiment/store internal/workers player player/bot player/bot/remote player/live protocol serve
	tui'

# Most tests of these packages compute for long in one goroutine: the race detector runs only the tests of concurrent
# code. All tests also run without it.
race_tests='search:Loose|Limit|Context|Stopped
	search/solve:OneSolves|Library|Folder|Published
	learn:Races|Checkpoints|FewGames|SettledLimit|^TestPlay$
	eval/ntuple/quant:Each|Quantize$|Sparse
	player/catalog:Independent|LoadsSlowly|PerfectGames
	experiment:^TestLuckCovers$
	advice/odds:Threads|Limits|Failures
	serve/session:Loading|Slots|Searches|Unread|Prepar|GivingUp|Limit|Taken|Neglected|Ends|InSession|Calls'

# These tests of race_packages take long, and other tests cover their concurrent code, or they need networks, which builds
# for the race detector lack: they run without the detector.
plain_tests='experiment:TestLuckCovers|TestLuckCoversStarts|TestRank
	experiment/store:TestRoomOfGames|TestWhatIsKeptComesBack
	serve:TestCostlyFootage|TestPuzzles|TestLessonBoards|TestStageBoards|TestMakeLearn'

not_run() { echo "NOT RUN: $1" >>"$work/not-run"; }

has() { command -v "$1" >/dev/null; }

# again runs a download up to three times.
again() { "$@" || { sleep 10; "$@"; } || { sleep 30; "$@"; }; }

# folders NAMES returns the packages with these names as arguments of go.
folders() { for name in $1; do printf './%s ' "$name"; done; }

# run NAMES runs the parts with these names side by side, each with its output in a file, and prints it when it ends.
run() {
	names=""
	for name in $1; do
		case " $parts " in *" $name "*) names="$names $name" ;; esac
	done
	for name in $names; do
		(set -e; start=$(date +%s); "$name"; echo "$name: $(($(date +%s) - start)) s") >"$work/$name.log" 2>&1 &
		eval "pid_$name=$!"
	done
	for name in $names; do
		status=0
		eval "wait \$pid_$name" || status=$?
		printf '\n== %s\n' "$name"
		cat "$work/$name.log"
		[ "$status" = 0 ] || echo "$name" >>"$work/failed"
	done
}

install_programs() {
	wanted=""
	has npm || wanted="$wanted npm"
	has chromium || wanted="$wanted chromium"
	has curl || wanted="$wanted curl"
	has python3 || wanted="$wanted python3"
	has gcc || wanted="$wanted gcc libc6-dev"
	has ip || wanted="$wanted iproute2"
	has Xvfb || wanted="$wanted xvfb"
	python3 -c 'import tkinter' 2>/dev/null || wanted="$wanted python3-tk"
	python3 -c 'import venv, ensurepip' 2>/dev/null || wanted="$wanted python3-venv"
	if [ -n "$wanted" ] && [ "$(id -u)" = 0 ] && has apt-get; then
		apt-get update -qq && apt-get install -y -qq --no-install-recommends $wanted >/dev/null || true
	fi
	has chromium || not_run "the page in a browser: chromium is missing"
	# Containers may lack these rights even for root, so this is no failure in CI.
	ip netns list >/dev/null 2>&1 && mount --bind "$work" "$work" 2>/dev/null && umount "$work" ||
		echo "NOT RUN: a network partition and a full disk of the hub: they need ip and the rights to add namespaces and to mount" >>"$work/notes"
	has curl || not_run "the examples of docs/api.md: curl is missing"
	has python3 || not_run "the bot in Python: python3 is missing"
	has node || not_run "the bot in JavaScript: node is missing"
	[ -e /dev/ptmx ] || not_run "terminal sessions: there are no pseudo-terminals"
}

page() {
	mkdir "$work/page"
	again npm install --prefix "$work/page" --ignore-scripts --no-save --no-audit --no-fund --silent axe-core@4.14.1 ||
		not_run "accessibility of the page: axe-core cannot be downloaded"
	# The original page, which drive plays in a test.
	mkdir "$work/game"
	again npm install --prefix "$work/game" --ignore-scripts --no-save --no-audit --no-fund --silent game-2048@0.0.7 ||
		not_run "drive on the original page: game-2048 cannot be downloaded"
	if ! has npm || ! (cd serve/ui && again npm ci --ignore-scripts --no-audit --no-fund --silent); then
		not_run "types, format and freshness of the page: npm is missing, or its packages cannot be downloaded"
	else
		(cd serve/ui && npm run --silent check)
		PAGE_RULES=1 "$go" test -vet=off -timeout "$limit" -run '^TestPageRules$' ./serve
		"$go" run -C tools ./bundle ../serve/ui "$work/page/dist"
		diff -rq "$work/page/dist" serve/dist || { echo 'serve/dist is stale: run go generate ./serve'; exit 1; }
	fi
}

analysis() {
	"$go" mod tidy -diff
	unformatted=$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l)
	[ -z "$unformatted" ] || { printf 'gofmt would change:\n%s\n' "$unformatted"; exit 1; }
	"$go" vet -tags browser ./...
	"$go" vet -tags pictures ./serve
	if (cd tools && again "$go" build -o /dev/null honnef.co/go/tools/cmd/staticcheck); then
		"$go" tool -modfile=tools/go.mod staticcheck -tags browser ./...
	else
		not_run "staticcheck: its module cannot be downloaded"
	fi
}

# tests runs all packages except, if the race detector can be built, race_packages.
tests() {
	packages=$("$go" list ./...)
	! has gcc || packages=$(echo "$packages" | grep -v -x -E "[^/]*/[^/]*/[^/]*/($(echo $race_packages | tr ' ' '|'))")
	"$go" test -vet=off -timeout "$limit" $packages
	has gcc || return 0
	for tests in $plain_tests; do
		"$go" test -vet=off -timeout "$limit" -run "^(${tests#*:})\$" "./${tests%%:*}"
	done
}

# browser runs the tests of the files that have the build tag browser.
browser() {
	has chromium || return 0
	files=$(git ls-files '*_test.go' | xargs grep -l '^//go:build browser')
	names=$(sed -n 's/^func \(Test[A-Za-z0-9]*\)(.*/\1/p' $files | sort -u | paste -s -d '|' -)
	# The longest, of package serve, first.
	"$go" test -vet=off -timeout "$limit" -tags browser -run "^($names)\$" $(folders "$(dirname $files | sort -ru)")
}

race() {
	if ! has gcc; then
		not_run "race detector: it needs a C compiler"
		return
	fi
	plain=$(for tests in $plain_tests; do printf '%s|' "${tests#*:}"; done)
	CGO_ENABLED=1 nice "$go" test -race -vet=off -timeout "$limit" -skip "^(${plain%|})\$" $(folders "$race_packages")
	for tests in $race_tests; do
		CGO_ENABLED=1 FULL= SOAK= nice "$go" test -race -vet=off -timeout "$limit" -run "${tests#*:}" "./${tests%%:*}"
	done
}

cross_builds() {
	for target in darwin/arm64 windows/amd64; do
		GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 "$go" build -o /dev/null .
		GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 "$go" build -o /dev/null ./cmd/hub
	done
	# The only code for Linux that can differ on arm64 is system calls, so only packages with files for Linux are built.
	# make release builds everything.
	GOOS=linux GOARCH=arm64 CGO_ENABLED=0 "$go" build $(folders "$(dirname $(git ls-files '*_linux.go') | sort -u)")
	GOOS=js GOARCH=wasm "$go" build ./rules/... ./eval/... ./protocol/... ./search/... ./learn ./player/... ./advice/... ./exchange/picture ./serve/session ./experiment/browserstore ./experiment ./cmd/wasm
}

python() {
	export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PYTHONDONTWRITEBYTECODE=1
	venv="$work/venv"
	if ! has gcc || ! python3 -m venv "$venv"; then
		not_run "Python package: it needs python3 with venv, and a C compiler"
	elif ! again "$venv/bin/pip" install -q -r python/tests/requirements.txt; then
		not_run "Python package: its tests need Python 3.11 or later and the packages of python/tests/requirements.txt"
	else
		"$go" vet -tags clib ./cmd/clib
		again "$venv/bin/pip" install -q ./python
		again "$venv/bin/pip" install -q -r python/tests/extras.txt ||
			echo "NOT RUN: recipes for loggers: not all packages of python/tests/extras.txt could be installed" >>"$work/notes"
		has Xvfb && "$venv/bin/python" -c 'import tkinter' 2>/dev/null ||
			echo "NOT RUN: the window of an environment: it needs Xvfb and tkinter" >>"$work/notes"
		(cd python && "$venv/bin/mypy" --cache-dir "$venv/mypy" && "$venv/bin/python" -m pytest -q -p no:cacheprovider --basetemp "$work/pytest")
	fi
}

install_programs
run "page analysis"
[ -e "$AXE" ] || unset AXE
[ -e "$GAME2048" ] || unset GAME2048
run "tests python cross_builds" # in parallel, since the tests of the hub mostly wait
run browser # alone: some page tests fail under the load of the race detector
run race

printf '\n'
cat "$work/notes" "$work/not-run"
if [ -s "$work/failed" ]; then
	echo "FAILED: $(tr '\n' ' ' <"$work/failed")"
	exit 1
fi
if [ -s "$work/not-run" ]; then
	[ "${CI:-}" != true ] || exit 1
else
	echo "ran: $parts"
fi
