package main

import (
	"go/build"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rooms are the packages from the ground up: each imports only those before it. A name that
// ends in /... means a folder with all below it, in any order.
var rooms = strings.Fields(`
	internal/version internal/yield internal/console internal/numfmt internal/table internal/names internal/browser internal/speed internal/workers internal/child internal/xdg
	internal/qrcode internal/reach internal/disk internal/inputfile internal/filelock internal/atomicfile internal/memory internal/soak internal/leaktest internal/must internal/pythontest
	board bitboard palette game rules/record eval endings
	eval/ntuple/shared eval/ntuple/hostile ntuple eval/ntuple/quant eval/ntuple/numpy
	stats wire
	search search/draw
	learn champion solve
	runs learn/runs/tensorboard eval/models/cache models
	learn/shrink learn/runs/compare
	player/spec player player/bot player/bot/remote player/catalog player/live
	odds explain review picture exchange
	session cmd/typescript
	arena experiment/stages experiment/stages/branch experiment/stages/layouts experiment/jetstream experiment/solo experiment/store experiment/report
	experiment/hub/launch hub experiment
	tune env cmd/clib bench film scaffold exchange/drive/cdp drive
	serve serve/hardboards tui
	cli/internal/usage cli/internal/bind cli/internal/entry cli/internal/output cli/internal/live cli/internal/program cli/internal/flags cli/internal/games cli/internal/remote
	cli/arena cli/train cli/model cli cli/hub cmd/hub cmd/wasm cmd/site cmd/licences cmd/man
	cli/clitest
	examples/... .
`)

// room is the place of a package among the rooms, -1 for none.
func room(pkg string) int {
	return slices.IndexFunc(rooms, func(r string) bool {
		folder, all := strings.CutSuffix(r, "/...")
		return pkg == folder || all && strings.HasPrefix(pkg, folder+"/")
	})
}

// imports are the packages that each package of this module imports besides in tests, on whatever
// system and with whatever build tag.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	everywhere := build.Default
	everywhere.UseAllFiles = true
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil || !entry.IsDir():
			return err
		case name == "node_modules" || name == "testdata" || path != "." && (name[0] == '.' || name[0] == '_'):
			return fs.SkipDir
		}
		pkg := filepath.ToSlash(path)
		if pkg == "tools" {
			return fs.SkipDir // modules of their own
		}
		p, _ := everywhere.ImportDir(path, 0) // a folder without Go files is an error
		if len(p.GoFiles)+len(p.CgoFiles) == 0 {
			return nil
		}
		all[pkg] = p.Imports
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A package imports only packages before it.
func TestRooms(t *testing.T) {
	packages := imports(t)
	for _, pkg := range []string{"cli", "cmd/clib", "runs"} {
		if len(packages[pkg]) == 0 {
			t.Errorf("%s was not read", pkg)
		}
	}
	for pkg, all := range packages {
		at := room(pkg)
		if at < 0 {
			t.Errorf("%s has no place among the rooms", pkg)
		}
		for _, path := range all {
			if of, ours := strings.CutPrefix(path, "afterstate/"); ours && room(of) >= at {
				t.Errorf("%s imports %s, which is no room before it", pkg, of)
			}
		}
	}
}

// Templates find methods by name at run time. A program with a template therefore has every exported
// method of every package, which makes afterstate 5 MB larger.
func TestNoTemplates(t *testing.T) {
	for pkg, all := range imports(t) {
		for _, path := range all {
			if path == "text/template" || path == "html/template" {
				t.Errorf("%s imports %s", pkg, path)
			}
		}
	}
}

// docs/architecture.md lists the rooms in their order.
func TestTableOfRooms(t *testing.T) {
	_, table, _ := strings.Cut(page(t, "docs/architecture.md"), "\n## Packages\n")
	last := -1
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(table, -1) {
		at := room(m[1])
		if m[1] == "internal" {
			at = 0
		}
		if at < last {
			t.Errorf("%s is below a room that may import it", m[1])
		}
		last = at
		if m[1] == "cli" { // the last one in Go
			return
		}
	}
	t.Error("the table of rooms is not found")
}
