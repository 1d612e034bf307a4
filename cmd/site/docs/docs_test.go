package docs_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/afterstate2048/afterstate/cmd/site/docs"
	"github.com/afterstate2048/afterstate/internal/must"
)

// repository is a small one, with these files more.
func repository(more map[string]string) fstest.MapFS {
	all := fstest.MapFS{}
	for _, files := range []map[string]string{{
		"README.md": "# Game\n\n## Play\n\nSee [news](NEWS.md).\n\n| page |\n|---|\n| [guide](docs/guide.md) |\n\n## Study\n\n[lab](docs/lab/README.md), [the licence](LICENSE), [src](src)\n" +
			"<!-- a comment -->\n<img alt=\"A board\" src=\"docs/board.svg\">\n",
		"NEWS.md":            "# News\n\n## 1.0\n\n### Fixes\n\n## 2.0\n\n### Fixes\n",
		"LICENSE":            "free",
		"src/main.go":        "package main",
		"docs/guide.md":      "# How to play\n\n## `undo` & redo\n\n![](board.svg) [down](#undo--redo) [up](../README.md#study) [there](https://example.com/x.md)\n\n```sh\nplay --seed 1\n```\n\nAT&amp;T \\-\\-x `\\-`\n",
		"docs/board.svg":     "<svg/>",
		"docs/lab/README.md": "# Lab\n\n[second](second.md) then [one](one.md), [fixes](../../NEWS.md#fixes-1), [all](..)\n",
		"docs/lab/one.md":    "# Lab: the first\n",
		"docs/lab/second.md": "# Lab: the second\n",
	}, more} {
		for name, text := range files {
			all[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return all
}

// Links lead to pages, pictures and headings of the docs. What the docs lack is text, or is at the repository's address.
func TestBuild(t *testing.T) {
	files := must.Get(docs.Build(repository(nil), ""))(t)
	for name, wants := range map[string][]string{
		"index.html": {
			`<a href="guide.html">guide</a>`, `<a href="news.html">news</a>`, `<a href="lab/index.html">lab</a>`, `the licence (<code>LICENSE</code>), <code>src</code>`,
			`src="board.svg"`, `<h2 id="study">Study `,
		},
		"guide.html": {
			`<h2 id="undo--redo"><code>undo</code> &amp; redo `, `<a href="#undo--redo">down</a>`, `<a href="index.html#study">up</a>`, `<a href="https://example.com/x.md">there</a>`,
			`<a class="button play" href="../">Play</a>`, `<link rel="stylesheet" href="../app.css">`,
		},
		"lab/index.html": {`<a href="../lab/one.html">one</a>`, `<a href="../news.html#fixes-1">fixes</a>`, `<a href="../index.html">all</a>`, `<link rel="stylesheet" href="../../app.css">`},
		"news.html":      {`<h3 id="fixes">`, `<h3 id="fixes-1">`},
		"board.svg":      {"<svg/>"},
	} {
		for _, want := range wants {
			if !strings.Contains(string(files[name]), want) {
				t.Errorf("%s lacks %s:\n%s", name, want, files[name])
			}
		}
	}
	if strings.Contains(string(files["index.html"]), "a comment") {
		t.Error("a comment is shown")
	}
	if want := `"h":"undo & redo","t":"down up there play --seed 1 AT&T --x \\-"}`; !strings.Contains(string(files["search-index.js"]), want) {
		t.Errorf("the index lacks %s:\n%s", want, files["search-index.js"])
	}
	files = must.Get(docs.Build(repository(nil), "https://example.com/game/"))(t)
	for _, want := range []string{`<a href="https://example.com/game/LICENSE">the licence</a>`, `<a href="https://example.com/game/README.md">`} {
		if !strings.Contains(string(files["index.html"]), want) {
			t.Errorf("with the repository's address the first page lacks %s", want)
		}
	}
}

// The pages are grouped as the first page groups them, and those of a folder as its README.md lists them.
func TestNavigation(t *testing.T) {
	page := string(must.Get(docs.Build(repository(nil), ""))(t)["lab/one.html"])
	at := 0
	for _, want := range []string{">Overview<", "<h2>Play</h2>", ">How to play<", ">News<", "<h2>Lab</h2>", ">Lab<", ">The second<", `<a href="#Content" aria-current="page">The first<`} {
		next := strings.Index(page[at:], want)
		if next < 0 {
			t.Fatalf("%s is missing or not in its place:\n%s", want, page)
		}
		at += next
	}
}

// What leads nowhere is an error that names the page and the link; one error names all.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"docs/guide.md", "# How\n\n[x](missing.md)\n", "docs/guide.md: the link to missing.md: docs/missing.md does not exist"},
		{"docs/guide.md", "# How\n\n[x](lab/one.md#two)\n", "docs/guide.md: the link to lab/one.md#two: docs/lab/one.md has no heading #two"},
		{"docs/guide.md", "# How\n\n[x](#two)\n", "docs/guide.md: the link to #two: docs/guide.md has no heading #two"},
		{"docs/guide.md", "# How\n\n![x](missing.png)\n", "docs/guide.md: the link to missing.png: docs/missing.png is no file"},
		{"docs/guide.md", "# How\n\n<picture>\n<source srcset=\"missing.png\">\n</picture>\n", "docs/guide.md: the link to missing.png: docs/missing.png is no file"},
		{"docs/guide.md", "# How\n\n[x](a.md) [y](b.md)\n", "docs/guide.md: the link to a.md: docs/a.md does not exist\ndocs/guide.md: the link to b.md: docs/b.md does not exist"},
		{"docs/guide.md", "How\n", "docs/guide.md: must begin with a heading: # Title"},
		{"docs/lost.md", "# Lost\n", "docs/lost.md: no page leads to it: link it from README.md"},
		{"docs/news.md", "# News\n\n[x](../NEWS.md)", "docs/news.md: no page leads to it: link it from README.md"},
		{"docs/lab/one.md", "# One\n\n[x](../news.md)\n", "docs/lab/one.md: the link to ../news.md: docs/news.md does not exist"},
	} {
		if _, err := docs.Build(repository(map[string]string{c.name: c.text}), ""); err == nil || err.Error() != c.want {
			t.Errorf("%s %q:\n%v, want\n%s", c.name, c.text, err, c.want)
		}
	}
	both := repository(map[string]string{"docs/news.md": "# News\n", "docs/guide.md": "# How\n\n[x](news.md)\n"})
	if _, err := docs.Build(both, ""); err == nil || !strings.Contains(err.Error(), "another page is news.html already") {
		t.Errorf("two pages with one name: %v", err)
	}
}
