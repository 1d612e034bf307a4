package report

import (
	"fmt"
	"html"
	"strings"
)

// markup is HTML. Other texts are escaped on a page.
type markup string

// page builds a page of HTML. It does without html/template, which finds methods by name at run time:
// a program that links it keeps every exported method of every package, 5 MB of this one.
type page struct{ strings.Builder }

// put writes HTML, with values in place of the verbs of package fmt. It escapes all but markup and numbers.
func (p *page) put(format string, values ...any) {
	for i, v := range values {
		switch v.(type) {
		case markup, int:
		default: // also types whose values are strings, or that have a method String
			values[i] = html.EscapeString(fmt.Sprint(v))
		}
	}
	fmt.Fprintf(p, format, values...)
}

// heads writes a table's header with these columns.
func (p *page) heads(names ...string) {
	p.put("<div class=\"wide\"><table>\n<thead><tr>")
	for _, name := range names {
		p.put("<th>%s</th>", name)
	}
	p.put("</tr></thead>\n<tbody>")
}

// cells writes a row's cells.
func (p *page) cells(texts ...string) {
	for _, text := range texts {
		p.put("<td>%s</td>", text)
	}
}

// who is a player's name with a dot in the player's colour.
func who(player int, name string) markup {
	return markup(fmt.Sprintf(`<span class="who"><i class="dot c%d"></i>%s</span>`, player%len(palette), html.EscapeString(name)))
}
