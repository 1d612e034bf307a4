package testenv

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/afterstate2048/afterstate/internal/must"
)

// A goroutine that ends later than goleak waits is no leak, and one that remains is.
func TestFind(t *testing.T) {
	others := goleak.IgnoreCurrent()
	release := make(chan struct{})
	go func() { <-release }()
	must.Contains(t, fmt.Sprint(find(0, []goleak.Option{others})), "TestFind", "a goroutine that remains")
	time.AfterFunc(time.Second, func() { close(release) })
	NoLeaks(t, others)
}

// The tests' cache contains the networks of the user's cache, and nothing else.
func TestLinkNetworks(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	for _, name := range []string{"network-1.int16", "signature-2"} {
		must.Do(t, os.WriteFile(filepath.Join(from, name), []byte(name), 0o400))
	}
	linkNetworks(from, to)
	files, err := os.ReadDir(to)
	if err != nil || len(files) != 1 || files[0].Name() != "network-1.int16" {
		t.Errorf("%v, %v", files, err)
	}
}
