package repository

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A path leads a reader from README.md by links from page to page, to a command on the last page and its
// output.
type path struct {
	name            string
	pages           []string
	command, prints string // the beginning of the command, and a regular expression
	test            string // the test that runs it, where that is not TestDocumentedCommands
}

var paths = []path{
	{"a first own bot compared with greedy", []string{"README.md", "docs/tutorials/bot.md"}, "afterstate arena run mine", `(?m)^greedy +-[\d,]+ ± [\d,]+ .* lower$`, ""},
	{"a reviewed game", []string{"README.md", "docs/review.md"}, "afterstate review weak.jsonl", `(?m)^worst moves`, ""},
	{"a trained network compared over three seeds", []string{"README.md", "docs/tutorials/network.md"}, "afterstate train compare", `(?m)^2,000 games .* \+[\d,]+ \[\+[\d,]+, \+[\d,]+\]`, ""},
	{"a worker on a second machine", []string{"README.md", "docs/machines.md"}, "afterstate worker ", "", "cli/hub/docs_test.go TestDocumentedHub"},
}

// check looks for the path's command and its output among the commands of its last page.
func (p *path) check(t *testing.T, printed map[string]string) {
	for command, out := range printed {
		if strings.HasPrefix(command, p.command) && regexp.MustCompile(p.prints).MatchString(out) {
			return
		}
	}
	t.Errorf("no command %s prints %s", p.command, p.prints)
}

// Each page of a path has a link to the next one, and its last page has the command.
func TestPaths(t *testing.T) {
	for _, p := range paths {
		t.Run(p.name, func(t *testing.T) {
			for i, name := range p.pages[1:] {
				link, err := filepath.Rel(filepath.Dir(p.pages[i]), name)
				if err != nil || !strings.Contains(page(t, p.pages[i]), "]("+filepath.ToSlash(link)+")") {
					t.Errorf("%s has no link to %s", p.pages[i], name)
				}
			}
			last := p.pages[len(p.pages)-1]
			if !strings.Contains(strings.Join(fences(page(t, last), "sh"), ""), "\n"+p.command) {
				t.Errorf("%s has no command %s", last, p.command)
			}
			if file, name, ok := strings.Cut(p.test, " "); ok && !strings.Contains(page(t, file), "\nfunc "+name+"(") {
				t.Errorf("%s has no %s", file, name)
			}
		})
	}
}
