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
