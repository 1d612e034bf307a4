// Package docs makes the documentation of the static site: README.md and the Markdown files that it leads to as pages, with
// a search that needs no server.
package docs

import (
	_ "embed"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

var (
	//go:embed docs.css
	style []byte
	//go:embed docs.js
	script []byte
	//go:embed page.html
	layout string // its ids have capitals, those of headings have none
)

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
		for _, p := range g.pages {
			if err := b.connect(p); err != nil {
				broken = append(broken, err)
				continue
			}
			if files[p.file] != nil {
				return nil, fmt.Errorf("%s: another page is %s already: rename one", p.path, p.file)
			}
			files[p.file] = b.render(p, groups)
		}
	}
	if err := errors.Join(broken...); err != nil {
		return nil, err
	}
	maps.Copy(files, b.pictures)
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
	title string
	pages []*page
}

// arrange groups the pages as the first page does: by its sections, whose tables come before their text. A page that it does not
// name follows one that leads to it. A folder with a README.md of its own is a group.
func (b *book) arrange() ([]*group, error) {
	groups := []*group{{pages: []*page{b.pages[first]}}}
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
			title = lead.title
		}
		at := slices.IndexFunc(groups, func(g *group) bool { return g.title == title })
		if at < 0 {
			at = len(groups)
			groups = append(groups, &group{title: title})
		}
		p.group = title
		groups[at].pages = append(groups[at].pages, p)
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
	for _, path := range slices.Sorted(maps.Keys(b.pages)) {
		if !seen[b.pages[path]] {
			return nil, fmt.Errorf("%s: no page leads to it: link it from %s", path, first)
		}
	}
	return groups, nil
}

// render puts a page into the layout.
func (b *book) render(p *page, groups []*group) []byte {
	content := tables.Replace(p.content)
	if b.source != "" {
		content += fmt.Sprintf("<p class=\"origin\"><a href=\"%s\">The source of this page</a></p>\n", html.EscapeString(b.source+p.path))
	}
	title := p.title
	if p.path == first {
		title = "Documentation"
	}
	fields := strings.NewReplacer("{title}", html.EscapeString(title), "{root}", p.root(), "{navigation}", navigation(p, groups), "{content}", content)
	return []byte(fields.Replace(layout))
}

// navigation lists the pages by group, and below a page itself its chapters.
func navigation(current *page, groups []*group) string {
	var out strings.Builder
	link := func(address, attributes, label string) {
		fmt.Fprintf(&out, "<li><a href=\"%s\"%s>%s</a>", html.EscapeString(address), attributes, html.EscapeString(label))
	}
	for _, g := range groups {
		if g.title != "" {
			fmt.Fprintf(&out, "<h2>%s</h2>\n", html.EscapeString(g.title))
		}
		out.WriteString("<ul>\n")
		for _, p := range g.pages {
			if p == current {
				link("#Content", ` aria-current="page"`, p.name())
				if chapters := p.chapters(); len(chapters) > 0 {
					out.WriteString("\n<ul>\n")
					for _, s := range chapters {
						link("#"+s.anchor, "", s.heading)
						out.WriteString("</li>\n")
					}
					out.WriteString("</ul>\n")
				}
			} else {
				link(current.root()+p.file, "", p.name())
			}
			out.WriteString("</li>\n")
		}
		out.WriteString("</ul>\n")
	}
	return out.String()
}

// name is what the navigation calls a page.
func (p *page) name() string {
	if p.path == first {
		return "Overview"
	}
	name, found := strings.CutPrefix(p.title, p.group+": ")
	if found {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	return name
}
