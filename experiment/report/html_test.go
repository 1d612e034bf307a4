package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

func dossiers() map[string]*Document {
	hostile := sample()
	hostile.Name = "a</h1><script>alert(1)</script>"
	hostile.Players[0].Name = "a<b>&\"c\"\x1b[31m"
	hostile.Players[1].Name = strings.Repeat("long ", 60)
	flat := &arena.Results{Name: "flat", Setup: arena.Setup{Size: board.Size{Rows: 2, Cols: 2}}, Games: 3}
	for _, name := range []string{"x", "y"} {
		flat.Players = append(flat.Players, played(name, []int64{8, 8, 8}, []uint8{2, 2, 2}))
	}
	many := &arena.Results{Name: "many", Setup: arena.Setup{Size: board.Size{Rows: 4, Cols: 4}}, Games: 4}
	for range 12 {
		many.Players = append(many.Players, played("snake", []int64{0, 32004, 4, 3_900_000}, []uint8{1, 11, 2, 17}))
	}
	whole := sample()
	whole.Name = "first"
	broken := stopped()
	broken.Name, broken.Spawn = "second", "adversary(eval=empty)"
	all := map[string]*Document{
		"whole": {Results: whole, Created: time.Unix(1_700_000_000, 0), Versions: [][]string{{"1.0"}, {"1.0", "1.1"}, nil, nil}}, "stopped": {Results: broken},
		"hostile": {Results: hostile}, "flat": {Results: flat}, "many": {Results: many},
		"empty": {Results: &arena.Results{Name: "empty", Setup: arena.Setup{Size: board.Size{Rows: 2, Cols: 2}}, Games: 3, Players: []arena.PlayerResults{{Name: "random"}}}},
		"one":   {Results: &arena.Results{Name: "one", Setup: arena.Setup{Size: board.Size{Rows: 4, Cols: 4}}, Games: 1, Players: []arena.PlayerResults{played("random", []int64{1000}, []uint8{7})}}},
	}
	return all
}

// Pages are well formed, load nothing, and show text as text.
func TestHTML(t *testing.T) {
	for name, charts := range map[string]int{"whole": 3, "stopped": 3, "hostile": 3, "flat": 3, "many": 3, "empty": 0, "one": 2} {
		var out bytes.Buffer
		must.Do(t, HTML(&out, name, []*Document{dossiers()[name]}))
		text := out.String()
		if n := strings.Count(text, "<svg "); n != charts {
			t.Errorf("%s: %d charts, want %d", name, n, charts)
		}
		for _, bad := range []string{"NaN", "Inf", "<script", "http:", "https:", "url(", "src=", "@import", "<b>", "\x1b", "<link"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: the page has %q", name, bad)
			}
		}
		decoder := xml.NewDecoder(&out)
		decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
		depth := 0
		for {
			token, err := decoder.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch token.(type) {
			case xml.StartElement:
				depth++
			case xml.EndElement:
				depth--
			}
		}
		if depth != 0 {
			t.Errorf("%s: %d elements are open at the end", name, depth)
		}
	}
}

// Every colour that a chart uses has a light and a dark value.
func TestColours(t *testing.T) {
	var out bytes.Buffer
	must.Do(t, HTML(&out, "", []*Document{dossiers()["many"]}))
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`var\((--[a-z0-9]+)\)`).FindAllStringSubmatch(out.String(), -1) {
		used[m[1]] = true
	}
	delete(used, "--c") // of a player
	for name := range used {
		if n := strings.Count(out.String(), name+": #"); n != 2 {
			t.Errorf("%s has %d values, want a light and a dark one", name, n)
		}
	}
	if len(used) < 14 {
		t.Errorf("%d colours are used: %v", len(used), used)
	}
	for _, m := range regexp.MustCompile(`(fill|stroke): ?"?#[0-9A-Fa-f]{6}`).FindAllString(out.String(), -1) {
		t.Errorf("%s is the same in light and dark", m)
	}
}

func TestGoldenMarkdown(t *testing.T) {
	for _, name := range []string{"whole", "stopped"} {
		var out bytes.Buffer
		must.Do(t, Markdown(&out, []*Document{dossiers()[name]}))
		golden(t, name+".md", out.Bytes())
	}
	for name, d := range dossiers() {
		var out bytes.Buffer
		must.Do(t, Markdown(&out, []*Document{d}))
		words := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`").ReplaceAllString(out.String(), "code")
		if bad := regexp.MustCompile(`NaN|Inf|<script|(?m)^\|[^|\n]*$`).FindString(words); bad != "" {
			t.Errorf("%s: the text has %q", name, bad)
		}
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 7: "7", 7.126: "7.13", 42.19: "42.2", 99.96: "100.0", 100.4: "100", 999.5: "1,000", 1234567: "1,234,567", -1234: "-1,234", -0.2: "-0.20", -50.55: "-50.5",
	} {
		if got := number(x); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
}

func TestComparisonText(t *testing.T) {
	c := arena.Compare(sample().Players[1].Games, sample().Players[0].Games)
	c.A, c.B = "first/1", "first/2"
	var out bytes.Buffer
	must.Do(t, Comparison(&out, &c))
	golden(t, "comparison.txt", out.Bytes())
}
