package repository

import (
	"go/build"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/afterstate2048/afterstate"

// imports are the imports of a package and of its tests.
type imports struct{ own, tests []string }

// readImports returns the imports of every package of this module by its folder.
func readImports(t *testing.T) map[string]imports {
	t.Helper()
	all := map[string]imports{}
	err := filepath.WalkDir(".", func(folder string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return err
		case folder != "." && (d.Name()[0] == '.' || slices.Contains([]string{"node_modules", "testdata", "tools"}, d.Name())):
			return fs.SkipDir
		}
		p, err := build.ImportDir(folder, 0)
		if p != nil && len(p.GoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			all[filepath.ToSlash(folder)] = imports{p.Imports, slices.Concat(p.TestImports, p.XTestImports)}
			err = nil // such as a package that has only tests
		}
		if _, none := err.(*build.NoGoError); none {
			return nil
		}
		return err
	})
	if err != nil || len(all) < 60 {
		t.Fatalf("%d packages (%v)", len(all), err)
	}
	return all
}

// scripts/test.sh leaves out the packages whose tests are linked with nats-server, and no others.
func TestServerPackages(t *testing.T) {
	all := readImports(t)
	known := map[string]bool{}
	var needs func(path string) bool
	needs = func(path string) bool {
		folder, ours := strings.CutPrefix(path, modulePath+"/")
		if !ours {
			return strings.HasPrefix(path, "github.com/nats-io/nats-server/")
		}
		if _, seen := known[folder]; !seen {
			known[folder] = slices.ContainsFunc(all[folder].own, needs)
		}
		return known[folder]
	}
	var want []string
	for folder, in := range all {
		if needs(modulePath+"/"+folder) || slices.ContainsFunc(in.own, needs) || slices.ContainsFunc(in.tests, needs) {
			want = append(want, folder)
		}
	}
	slices.Sort(want)
	list := regexp.MustCompile(`(?m)^server_packages='(.*)'$`).FindStringSubmatch(page(t, "scripts/test.sh"))
	if list == nil {
		t.Fatal("scripts/test.sh has no list server_packages='...'")
	}
	if list[1] != strings.Join(want, " ") {
		t.Errorf("scripts/test.sh: server_packages is\n%q, must be\n%q", list[1], strings.Join(want, " "))
	}
}
