// Command licences collects the licences of everything that the release artifacts contain: Go modules
// that are linked on any released system, Go's own library, and what the page embeds.
//
//	go run ./cmd/licences [FILE]
//
// It writes THIRD_PARTY_LICENSES.txt in the current folder, or FILE. A test fails while that file is
// stale.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
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

// build describes the programs that are released for one system: their build tags and packages.
type build struct {
	system   string // GOOS/GOARCH
	tags     string
	packages []string
}

// builds returns the builds of a release.
func builds() []build {
	all := []build{{"js/wasm", "", []string{"./cmd/wasm"}}}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			b := build{system + "/" + arch, "", []string{".", "./cmd/hub"}}
			if system == "linux" {
				b.tags, b.packages = "clib", append(b.packages, "./cmd/clib", "./cmd/cuda")
			}
			all = append(all, b)
		}
	}
	return all
}

// work is a module or library with its own licences.
type work struct {
	Name, Version string
	// Dirs are the folders that may contain licence files: the root of the work, the folders of its
	// linked packages, and the folders between them.
	Dirs []string
}

// addLinked adds the modules that a build links, each with the folders of its packages.
func (b build) addLinked(root string, modules map[string]*work) error {
	goos, arch, _ := strings.Cut(b.system, "/")
	const format = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}\n{{end}}{{end}}"
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", format, "-tags", b.tags}, b.packages...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list for %s: %w", b.system, err)
	}
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
	return nil
}

// works lists the modules of all builds and Go's library, sorted by name.
func works(root string) ([]*work, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	all := map[string]*work{"Go": {Name: "Go", Dirs: []string{strings.TrimSpace(string(goroot))}}}
	for _, b := range builds() {
		if err := b.addLinked(root, all); err != nil {
			return nil, err
		}
	}
	var sorted []*work
	for _, w := range all {
		slices.Sort(w.Dirs)
		w.Dirs = slices.Compact(w.Dirs)
		sorted = append(sorted, w)
	}
	slices.SortFunc(sorted, func(a, b *work) int { return strings.Compare(a.Name, b.Name) })
	return sorted, nil
}

// licenceFile matches the names of files with licences and notices.
var licenceFile = regexp.MustCompile(`(?i)^[^.]*(licen[cs]e|copying|copyright|notice|patents)[^.]*(\.(md|txt))?$`)

// texts returns the texts of a work's licences. It fails if there are none.
func (w *work) texts() (texts []string, err error) {
	for _, dir := range w.Dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.IsDir() || !licenceFile.MatchString(e.Name()) {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			if text := clean(string(data)); !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s %s has no licence file", w.Name, w.Version)
	}
	return texts, nil
}

// trailing matches spaces at the end of a line.
var trailing = regexp.MustCompile(`(?m)[ \t\f]+$`)

// clean removes trailing spaces and carriage returns.
func clean(text string) string {
	return strings.TrimSpace(trailing.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), ""))
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
		texts, err := w.texts()
		if err != nil {
			return "", err
		}
		title := strings.TrimSpace(w.Name + " " + w.Version)
		fmt.Fprintln(&list, title)
		fmt.Fprintf(&body, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), title, strings.Join(texts, "\n\n"))
	}
	fmt.Fprintf(&body, "\n%s\n%s\n", strings.Repeat("=", 80), clean(string(page)))
	return head + list.String() + "The page's scripts and font: at the end\n" + body.String(), nil
}
