package docs

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// address matches an address in a tag.
var address = regexp.MustCompile(`\b((?:href|src|srcset)=")([^"]*)"`)

// notHere begins the addresses of files that are not part of the docs, unless the address of the repository is known.
const notHere = "not-here:"

// lacking matches a link to such a file.
var lacking = regexp.MustCompile(`(?s)<a href="` + notHere + `([^"]*)"[^>]*>(.*?)</a>`)

// connect replaces the addresses of a page's links and pictures by those of the docs, and links to files that the docs lack by
// their label, and their path unless the label is it. Its error names all links that lead nowhere.
func (b *book) connect(p *page) error {
	var broken []error
	p.content = address.ReplaceAllStringFunc(p.content, func(found string) string {
		m := address.FindStringSubmatch(found)
		to := html.UnescapeString(m[2])
		resolved, err := b.resolve(p, to, m[1] != `href="`)
		if err != nil {
			broken = append(broken, fmt.Errorf("%s: the link to %s: %w", p.path, to, err))
		}
		return m[1] + html.EscapeString(resolved) + `"`
	})
	p.content = lacking.ReplaceAllStringFunc(p.content, func(found string) string {
		m := lacking.FindStringSubmatch(found)
		label := html.EscapeString(words(m[2]))
		if strings.Contains(m[1], label) {
			return "<code>" + label + "</code>"
		}
		return label + " (<code>" + m[1] + "</code>)"
	})
	return errors.Join(broken...)
}

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

// resolve returns the address in the docs of what an address on a page names, or in the repository.
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
	if !b.exists(file) {
		return "", fmt.Errorf("%s does not exist", file)
	}
	return cmp.Or(b.source, notHere) + file, nil
}

// pictures are the files that the docs contain when a link leads to them.
var pictures = map[string]bool{".png": true, ".svg": true}
