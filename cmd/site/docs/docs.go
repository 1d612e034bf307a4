// Package docs makes the documentation of the static site: README.md and the Markdown files that it leads to as pages, with
// a search that needs no server.
package docs

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"slices"
	"strings"
)

var (
	//go:embed docs.css
	style []byte
	//go:embed docs.js
	script []byte
	//go:embed page.html
	shell string
)

var layout = template.Must(template.New("page").Parse(shell))

// Build makes the docs of a repository, and returns their files by name. source is the address of the repository's files, ending in
// a slash; "": not known, and links to files that are not part of the docs become plain text.
func Build(repository fs.FS, source string) (map[string][]byte, error) {
	b := &book{repository: repository, source: source, pages: map[string]*page{}, pictures: map[string][]byte{}}
	if err := b.load(); err != nil {
		return nil, err
	}
	groups, err := b.arrange()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"docs.css": style, "docs.js": script}
	var broken []error
	for _, g := range groups {
		for _, p := range g.Pages {
			if err := b.connect(p); err != nil {
				broken = append(broken, err)
				continue
			}
			if files[p.File] != nil {
				return nil, fmt.Errorf("%s: another page is %s already: rename one", p.path, p.File)
			}
			if files[p.File], err = b.render(p, groups); err != nil {
				return nil, fmt.Errorf("%s: %w", p.path, err)
			}
		}
	}
	if err := errors.Join(broken...); err != nil {
		return nil, err
	}
	for name, data := range b.pictures {
		files[name] = data
	}
	files["search-index.js"] = index(groups)
	return files, nil
}

// A book is the Markdown files of a repository.
type book struct {
	repository fs.FS
	source     string
	pages      map[string]*page  // by path in the repository
	pictures   map[string][]byte // by name in the docs
}

// first is the page that leads to all others.
const first = "README.md"

// load reads the pages: those in docs, and what they and the first page link to.
func (b *book) load() error {
	open := []string{first}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md"} {
		names, err := fs.Glob(b.repository, pattern)
		if err != nil {
			return err
		}
		open = append(open, names...)
	}
	for ; len(open) > 0; open = open[1:] {
		name := open[0]
		if b.pages[name] != nil {
			continue
		}
		text, err := fs.ReadFile(b.repository, name)
		if err != nil {
			return err
		}
		p, err := parse(name, text)
		if err != nil {
			return err
		}
		b.pages[name] = p
		for _, to := range p.links {
			if path, _ := b.target(p, to); strings.HasSuffix(path, ".md") && b.exists(path) {
				open = append(open, path)
			}
		}
	}
	return nil
}

func (b *book) exists(path string) bool {
	_, err := fs.Stat(b.repository, path)
	return err == nil
}

// A group is pages that the navigation shows below a title.
type group struct {
	Title string
	Pages []*page
}

// arrange groups the pages as the first page does: by its sections, whose tables come before their text. A page that it does not
// name follows one that leads to it. A folder with a README.md of its own is a group.
func (b *book) arrange() ([]*group, error) {
	groups := []*group{{Pages: []*page{b.pages[first]}}}
	var order []*page
	seen := map[*page]bool{b.pages[first]: true}
	var add func(from *page, to, title string)
	add = func(from *page, to, title string) {
		path, _ := b.target(from, to)
		p := b.pages[path]
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		order = append(order, p)
		if lead := b.pages[p.folder()+"/"+first]; lead != nil {
			title = lead.Title
		}
		at := slices.IndexFunc(groups, func(g *group) bool { return g.Title == title })
		if at < 0 {
			at = len(groups)
			groups = append(groups, &group{Title: title})
		}
		p.group = title
		groups[at].Pages = append(groups[at].Pages, p)
		if strings.HasSuffix(path, "/"+first) { // its pages are in its order
			for _, next := range p.links {
				add(p, next, title)
			}
		}
	}
	for _, s := range b.pages[first].sections {
		for _, to := range s.table {
			add(b.pages[first], to, s.chapter)
		}
	}
	for _, s := range b.pages[first].sections {
		for _, to := range s.links {
			add(b.pages[first], to, s.chapter)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, to := range order[i].links {
			add(order[i], to, order[i].group)
		}
	}
	for path, p := range b.pages {
		if !seen[p] {
			return nil, fmt.Errorf("%s: no page leads to it: link it from %s", path, first)
		}
	}
	return groups, nil
}

// view is what a page's layout shows.
type view struct {
	Page    *page
	Groups  []*group
	Root    string // address of the docs' folder from the page
	Source  string // address of the page's Markdown file; "": not known
	Content template.HTML
}

func (b *book) render(p *page, groups []*group) ([]byte, error) {
	content, err := p.html()
	if err != nil {
		return nil, err
	}
	v := view{Page: p, Groups: groups, Root: p.root(), Content: template.HTML(content)}
	if b.source != "" {
		v.Source = b.source + p.path
	}
	var out bytes.Buffer
	err = layout.Execute(&out, v)
	return out.Bytes(), err
}

// Name is what the navigation calls a page.
func (p *page) Name() string {
	if p.path == first {
		return "Overview"
	}
	name, found := strings.CutPrefix(p.Title, p.group+": ")
	if found {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	return name
}

// FullTitle is the title of a page's window.
func (p *page) FullTitle() string {
	if p.path == first {
		return "Documentation"
	}
	return p.Title
}
