package docs

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// connect replaces the addresses of a page's links and pictures by those of the docs. Its error names all links that lead nowhere.
func (b *book) connect(p *page) error {
	var broken []error
	resolve := func(to string, picture bool) string {
		address, err := b.resolve(p, to, picture)
		if err != nil {
			broken = append(broken, fmt.Errorf("%s: the link to %s: %w", p.path, to, err))
		}
		return address
	}
	p.each(p.doc, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Link:
			to := string(n.Destination)
			if address := resolve(to, false); address != "" {
				n.Destination = []byte(address)
			} else {
				path, _ := b.target(p, to)
				n.Parent().ReplaceChild(n.Parent(), n, p.plain(n, path))
			}
		case *ast.Image:
			n.Destination = []byte(resolve(string(n.Destination), true))
		case *ast.HTMLBlock, *ast.RawHTML:
			n.Parent().ReplaceChild(n.Parent(), n, verbatim(inHTML.ReplaceAllStringFunc(p.source(n), func(found string) string {
				m := inHTML.FindStringSubmatch(found)
				return m[1] + html.EscapeString(resolve(html.UnescapeString(m[2]), m[1] != `href="`)) + `"`
			})))
		}
	})
	return errors.Join(broken...)
}

// inHTML matches an address in a tag.
var inHTML = regexp.MustCompile(`\b((?:href|src|srcset)=")([^"]*)"`)

// target returns the file or folder of the repository that an address on a page names, and the heading; "": it is elsewhere.
func (b *book) target(p *page, to string) (file, anchor string) {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" {
		return "", ""
	}
	if u.Path == "" {
		return p.path, u.Fragment
	}
	file = path.Join(p.folder(), u.Path)
	switch lead := path.Join(file, first); {
	case b.exists(lead):
		file = lead
	case file == "docs":
		file = first
	}
	return file, u.Fragment
}

// resolve returns the address in the docs of what an address on a page names; "": nothing in the docs.
func (b *book) resolve(p *page, to string, picture bool) (string, error) {
	file, anchor := b.target(p, to)
	if file == "" {
		return to, nil
	}
	if next := b.pages[file]; next != nil && !picture {
		if anchor == "" {
			return p.root() + next.file, nil
		}
		if !next.anchors[anchor] {
			return "", fmt.Errorf("%s has no heading #%s", file, anchor)
		}
		if next == p {
			return "#" + anchor, nil
		}
		return p.root() + next.file + "#" + anchor, nil
	}
	if picture || pictures[path.Ext(file)] {
		data, err := fs.ReadFile(b.repository, file)
		if err != nil {
			return "", fmt.Errorf("%s is no file", file)
		}
		b.pictures[fileOf(file)] = data
		return p.root() + fileOf(file), nil
	}
	switch {
	case !b.exists(file):
		return "", fmt.Errorf("%s does not exist", file)
	case b.source == "":
		return "", nil
	}
	return b.source + file, nil
}

// pictures are the files that the docs contain when a link leads to them.
var pictures = map[string]bool{".png": true, ".svg": true}

// plain returns what stands in the place of a link to a file that the docs lack: its label, and its path unless the label is it.
func (p *page) plain(link *ast.Link, file string) ast.Node {
	var words strings.Builder
	p.write(&words, link)
	label := html.EscapeString(words.String())
	if strings.Contains(file, words.String()) {
		return verbatim("<code>" + label + "</code>")
	}
	return verbatim(label + " (<code>" + html.EscapeString(file) + "</code>)")
}
