package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

const root = "../.."

// The generated parts of the documentation are what this command writes.
func TestGeneratedPartsAreFresh(t *testing.T) {
	files := must.Get(generate(root))(t)
	for name, want := range files {
		if have, err := os.ReadFile(filepath.Join(root, name)); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is stale (%v): run go generate .", name, err)
		}
	}
}

// A package imports packages of its own room and of earlier ones only.
func TestOrderOfImport(t *testing.T) {
	packages, err := readPackages(root)
	if err != nil || len(packages) < 60 {
		t.Fatalf("%d packages (%v)", len(packages), err)
	}
	for _, p := range packages {
		at := roomOf(p.folder)
		if at < 0 {
			t.Errorf("%s is in none of the rooms", p.folder)
		}
		if p.holds == "" {
			t.Errorf("%s has no package comment", p.folder)
		}
		for _, path := range p.imports {
			if of, ours := strings.CutPrefix(path, module+"/"); ours && roomOf(of) > at {
				t.Errorf("%s imports %s, which is in a later room", p.folder, of)
			}
		}
	}
	for i, r := range rooms {
		if !slices.ContainsFunc(packages, func(p pack) bool { return roomOf(p.folder) == i }) {
			t.Errorf("room %s has no package", r.folder)
		}
	}
	for i, r := range rooms[1:] {
		if r.floor != rooms[i].floor && r.floor != rooms[i].floor+1 {
			t.Errorf("room %s is on floor %d, and the one before it on floor %d", r.folder, r.floor, rooms[i].floor)
		}
	}
}

// Templates find methods by name at run time. A program with a template therefore has every exported
// method of every package, which makes afterstate 5 MB larger.
func TestNoTemplates(t *testing.T) {
	packages := must.Get(readPackages(root))(t)
	for _, p := range packages {
		for _, path := range p.imports {
			if path == "text/template" || path == "html/template" {
				t.Errorf("%s imports %s", p.folder, path)
			}
		}
	}
}
