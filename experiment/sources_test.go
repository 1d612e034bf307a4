package experiment

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

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

// A program is identified by the files in its folder, in whatever way its command names it.
func TestSources(t *testing.T) {
	for command, want := range map[string]string{
		"python3 bot.py":           "a b.py lib/util.py",
		"python3 ./bot.py":         "a b.py lib/util.py",
		"python3 -m bot":           "a b.py bot.py lib/util.py",
		"go run .":                 "a b.py bot.py lib/util.py",
		"go run ./lib":             "lib/util.py",
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
		for _, name := range []string{"data.txt", ".git/hook.py", "node_modules/x/x.js", "venv/lib.py", "lib/__pycache__/util.py"} {
			must.Do(t, os.WriteFile(name, nil, 0o600))
		}
		must.Equal(t, identity(t, command), before, command, "with files that are no sources")
		value := func(identity string) string {
			_, sources, _ := strings.Cut(identity, ",sources=")
			return sources
		}
		var counted []string
		for _, name := range []string{"a b.py", "bot.py", "lib/util.py"} {
			must.Do(t, os.WriteFile(name, nil, 0o600))
			changed := value(identity(t, command)) != value(before)
			must.Do(t, os.Remove(name))
			if value(identity(t, command)) != value(before) && changed {
				counted = append(counted, name)
			}
			write(t, name)
		}
		must.Equal(t, strings.Join(counted, " "), want, "sources of", command)
	}
}

// A folder with too many sources is not compared, and the identity says so.
func TestTooManySources(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "bot.py")
	for i := range maxSources {
		must.Do(t, os.WriteFile(strconv.Itoa(i)+".py", nil, 0o600))
	}
	if id := identity(t, "python3 bot.py"); HasTooManySources(id) {
		t.Error(id)
	}
	write(t, "more.py")
	if id := identity(t, "python3 bot.py"); !HasTooManySources(id) {
		t.Error(id)
	}
}
