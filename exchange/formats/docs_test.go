package formats_test

import (
	"os"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/must"
)

// docs/exchange.md says of each format what it holds.
func TestDocs(t *testing.T) {
	text := must.Get(os.ReadFile("../../docs/exchange.md"))(t)
	rows := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(line, "|\n "), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) == 11 {
			rows[strings.Trim(cells[0], "`")] = cells
		}
	}
	for _, f := range formats.All() {
		has := func(feature formats.Feature, yes, no string) string {
			if f.Holds&feature != 0 {
				return yes
			}
			return no
		}
		want := []string{f.Sizes, has(formats.Many, "many", "one")}
		for _, feature := range []formats.Feature{formats.Start, formats.Order, formats.Player, formats.Seed, formats.Times, formats.Rates, formats.StartScore} {
			want = append(want, has(feature, "yes", "-"))
		}
		if row := rows[f.Name]; len(row) != 11 || strings.Join(row[2:], "|") != strings.Join(want, "|") {
			t.Errorf("%s: the table has %q, want %q", f.Name, row, want)
		}
	}
	if len(rows) != len(formats.All())+2 { // with the head and its line
		t.Errorf("%d rows", len(rows))
	}
}
