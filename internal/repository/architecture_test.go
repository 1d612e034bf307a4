package repository

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// The walks of docs/architecture.md have at most five stops. They name files that exist, and what is declared in them.
func TestArchitectureWalks(t *testing.T) {
	doc := must.Get(os.ReadFile("docs/architecture.md"))(t)
	for _, walk := range strings.Split(string(doc), "\n## Walk: ")[1:] {
		name, stops, _ := strings.Cut(walk, "\n")
		stops, _, _ = strings.Cut(stops, "\n## ")
		if n := len(regexp.MustCompile(`(?m)^\d+\. `).FindAllString(stops, -1)); n == 0 || n > 5 {
			t.Errorf("the walk %s has %d stops: must be from 1 to 5", name, n)
		}
	}
	steps := regexp.MustCompile("(?m)^\\d+\\. `([^`]+)`([^:]*):").FindAllStringSubmatch(string(doc), -1)
	if len(steps) < 20 {
		t.Errorf("found %d steps", len(steps))
	}
	for _, s := range steps {
		source, err := os.ReadFile(s[1])
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(s[2], -1) {
			receiver, method, isMethod := strings.Cut(name[1], ".")
			declared := `(?m)^(func|type) ` + regexp.QuoteMeta(receiver) + `\b|^function ` + regexp.QuoteMeta(receiver) + `\b`
			if isMethod {
				declared = `(?m)^func \((\w+ )?\*?` + regexp.QuoteMeta(receiver) + `(\[\w+\])?\) ` + regexp.QuoteMeta(method) + `\(`
			}
			if !regexp.MustCompile(declared).Match(source) {
				t.Errorf("%s does not declare %s", s[1], name[1])
			}
		}
	}
}
