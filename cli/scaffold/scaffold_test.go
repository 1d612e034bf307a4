package scaffold

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
)

// A new repository passes its own tests.
func TestBot(t *testing.T) {
	for language, c := range map[string]struct {
		files []string
		needs string
		test  []string
	}{
		"python": {[]string{".gitignore", "README.md", "bot.py", "rules.py", "test_bot.py"}, "python3", []string{"python3", "-m", "unittest"}},
		"go":     {[]string{".gitignore", "README.md", "bot.go", "bot_test.go", "go.mod", "rules.go"}, "go", []string{"go", "test", "-vet=all", "."}},
		"js":     {[]string{".gitignore", "README.md", "bot.js", "bot.test.js", "package.json", "rules.js"}, "node", []string{"node", "--test"}},
	} {
		t.Run(language, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "new", "Corner bot!")
			files, err := Bot(folder, language)
			if err != nil || !slices.Equal(files, c.files) {
				t.Fatalf("%q, %v", files, err)
			}
			for _, f := range files {
				data, err := os.ReadFile(filepath.Join(folder, f))
				if text := string(data); err != nil || strings.Contains(text, "BOTNAME") || strings.Contains(text, "MODULENAME") {
					t.Errorf("%s: %v\n%s", f, err, text)
				}
			}
			if !soak.Wanted() {
				return // the repository's own tests take a second; make check runs them
			}
			testenv.Interpreter(t, c.needs)
			cmd := exec.Command(c.test[0], c.test[1:]...)
			cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			if language != "go" {
				return
			}
			if out, err := exec.Command("gofmt", "-l", folder).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("gofmt: %v\n%s", err, out)
			}
		})
	}
}

// After an error, only the files that were created are removed.
func TestBotCleansUp(t *testing.T) {
	home := t.TempDir()
	long := filepath.Join(home, "a", strings.Repeat("x", 300)) // its parent can be made
	if _, err := Bot(long, "python"); err == nil {
		t.Error("a name of 300 bytes is accepted")
	}
	if all, err := os.ReadDir(home); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}

func TestBotName(t *testing.T) {
	for folder, want := range map[string]string{"corner": "corner", "Corner bot!": "Corner-bot", "...": "bot", "ä": "bot", "/": "bot", strings.Repeat("x", 99): strings.Repeat("x", 40), strings.Repeat("x", 39) + "-y": strings.Repeat("x", 39)} {
		must.Equal(t, botName(folder), want, folder)
	}
}
