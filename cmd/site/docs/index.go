package docs

import (
	"encoding/json"
	"strings"
)

// An entry of the index is a section of a page.
type entry struct {
	Page    int    `json:"p"` // its place among the pages
	Anchor  string `json:"a,omitempty"`
	Heading string `json:"h,omitempty"` // "": the page's title
	Text    string `json:"t"`
}

// entryPage is a page of the index.
type entryPage struct {
	File  string `json:"file"`
	Title string `json:"title"`
}

// index returns the search index as a script, since browsers load no JSON for pages that were opened as files.
func index(groups []*group) []byte {
	var all struct {
		Pages   []entryPage `json:"pages"`
		Entries []entry     `json:"entries"`
	}
	for _, g := range groups {
		for _, p := range g.pages {
			for i, s := range p.sections {
				e := entry{Page: len(all.Pages), Text: s.words}
				if i > 0 {
					e.Anchor, e.Heading = s.anchor, s.heading
				}
				all.Entries = append(all.Entries, e)
			}
			all.Pages = append(all.Pages, entryPage{p.file, p.title})
		}
	}
	var out strings.Builder
	out.WriteString(indexStart)
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // it is a file of its own
	_ = enc.Encode(all)      // cannot fail: it is text
	return []byte(out.String())
}

// indexStart precedes the index; docs.js has the variable too.
const indexStart = "const searchIndex = "
