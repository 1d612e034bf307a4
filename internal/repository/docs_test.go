package repository

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/version"
)

// pages are README.md and the pages of docs and its folders.
func pages(t *testing.T) []string {
	t.Helper()
	all := []string{"README.md", "python/README.md"}
	for folder, least := range map[string]int{"docs": 10, "docs/tutorials": 5, "docs/lab": 1} {
		found, err := filepath.Glob(folder + "/*.md")
		if err != nil || len(found) < least {
			t.Fatalf("%d pages of %s (%v)", len(found), folder, err)
		}
		all = append(all, found...)
	}
	return all
}

func page(t *testing.T, name string) string {
	t.Helper()
	data := must.Get(os.ReadFile(name))(t)
	return string(data)
}

// Commands are in blocks marked sh, which run, or in the command reference.
func TestCommandsAreMarked(t *testing.T) {
	for _, name := range pages(t) {
		for _, block := range fences(page(t, name), "") {
			if name == "docs/commands.md" { // its examples are those of the commands
				continue
			}
			if m := regexp.MustCompile(`(?m)^(afterstate|go test|make) .*`).FindString(block); m != "" {
				t.Errorf("%s: %q is in a block without a language: mark it sh", name, m)
			}
		}
	}
}

// reference lists pages for looking things up. They may be longer than other pages.
var reference = []string{
	"docs/api.md", "docs/commands.md", "docs/packages.md", "docs/players.md", "docs/protocol.md", "docs/python-api.md", "docs/reliability.md",
}

// A page has at most 2,500 words, so that it can be read in ten minutes. Records of what was tried belong in docs/lab.
func TestPagesAreShort(t *testing.T) {
	const most = 2500
	for _, name := range pages(t) {
		if words := len(strings.Fields(page(t, name))); words > most && !slices.Contains(reference, name) && filepath.Dir(name) != "docs/lab" {
			t.Errorf("%s has %d words: must be at most %d; move records to docs/lab", name, words, most)
		}
	}
}

// Links between the pages lead to files and headings that exist.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]*)(#[^):]*)?\)`)
	code := regexp.MustCompile("(?ms)^```.*?^```$")
	for _, name := range append(pages(t), "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md") {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(page(t, name), ""), -1) {
			target := name
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(name), m[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if m[2] != "" && !anchors(page(t, target))[m[2]] {
				t.Errorf("%s: %s has no heading %s", name, target, m[2])
			}
		}
	}
}

// anchors are the addresses that GitHub gives to headings.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^#+ (.*)$").FindAllStringSubmatch(text, -1) {
		a := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all["#"+strings.ReplaceAll(a, " ", "-")] = true
	}
	return all
}

