package docs

import (
	"fmt"
	"html"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"
)

// A page is a Markdown file.
type page struct {
	path     string // in the repository
	file     string // its name in the docs
	title    string
	content  string // HTML, whose addresses are those of the repository until they are connected
	sections []*section
	anchors  map[string]bool
	links    []string // addresses of its links, not of its pictures
	group    string   // title of its group
}

// A section is a heading and what follows it, up to the next heading.
type section struct {
	level   string
	anchor  string
	heading string
	chapter string // heading of the second level that it belongs to
	words   string
	links   []string
	table   []string // those in tables
}

// markdown aligns cells by attributes, since hosts may forbid styles in pages (Content-Security-Policy).
var markdown = goldmark.New(goldmark.WithRendererOptions(render.WithUnsafe()),
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Linkify))

// Parts of the HTML that goldmark writes: texts have no quotes and no angle brackets in it.
var (
	comment = regexp.MustCompile(`(?s)<!--.*?-->`)
	heading = regexp.MustCompile(`(?s)<h([1-6])>(.*?)</h[1-6]>\n`)
	table   = regexp.MustCompile(`(?s)<table>.*?</table>`)
	link    = regexp.MustCompile(`<a href="([^"]*)"`)
	tag     = regexp.MustCompile(`<[^>]*>`)
)

// parse reads a Markdown file.
func parse(name string, source []byte) (*page, error) {
	var out strings.Builder
	if err := markdown.Convert(source, &out); err != nil {
		return nil, err
	}
	p := &page{path: name, file: fileOf(name), anchors: map[string]bool{}}
	text := comment.ReplaceAllString(out.String(), "")
	bodies := heading.Split(text, -1) // the first one is before the first heading
	p.content = heading.ReplaceAllStringFunc(text, func(found string) string {
		m := heading.FindStringSubmatch(found)
		return p.begin(m[1], m[2], bodies[len(p.sections)+1])
	})
	if len(p.sections) == 0 || p.sections[0].level != "1" {
		return nil, fmt.Errorf("%s: must begin with a heading: # Title", name)
	}
	p.title = p.sections[0].heading
	return p, nil
}

// fileOf returns the name in the docs of a file of the repository.
func fileOf(name string) string {
	dir, base := path.Split(strings.TrimPrefix(name, "docs/"))
	if base, found := strings.CutSuffix(base, ".md"); found {
		if base+".md" == first {
			base = "index"
		}
		return dir + strings.ToLower(base) + ".html"
	}
	return dir + base
}

func (p *page) folder() string { return path.Dir(p.path) }

// root returns the address of the docs' folder from the page.
func (p *page) root() string { return strings.Repeat("../", strings.Count(p.file, "/")) }

// begin begins a section, and returns its heading with an address.
func (p *page) begin(level, label, body string) string {
	s := &section{level: level, heading: words(label), words: words(body), links: linksIn(body)}
	if n := len(p.sections); n > 0 {
		s.chapter = p.sections[n-1].chapter
	}
	sign := ""
	s.anchor = anchorOf(s.heading)
	for n := 1; p.anchors[s.anchor]; n++ {
		s.anchor = anchorOf(s.heading) + "-" + strconv.Itoa(n)
	}
	if level == "2" {
		s.chapter = s.heading
	}
	if level != "1" {
		sign = fmt.Sprintf(` <a class="anchor" href="#%s" aria-hidden="true" tabindex="-1">#</a>`, s.anchor)
	}
	for _, t := range table.FindAllString(body, -1) {
		s.table = append(s.table, linksIn(t)...)
	}
	p.anchors[s.anchor], p.links, p.sections = true, append(p.links, s.links...), append(p.sections, s)
	return fmt.Sprintf("<h%s id=\"%s\">%s%s</h%s>\n", level, s.anchor, label, sign, level)
}

// words returns the text in HTML.
func words(text string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(text, ""))), " ")
}

// linksIn returns the addresses of links.
func linksIn(text string) (all []string) {
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		all = append(all, html.UnescapeString(m[1]))
	}
	return all
}

// anchorOf returns the address that GitHub gives to a heading.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

// tables lets tables scroll, and an empty cell be no heading.
var tables = strings.NewReplacer("<table>", `<div class="wide"><table>`, "</table>", "</table></div>",
	"<th></th>", "<td></td>", `<th align="right"></th>`, "<td></td>", `<th align="left"></th>`, "<td></td>", `<th align="center"></th>`, "<td></td>")

// chapters are the sections of the second level.
func (p *page) chapters() (all []*section) {
	for _, s := range p.sections {
		if s.level == "2" {
			all = append(all, s)
		}
	}
	return all
}
