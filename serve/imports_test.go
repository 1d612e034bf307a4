package serve

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// pageImports returns the modules that each module of the page's sources imports, now or later, by file name.
func pageImports(t *testing.T) map[string][]string {
	t.Helper()
	const folder = "ui/src"
	all := map[string][]string{}
	must.Do(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(filepath.Ext(path), ".ts") {
			all[path] = nil
		}
		return err
	}))
	imported := regexp.MustCompile(`(?m)(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'(\.[^']+)'`)
	for path := range all {
		for _, m := range imported.FindAllSubmatch(must.Get(os.ReadFile(path))(t), -1) {
			target := filepath.Join(filepath.Dir(path), string(m[1]))
			for _, ending := range []string{".ts", ".tsx"} {
				if _, ok := all[target+ending]; ok {
					all[path] = append(all[path], target+ending)
				}
			}
		}
	}
	return all
}

// The modules of the page import each other in no circle.
func TestPageImportsInNoCircle(t *testing.T) {
	all := pageImports(t)
	if len(all) < 50 {
		t.Fatalf("%d modules", len(all))
	}
	done := map[string]bool{}
	var visit func(path string, trail []string)
	visit = func(path string, trail []string) {
		if at := slices.Index(trail, path); at >= 0 {
			t.Errorf("a circle of imports: %s", strings.Join(append(trail[at:], path), " -> "))
			return
		}
		if done[path] {
			return
		}
		for _, next := range all[path] {
			visit(next, append(trail, path))
		}
		done[path] = true
	}
	for path := range all {
		visit(path, nil)
	}
}

// pageFloors are the folders of the page's sources. Each imports only folders before it.
var pageFloors = []string{"base", "rules", "engine", "state", "parts", "views"}

// A module of the page imports only modules of its own folder and of the folders before it. The modules at the top, types.ts
// apart, import all.
func TestPageFolders(t *testing.T) {
	floor := func(path string) int {
		name, _, in := strings.Cut(strings.TrimPrefix(filepath.ToSlash(path), "ui/src/"), "/")
		switch {
		case in && slices.Contains(pageFloors, name):
			return slices.Index(pageFloors, name)
		case in:
			t.Errorf("%s: the folder is not in pageFloors", path)
		case name == "types.ts":
			return -1
		}
		return len(pageFloors)
	}
	for path, targets := range pageImports(t) {
		for _, target := range targets {
			if floor(target) > floor(path) {
				t.Errorf("%s imports %s, whose folder comes later", path, target)
			}
		}
	}
}