// Tests, benchmarks and fuzz targets that a page names exist. The tables of reliability.md name some in part.
func TestPromisesNameTests(t *testing.T) {
	var functions strings.Builder // the names, a line each
	must.Do(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.Name() == "node_modules":
			return fs.SkipDir
		case err == nil && strings.HasSuffix(path, "_test.go"):
			for _, m := range regexp.MustCompile(`(?m)^func (\w+)\(`).FindAllStringSubmatch(page(t, path), -1) {
				functions.WriteString("\n" + m[1] + "\n")
			}
		}
		return err
	}))
	found := 0
	for row := range strings.Lines(page(t, "docs/reliability.md")) {
		_, tests, ok := strings.Cut(strings.TrimSuffix(row, " |\n"), " | ")
		for _, m := range regexp.MustCompile("`([A-Z]\\w+)`").FindAllStringSubmatch(tests, -1) {
			found++
			if ok && !strings.Contains(functions.String(), m[1]) {
				t.Errorf("no test %s: %s", m[1], row)
			}
		}
	}
	if found < 50 {
		t.Errorf("%d names", found)
	}
	for _, name := range pages(t) {
		for _, test := range regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz)[A-Z]\w+`).FindAllString(page(t, name), -1) {
			if !strings.Contains(functions.String(), "\n"+test) {
				t.Errorf("%s: no test %s", name, test)
			}
		}
	}
}

// go test commands of the pages name tests, benchmarks or fuzz targets that exist.
func TestNamedTests(t *testing.T) {
	command := regexp.MustCompile("go test (?:-[cv] )*(\\./[a-z0-9/]*[a-z0-9])[^`\n]*?-(?:run|bench|fuzz) '?([A-Za-z][A-Za-z0-9/|\\\\]*)")
	found := 0
	for _, name := range pages(t) {
		for _, m := range command.FindAllStringSubmatch(page(t, name), -1) {
			found++
			files := must.Get(filepath.Glob(filepath.Join(m[1], "*_test.go")))(t)
			var source strings.Builder
			for _, f := range files {
				source.WriteString(page(t, f))
			}
			if m[2] == "NAME" {
				continue
			}
			for want := range strings.SplitSeq(strings.ReplaceAll(m[2], `\`, ""), "|") {
				want, _, _ = strings.Cut(want, "/")
				if !regexp.MustCompile(`(?m)^func (Test|Benchmark|Fuzz)?\w*` + want).MatchString(source.String()) {
					t.Errorf("%s: %s has no test %s", name, m[1], want)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("found %d commands", found)
	}
}

// libraryPrograms are the Go programs of docs/library.md in their order, with what each prints.
var libraryPrograms = []struct{ file, prints string }{
	{"examples/library/main.go", `^score \d+ after \d+ moves; the best player chose the same move \d+ times\n`},
	{"examples/search/main.go", `^score 32772 after 1692 moves\n2048,1024,`}, // the game continues after 2048
}

// docs/library.md shows the Go programs of the folder examples, byte for byte.
func TestLibraryPrograms(t *testing.T) {
	programs := fences(page(t, "docs/library.md"), "go")
	if len(programs) != len(libraryPrograms) {
		t.Fatalf("docs/library.md has %d Go programs: must be %d", len(programs), len(libraryPrograms))
	}
	for i, p := range libraryPrograms {
		if programs[i] != page(t, p.file) {
			t.Errorf("Go program %d differs from %s", i+1, p.file)
		}
	}
}

// The programs work in the module that docs/library.md shows, offline. This fails too if go.mod replaces a module, which
// other modules would not see.
func TestLibraryModule(t *testing.T) {
	soak.Full(t, "builds two programs in a module of their own; TestLibraryPrograms compares their text")
	t.Parallel()
	root := must.Get(os.Getwd())(t)
	dir := t.TempDir()
	module := strings.Replace(fences(page(t, "docs/library.md"), "text")[0], "../afterstate", root, 1)
	for _, p := range libraryPrograms {
		for name, content := range map[string]string{"go.mod": module, "go.sum": page(t, "go.sum"), "main.go": page(t, p.file)} {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
		}
		cmd := exec.Command("go", "run", "-mod=mod", ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off") // this module's dependencies are in the cache
		if out, err := cmd.CombinedOutput(); err != nil || !regexp.MustCompile(p.prints).Match(out) {
			t.Errorf("%s: %v\n%s", p.file, err, out)
		}
	}
}

// Every term that is bold in the glossary occurs on another page, in help or in a table.
func TestGlossary(t *testing.T) {
	var others strings.Builder
	for _, name := range pages(t) {
		if name != "docs/glossary.md" {
			others.WriteString(strings.ToLower(page(t, name)))
		}
	}
	text := strings.Join(strings.Fields(strings.ReplaceAll(others.String(), "_", " ")), " ")
	terms := regexp.MustCompile(`(?m)^- \*\*([^*]+)\*\*`).FindAllStringSubmatch(page(t, "docs/glossary.md"), -1)
	if len(terms) < 40 {
		t.Errorf("found %d terms", len(terms))
	}
	for _, m := range terms {
		for term := range strings.SplitSeq(strings.ToLower(strings.NewReplacer("`", "", "_", " ").Replace(m[1])), ", ") {
			if !strings.Contains(text, term) {
				t.Errorf("no page uses %q", term)
			}
		}
	}
}

// The citation has the version of the program.
func TestCitation(t *testing.T) {
	text := string(must.Get(os.ReadFile("CITATION.cff"))(t))
	if !strings.Contains(text, "\nversion: "+version.Version+"\n") {
		t.Errorf("the version in CITATION.cff is not %s", version.Version)
	}
}
