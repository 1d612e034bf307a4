package experiment

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
)

func identity(t *testing.T, command string) string {
	t.Helper()
	return must.Get(Identity(`exec(cmd=`+strconv.Quote(command)+`)`, func(string) (string, error) { return "", os.ErrNotExist }))(t)
}

func write(t *testing.T, files ...string) {
	t.Helper()
	for _, name := range files {
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must.Do(t, os.WriteFile(name, []byte("#!"+name), 0o600))
	}
}

// A program is the files of its folder, however its command names it.
func TestSources(t *testing.T) {
	for command, want := range map[string]string{
		"python3 bot.py":           "a b.py lib/util.py",
		"python3 ./bot.py":         "a b.py lib/util.py",
		"python3 -m bot":           "a b.py bot.py lib/util.py",
		"go run .":                 "a b.py bot.py lib/util.py",
		"go run ./lib":             "util.py",
		"python3 lib/util.py":      "",
		"python3 --file=bot.py":    "a b.py lib/util.py",
		"./start bot.py":           "a b.py lib/util.py",
		"./compiled bot.py":        "",
		"installed":                "",
		"python3 'bot.py":          "",
		"python3 " + os.DevNull:    "a b.py bot.py lib/util.py",
		"python3 bot.py run bot.r": "a b.py lib/util.py",
	} {
		t.Chdir(t.TempDir())
		write(t, "bot.py", "a b.py", "lib/util.py", "start", "data.txt", ".git/hook.py", "node_modules/x/x.js", "venv/pyvenv.cfg", "venv/lib.py", "lib/__pycache__/util.py")
		must.Do(t, os.Symlink("bot.py", "linked.py"))
		must.Do(t, os.WriteFile("compiled", []byte("\x7fELF"), 0o700))
		before := identity(t, command)
		if must.Get(arena.WithSources(before, ""))(t) != before || identity(t, command) != before {
			t.Errorf("%s: the identity changes by itself", command)
		}
		for _, name := range []string{"data.txt", ".git/hook.py", "node_modules/x/x.js", "venv/lib.py", "lib/__pycache__/util.py"} {
			must.Do(t, os.WriteFile(name, nil, 0o600))
		}
		if got := changedSources(before, identity(t, command)); got != "" {
			t.Errorf("%s: %s", command, got)
		}
		var changed []string
		for _, name := range []string{"a b.py", "bot.py", "lib/util.py"} {
			must.Do(t, os.WriteFile(name, nil, 0o600))
			changes := changedSources(before, identity(t, command))
			if changes == "" {
				continue
			}
			changed = append(changed, strings.TrimSuffix(changes, " was changed"))
			write(t, name)
		}
		if got := strings.Join(changed, " "); got != want {
			t.Errorf("%s: the sources are %q, want %q", command, got, want)
		}
	}
}

// The files that differ are named.
func TestChangedSources(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "bot.py", "a.py", "old.py")
	before := identity(t, "python3 bot.py")
	must.Do(t, os.WriteFile("a.py", nil, 0o600))
	must.Do(t, os.Remove("old.py"))
	write(t, "new 1%.py")
	now := identity(t, "python3 bot.py")
	if got, want := changedSources(before, now), "a.py was changed, old.py was removed, new 1%.py was added"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	write(t, "b.py")
	if got := changedSources(before, identity(t, "python3 bot.py")); !strings.HasSuffix(got, ", and 1 more") {
		t.Error(got)
	}
	if short := arena.Short(now); strings.Contains(short, "a.py") || arena.Short(before) == short || !strings.Contains(short, `sources="sha256:`) {
		t.Error(short)
	}
}

// A folder of very many sources is not compared, which the identity says.
func TestTooManySources(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "bot.py")
	for i := range maxSources {
		must.Do(t, os.WriteFile(strconv.Itoa(i)+".py", nil, 0o600))
	}
	if id := identity(t, "python3 bot.py"); HasTooManySources(id) || len(id) > 100_000 {
		t.Errorf("%.100s has %d bytes", id, len(id))
	}
	write(t, "more.py")
	if id := identity(t, "python3 bot.py"); !HasTooManySources(id) || arena.Short(id) == id {
		t.Error(id)
	}
}
