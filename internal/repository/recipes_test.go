package repository

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// A recipe of CONTRIBUTING.md is a section whose name begins with "Add". Its blocks name their file:
//
//	```go eval/evaluators.go: var infos = []Info{
//
// The block goes after the line with the text that follows the colon. Without a colon it is a new file, or
// the end of an existing one. Blocks of sh are commands, which use the result.
var (
	sections = regexp.MustCompile(`(?ms)^## (Add [^\n]*)\n(.*?)(?:^## |\z)`)
	blocks   = regexp.MustCompile("(?ms)^```(\\w+) ?(\\S+?)?(?:: ([^\n]*))?\n(.*?)^```$")
)

// All recipes of CONTRIBUTING.md are applied to a copy of the repository, in their order. Then the commands
// of each succeed in the copy.
func TestRecipes(t *testing.T) {
	soak.Full(t, "builds the program ten times in a copy of the repository")
	text := page(t, "CONTRIBUTING.md")
	copied := t.TempDir()
	copyTree(t, copied)
	commands := map[string][]string{}
	var names []string
	for len(text) > 0 {
		at := sections.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		name, body := text[at[2]:at[3]], text[at[4]:at[5]]
		text = text[at[5]:]
		names = append(names, name)
		for _, b := range blocks.FindAllStringSubmatch(body, -1) {
			switch kind, file, after, lines := b[1], b[2], b[3], b[4]; {
			case kind == "sh":
				commands[name] = append(commands[name], strings.Split(strings.TrimSpace(lines), "\n")...)
			case file == "":
				t.Errorf("%s: a block of %s names no file", name, kind)
			default:
				paste(t, filepath.Join(copied, file), after, lines)
			}
		}
	}
	if len(names) < 10 {
		t.Fatalf("recipes: %q, want 10", names)
	}
	// Objects without paths of the copy can be reused from the build cache by later runs.
	env := append(os.Environ(), "GOFLAGS=-trimpath", "PATH="+copied+string(os.PathListSeparator)+os.Getenv("PATH"), "XDG_DATA_HOME="+t.TempDir(), "FULL=0") // the quick suite, except where a command says otherwise
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	run := func(t *testing.T, line string) {
		t.Helper()
		c := exec.CommandContext(ctx, "sh", "-c", line)
		c.Dir, c.Env = copied, env
		if out, err := c.CombinedOutput(); err != nil || strings.Contains(string(out), "no tests to run") {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if len(commands[name]) == 0 {
				t.Fatal("no commands")
			}
			if slices.ContainsFunc(commands[name], func(line string) bool { return strings.HasPrefix(line, "afterstate ") }) {
				run(t, "go build -o afterstate .")
			}
			for _, line := range commands[name] {
				run(t, line)
			}
		})
	}
}

// paste puts a block into a file.
func paste(t *testing.T, file, after, block string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	at := len(data)
	if after != "" {
		if at = strings.Index(string(data), after); at < 0 {
			t.Fatalf("%s has no %q", file, after)
		}
		at += strings.IndexByte(string(data)[at:], '\n') + 1
	} else if at > 0 {
		block = "\n" + block
	}
	must.Do(t, os.WriteFile(file, slices.Concat(data[:at], []byte(block), data[at:]), 0o644))
	if !strings.HasSuffix(file, ".go") {
		return
	}
	if out, err := exec.Command("gofmt", "-l", file).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%s with the block is not formatted: %v %s", file, err, out)
	}
}

// copyTree copies the repository without version control. Installed packages of the page are linked.
func copyTree(t *testing.T, to string) {
	t.Helper()
	here := must.Get(filepath.Abs("."))(t)
	must.Do(t, filepath.WalkDir(here, func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(here, path)
		target := filepath.Join(to, name)
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case d.Name() == "node_modules":
			if err := os.Symlink(path, target); err != nil || !d.IsDir() {
				return err
			}
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, info.Mode().Perm())
	}))
}
