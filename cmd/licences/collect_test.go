package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// The file in the repository is up to date.
func TestCurrent(t *testing.T) {
	soak.Full(t, "lists the packages of every platform with the go command; only a new dependency changes the file")
	root := filepath.Join("..", "..")
	fresh := must.Get(collect(root))(t)
	stored, err := os.ReadFile(filepath.Join(root, fileName))
	if err != nil || string(stored) != fresh {
		t.Errorf("%s is stale (%v): run go run ./cmd/licences", fileName, err)
	}
	for _, name := range []string{
		"github.com/spf13/cobra v", "github.com/nats-io/nats-server/v2 v", "modernc.org/sqlite v",
		"github.com/inconshreveable/mousetrap v", // linked on Windows alone
		"\nGo\n", "\npreact\n", "\nuplot\n", "\n@fontsource-variable/figtree\n",
	} {
		if !strings.Contains(fresh, name) {
			t.Errorf("no licence of %q", name)
		}
	}
	if strings.Contains(fresh, "github.com/chromedp/chromedp ") {
		t.Error("a module that only tests use is in the list")
	}
}
