// Command licences collects the licences of everything that the release artifacts contain: Go modules
// that are linked on any released system, Go's own library, and what the page embeds.
//
//	go run ./cmd/licences [FILE]
//
// It writes THIRD_PARTY_LICENSES.txt in the current folder, or FILE. A test fails while that file is
// stale.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/workers"
)

// fileName is the name of the file in the repository and in the release artifacts.
const fileName = "THIRD_PARTY_LICENSES.txt"

func main() {
	file := fileName
	switch len(os.Args) {
	case 1:
	case 2:
		file = os.Args[1]
	default:
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/licences [FILE]")
		os.Exit(2)
	}
	text, err := collect(".")
	if err == nil {
		err = atomicfile.Write(file, []byte(text), 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// A build is a released system with the build tags and the packages of its programs.
type build struct {
	system   string // GOOS/GOARCH
	tags     string
	packages []string
}

// builds returns the builds of a release. The tag minimal excludes formats of gonum/plot that are not
// used.
func builds() []build {
	all := []build{{"js/wasm", "", []string{"./cmd/wasm"}}}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			b := build{system + "/" + arch, "minimal", []string{".", "./cmd/hub"}}
			if system == "linux" {
				b.tags, b.packages = "minimal,clib", append(b.packages, "./cmd/clib")
			}
			all = append(all, b)
		}
	}
	return all
}

// A work is a module or library with its own licences.
type work struct {
	Name, Version string
	// Dirs are the folders that may contain licence files: the root of the work, the folders of its
	// linked packages, and the folders between them.
	Dirs []string
}

// linked lists the modules that a build links, each with the folders of its packages.
func (b build) linked(root string) (modules map[string]*work, err error) {
	goos, arch, _ := strings.Cut(b.system, "/")
	const format = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}\n{{end}}{{end}}"
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", format, "-tags", b.tags}, b.packages...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s: %w", b.system, err)
	}
	modules = map[string]*work{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 4 {
			continue
		}
		path, version, top, dir := fields[0], fields[1], fields[2], fields[3]
		m := modules[path]
		if m == nil {
			m = &work{Name: path, Version: version}
			modules[path] = m
		}
		for ; len(dir) > len(top); dir = filepath.Dir(dir) {
			m.Dirs = append(m.Dirs, dir)
		}
		m.Dirs = append(m.Dirs, top)
	}
	return modules, nil
}

// works lists the modules of all builds and Go's library, sorted by name.
func works(root string) ([]*work, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	all := map[string]*work{"Go": {Name: "Go", Dirs: []string{strings.TrimSpace(string(goroot))}}}
	binaries := builds()
	linked := make([]map[string]*work, len(binaries))
	failed := workers.Each(context.Background(), runtime.GOMAXPROCS(0), len(binaries), func(_ context.Context, _, i int) (err error) {
		linked[i], err = binaries[i].linked(root)
		return err
	})
	for _, modules := range linked {
		for name, m := range modules {
			if known := all[name]; known != nil {
				known.Dirs = append(known.Dirs, m.Dirs...)
			} else {
				all[name] = m
			}
		}
	}
	var sorted []*work
	for _, w := range all {
		slices.Sort(w.Dirs)
		w.Dirs = slices.Compact(w.Dirs)
		sorted = append(sorted, w)
	}
	slices.SortFunc(sorted, func(a, b *work) int { return strings.Compare(a.Name, b.Name) })
	return sorted, failed
}

// licenceFile matches the names of files with licences and notices.
var licenceFile = regexp.MustCompile(`(?i)^[^.]*(licen[cs]e|copying|copyright|notice|patents)[^.]*(\.(md|txt))?$`)

// texts returns the texts of a work's licences, and the SPDX identifiers of the licences that
// identify recognizes. It fails if identify recognizes none.
func (w *work) texts() (texts, ids []string, err error) {
	for _, dir := range w.Dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range entries {
			if e.IsDir() || !licenceFile.MatchString(e.Name()) {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, nil, err
			}
			text := clean(string(data))
			if slices.Contains(texts, text) {
				continue
			}
			texts = append(texts, text)
			ids = append(ids, identify(text)...)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return nil, nil, fmt.Errorf("%s %s has no licence that identify knows: add its phrase", w.Name, w.Version)
	}
	return texts, ids, nil
}

// trailing matches spaces at the end of a line.
var trailing = regexp.MustCompile(`(?m)[ \t\f]+$`)

// clean removes trailing spaces and carriage returns.
func clean(text string) string {
	return strings.TrimSpace(trailing.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), ""))
}

// identify returns the SPDX identifiers of the licences in a text, by phrases that occur only in
// them.
func identify(text string) (ids []string) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	has := func(phrase string) bool { return strings.Contains(text, phrase) }
	add := func(id string, found bool) {
		if found {
			ids = append(ids, id)
		}
	}
	const source = "redistribution and use in source and binary forms"
	endorse := has("neither the name") || has("the names of its contributors") || has("may not be used to endorse")
	add("Apache-2.0", has("apache license") && has("version 2.0"))
	add("BSD-2-Clause", has(source) && !endorse)
	add("BSD-3-Clause", has(source) && endorse)
	add("CC-BY-4.0", has("creative commons attribution 4.0 international"))
	add("ISC", has("permission to use, copy, modify, and/or distribute this software") || has("permission to use, copy, modify, and distribute this software"))
	add("MIT", has("permission is hereby granted, free of charge"))
	add("MPL-2.0", has("mozilla public license") && has("2.0"))
	add("OFL-1.1", has("sil open font license"))
	add("Unlicense", has("this is free and unencumbered software"))
	add("blessing", has("the author disclaims copyright to this source code"))
	return ids
}

const head = `Afterstate's releases contain the works in this list. Their licences follow it.
Afterstate's own licence is in the file LICENSE.

Made by: go run ./cmd/licences

`

// collect returns the contents of the file, the list of the works and the texts of their licences,
// for the repository in root.
func collect(root string) (string, error) {
	all, err := works(root)
	if err != nil {
		return "", err
	}
	page, err := os.ReadFile(filepath.Join(root, "serve", "dist", "licences.txt"))
	if err != nil {
		return "", err
	}
	var list, body strings.Builder
	for _, w := range all {
		texts, ids, err := w.texts()
		if err != nil {
			return "", err
		}
		title := strings.TrimSpace(w.Name + " " + w.Version)
		fmt.Fprintf(&list, "%-70s %s\n", title, strings.Join(ids, " "))
		fmt.Fprintf(&body, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), title, strings.Join(texts, "\n\n"))
	}
	fmt.Fprintf(&body, "\n%s\n%s\n", strings.Repeat("=", 80), clean(string(page)))
	return head + list.String() + "The page's scripts and font: at the end\n" + body.String(), nil
}
