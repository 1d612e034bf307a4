package main

import (
	"bytes"
	"encoding/json"
	"html"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// docsOf are the files of a site's docs.
func docsOf(t *testing.T) map[string][]byte {
	t.Helper()
	files, _ := built(t, options{}, "engine")
	return files
}

// Every Markdown file that readers of the repository find is a page, in the groups of README.md.
func TestDocsPages(t *testing.T) {
	files := docsOf(t)
	want := map[string]string{"docs/index.html": "Afterstate", "docs/contributing.html": "Contributing", "docs/changelog.html": "Changelog", "docs/security.html": "Security", "docs/lab/index.html": "Lab"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/lab/*.md"} {
		for _, name := range must.Get(filepath.Glob(pattern))(t) {
			if path.Base(name) != "README.md" {
				title := regexp.MustCompile(`(?m)^# (.*)$`).FindSubmatch(must.Get(os.ReadFile(name))(t))
				want[strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(name), "../../"), ".md")+".html"] = string(title[1])
			}
		}
	}
	if len(want) < 40 {
		t.Fatalf("%d pages", len(want))
	}
	for name, title := range want {
		page := html.UnescapeString(string(files[name]))
		if !regexp.MustCompile(`<h1 id="[^"]+">`+regexp.QuoteMeta(title)+`</h1>`).MatchString(page) || !strings.Contains(page, `aria-current="page"`) {
			t.Errorf("%s has no heading %q, or is not in its own navigation", name, title)
		}
	}
	var groups []string
	for _, m := range regexp.MustCompile(`<h2>(.*)</h2>`).FindAllSubmatch(files["docs/index.html"], -1) {
		groups = append(groups, string(m[1]))
	}
	if got := strings.Join(groups, ", "); got != "Play and improve, Write a bot, Research, Lab, The code" {
		t.Errorf("the groups are %s", got)
	}
}

var (
	reference = regexp.MustCompile(`\b(?:href|src|srcset)="([^"]*)"`)
	identity  = regexp.MustCompile(`\bid="([^"]*)"`)
)

// All addresses within the docs are relative, and lead to files and headings that exist.
func TestDocsLinks(t *testing.T) {
	files := docsOf(t)
	ids := map[string]map[string]bool{}
	for name, data := range files {
		if strings.HasPrefix(name, docsFolder) && path.Ext(name) == ".html" {
			ids[name] = map[string]bool{}
			for _, m := range identity.FindAllSubmatch(data, -1) {
				if id := html.UnescapeString(string(m[1])); ids[name][id] {
					t.Errorf("%s has %s twice", name, id)
				} else {
					ids[name][id] = true
				}
			}
		}
	}
	links := 0
	for name := range ids {
		for _, m := range reference.FindAllSubmatch(files[name], -1) {
			links++
			to, err := url.Parse(html.UnescapeString(string(m[1])))
			if err != nil || to.Scheme == "" && strings.HasPrefix(to.Path, "/") {
				t.Errorf("%s: %s: %v", name, m[1], err)
				continue
			}
			if to.Scheme != "" {
				continue
			}
			target := name
			if to.Path != "" {
				target = path.Join(path.Dir(name), to.Path)
			}
			if target == "." {
				target = "index.html"
			}
			if files[target] == nil || to.Fragment != "" && !ids[target][to.Fragment] {
				t.Errorf("%s: nothing is at %s", name, m[1])
			}
		}
	}
	if links < 2000 {
		t.Errorf("found %d links", links)
	}
}

// Pages work on hosts that forbid scripts and styles within pages.
func TestDocsKeepPolicies(t *testing.T) {
	for name, data := range docsOf(t) {
		if strings.HasPrefix(name, docsFolder) && path.Ext(name) == ".html" {
			if found := regexp.MustCompile(`<script>|<style|<[a-z][^>]* (?:style|on[a-z]+)=`).Find(data); found != nil {
				t.Errorf("%s has %s", name, found)
			}
		}
	}
}

// The search index has the text of all sections.
func TestDocsIndex(t *testing.T) {
	files := docsOf(t)
	var index struct {
		Pages   []struct{ File, Title string }
		Entries []struct {
			P       int
			A, H, T string
		}
	}
	if err := json.Unmarshal(bytes.TrimPrefix(files["docs/search-index.js"], []byte("const searchIndex = ")), &index); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, e := range index.Entries {
		page := index.Pages[e.P].File
		if e.A != "" && !bytes.Contains(files[docsFolder+page], []byte(`id="`+e.A+`"`)) {
			t.Errorf("%s has no heading %s", page, e.A)
		}
		for _, word := range []string{"undo", "JSON-RPC", "afterstate watch", "--until"} {
			found[word] = found[word] || strings.Contains(e.H+" "+e.T, word)
		}
	}
	if len(index.Pages) < 40 || len(index.Entries) < 300 || len(found) != 4 || slices.Contains(slices.Collect(maps.Values(found)), false) {
		t.Errorf("%d pages, %d sections, %v", len(index.Pages), len(index.Entries), found)
	}
}

// The same sources give the same bytes, and the site's version does not depend on the docs: no visitor of the page loads it again
// because a sentence of the docs changed.
func TestDocsAreDeterministic(t *testing.T) {
	once, again := docsOf(t), docsOf(t)
	if !maps.EqualFunc(once, again, bytes.Equal) {
		t.Error("two builds differ")
	}
	elsewhere, version := built(t, options{source: "https://example.com/"}, "engine")
	if _, same := built(t, options{}, "engine"); version != same || bytes.Equal(elsewhere["docs/index.html"], once["docs/index.html"]) {
		t.Errorf("versions %s and %s", version, same)
	}
}

// The reader of Markdown is in no program that users get.
func TestMarkdownStaysHere(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../..", "../hub").Output()
	if err != nil || strings.Contains(string(out), "goldmark") {
		t.Errorf("another program contains goldmark (%v)", err)
	}
}
