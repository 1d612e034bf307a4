package serve_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
)

// The keys under which the page keeps data in a browser stay the same.
func TestStoredKeys(t *testing.T) {
	call := regexp.MustCompile(`\b(load|save|useStored)(?:<[^(]*>)?\(\s*['"\x60]([a-z.]+)['"$\x60]`) // \x60 is a backquote
	var lines []string
	err := filepath.WalkDir("ui/src", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".ts") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range call.FindAllStringSubmatch(string(source), -1) {
			if m[1] != "save" {
				lines = append(lines, "load "+m[2])
			}
			if m[1] != "load" {
				lines = append(lines, "save "+m[2])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	clitest.Golden(t, "stored.txt", slices.Compact(lines))
}
