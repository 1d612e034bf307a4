package docs

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A page is a Markdown file.
type page struct {
	path     string // in the repository
	file     string // its name in the docs
	title    string
	text     []byte
	doc      ast.Node
	sections []*section
	anchors  map[string]bool
	links    []string // addresses of its links, not of its pictures
	group    string   // title of its group
}

// A section is a heading and what follows it, up to the next heading.
type section struct {
	level   int
	anchor  string
	heading string
	chapter string // heading of the second level that it belongs to
	words   strings.Builder
	links   []string
	table   []string // links in tables
}

// markdown aligns cells by attributes, since hosts may forbid styles in pages (Content-Security-Policy).
var markdown = goldmark.New(goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Linkify))

// parse reads a Markdown file.
func parse(name string, source []byte) (*page, error) {
	p := &page{path: name, file: fileOf(name), text: source, anchors: map[string]bool{}}
	p.doc = markdown.Parser().Parse(text.NewReader(source))
	s := &section{}
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			s = p.begin(h, s)
		} else {
			p.read(n, s)
		}
	}
	if len(p.sections) == 0 || p.sections[0].level != 1 {
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

// begin begins a section, and gives its heading an address.
func (p *page) begin(h *ast.Heading, before *section) *section {
	var words strings.Builder
	p.write(&words, h)
	s := &section{level: h.Level, heading: strings.TrimSpace(words.String()), chapter: before.chapter}
	if h.Level == 2 {
		s.chapter = s.heading
	}
	s.anchor = anchorOf(s.heading)
	for n := 1; p.anchors[s.anchor]; n++ {
		s.anchor = anchorOf(s.heading) + "-" + strconv.Itoa(n)
	}
	p.anchors[s.anchor] = true
	h.SetAttributeString("id", []byte(s.anchor))
	if h.Level > 1 {
		h.AppendChild(h, verbatim(` <a class="anchor" href="#`+s.anchor+`" aria-hidden="true" tabindex="-1">#</a>`))
	}
	p.sections = append(p.sections, s)
	return s
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

// read adds the words and links of a block to its section.
func (p *page) read(block ast.Node, s *section) {
	p.write(&s.words, block)
	_, inTable := block.(*extast.Table)
	p.each(block, func(n ast.Node) {
		link, ok := n.(*ast.Link)
		if !ok {
			return
		}
		to := string(link.Destination)
		p.links = append(p.links, to)
		if inTable {
			s.table = append(s.table, to)
		} else {
			s.links = append(s.links, to)
		}
	})
}

// each calls a function for a node and all below it.
func (p *page) each(n ast.Node, do func(ast.Node)) {
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling() // do may replace c
		p.each(c, do)
		c = next
	}
	do(n)
}

// write writes the words of a node.
func (p *page) write(out *strings.Builder, n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		words := n.Value(p.text)
		if n.Parent().Kind() != ast.KindCodeSpan { // where \ and & stand for themselves
			words = util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(words)))
		}
		out.Write(words)
		if n.SoftLineBreak() || n.HardLineBreak() {
			out.WriteByte(' ')
		}
		return
	case *ast.AutoLink:
		out.Write(n.Label(p.text))
		return
	case *ast.Image, *ast.HTMLBlock, *ast.RawHTML:
		return
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		out.Write(n.Lines().Value(p.text))
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		p.write(out, c)
	}
	if n.Type() == ast.TypeBlock {
		out.WriteByte(' ')
	}
}

// verbatim is HTML in the place of a node.
func verbatim(html string) ast.Node {
	n := ast.NewString([]byte(html))
	n.SetCode(true) // is written as it is
	return n
}

// tables lets tables scroll, and an empty cell be no heading.
var tables = strings.NewReplacer("<table>", `<div class="wide"><table>`, "</table>", "</table></div>",
	"<th></th>", "<td></td>", `<th align="right"></th>`, "<td></td>", `<th align="left"></th>`, "<td></td>", `<th align="center"></th>`, "<td></td>")

// html renders what the page says. Links must have been connected.
func (p *page) html() (string, error) {
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, p.text, p.doc); err != nil {
		return "", err
	}
	return tables.Replace(out.String()), nil
}

// chapters are the sections of the second level.
func (p *page) chapters() (all []*section) {
	for _, s := range p.sections {
		if s.level == 2 {
			all = append(all, s)
		}
	}
	return all
}

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// source returns the HTML that stands in the Markdown, without comments.
func (p *page) source(n ast.Node) string {
	var lines []byte
	switch n := n.(type) {
	case *ast.HTMLBlock:
		lines = n.Lines().Value(p.text)
		if n.HasClosure() {
			lines = append(lines, n.ClosureLine.Value(p.text)...)
		}
	case *ast.RawHTML:
		lines = n.Segments.Value(p.text)
	}
	return comment.ReplaceAllString(string(lines), "")
}
