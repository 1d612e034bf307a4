package repository

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// fences are the README's code blocks of a language.
func fences(text, language string) (blocks []string) {
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// folder is where TestMain builds the program.
var folder string

// built builds the program at its first call.
var built = sync.OnceValues(func() (string, error) {
	program := filepath.Join(folder, "afterstate")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

// The tests run at the top of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	var err error
	if folder, err = os.MkdirTemp("", "afterstate-program-"); err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(status)
}

func program(t *testing.T) string {
	t.Helper()
	return must.Get(built())(t)
}

// docs/packages.md says what each folder holds.
func TestFolders(t *testing.T) {
	list := page(t, "docs/packages.md")
	entries := must.Get(os.ReadDir("."))(t)
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && name[0] != '.' && !strings.Contains(list, "`"+name+"`") {
			t.Errorf("docs/packages.md lacks the folder %s", name)
		}
	}
}

// No page contains go install or pip install with the project's name. The names are not registered yet, and a
// stranger could register them. Pages use clones, archives and wheel files.
func TestNoInstallByName(t *testing.T) {
	byName := regexp.MustCompile("go install \\S*afterstate|pip install afterstate[-2048]*([\\s`]|$)")
	for _, name := range append(pages(t), "CONTRIBUTING.md") {
		if found := byName.FindString(page(t, name)); found != "" {
			t.Errorf("%s has %q", name, found)
		}
	}
}
