package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
)

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	must.Golden(t, filepath.Join("testdata", name), got)
}

// played makes up games from scores and highest tiles: 10 moves a game for each
// exponent, 1.5 ms a move.
func played(name string, scores []int64, exponents []uint8) arena.PlayerResults {
	p := arena.PlayerResults{Name: name}
	for i, score := range scores {
		moves := 10 * int(exponents[i])
		p.Games = append(p.Games, arena.Outcome{
			Seed: 42, Index: uint64(i), Score: score, Largest: exponents[i],
			Moves: moves, Elapsed: time.Duration(moves) * 1500 * time.Microsecond,
		})
	}
	return p
}

func sample() *arena.Results {
	snake := played("expectimax(eval=snake,plies=3)", []int64{20000, 32004, 8000, 25096}, []uint8{11, 11, 9, 11})
	seeing := played("foresight", []int64{60000, 70000, 65000, 71000}, []uint8{12, 12, 12, 12})
	seeing.Foresees = true
	clock := played("ntuple(time=5ms)", []int64{20004, 31000, 9000, 25000}, []uint8{11, 11, 9, 11})
	clock.TimeLimited = true
	return &arena.Results{
		Setup: arena.Setup{Size: board.Size{Rows: 4, Cols: 4}, Seed: 42}, Games: 4,
		Players: []arena.PlayerResults{played("random", []int64{1000, 1204, 800, 996}, []uint8{7, 7, 6, 7}), snake, seeing, clock},
	}
}

// stopped returns the results of an interrupted run: one player has one game, one has none.
func stopped() *arena.Results {
	r := sample()
	r.Stop.Tile = 2048
	r.Games = 5
	r.Players = []arena.PlayerResults{r.Players[1], {Name: "exec(cmd=\"python3 bot.py --with a --very-long line\",protocol=lines)"}, r.Players[3]}
	r.Players[2].Games = r.Players[2].Games[:1]
	return r
}

// The text, the statistics and the games of a whole run and of one that was stopped.
func TestGoldenReports(t *testing.T) {
	for name, r := range map[string]*arena.Results{"whole": sample(), "stopped": stopped()} {
		var text, csv bytes.Buffer
		must.Do(t, errors.Join(Text(&text, r, 80), r.WriteCSV(&csv)))
		line := must.Get(json.Marshal(r.Statistics()))(t)
		golden(t, name+".txt", text.Bytes())
		golden(t, name+".csv", csv.Bytes())
		golden(t, name+".json", append(line, '\n'))
	}
}

func TestTextFitsItsWidth(t *testing.T) {
	for _, width := range []int{0, 60, 80, 100, 200} {
		var text bytes.Buffer
		must.Do(t, Text(&text, sample(), width))
		if width == 0 {
			width = 80
		}
		for line := range strings.Lines(text.String()) {
			line = strings.TrimSuffix(line, "\n")
			if utf8.RuneCountInString(line) > width && !strings.Contains(line, "foresight knows") && !strings.HasPrefix(line, "score against") {
				t.Errorf("width %d: %q", width, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Errorf("width %d: blanks at the end of %q", width, line)
			}
		}
	}
}

func TestWritersReportErrors(t *testing.T) {
	r := sample()
	for name, write := range map[string]func(io.Writer) error{
		"text": func(w io.Writer) error { return Text(w, r, 80) },
		"CSV":  r.WriteCSV,
		"HTML": func(w io.Writer) error { return HTML(w, "", []*Document{{Results: r}}) },
	} {
		pipe, out := io.Pipe()
		_ = pipe.CloseWithError(errors.New("disk full"))
		if err := write(out); err == nil || err.Error() != "disk full" {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Reports tell how many games were forfeited, and why.
func TestForfeits(t *testing.T) {
	r := sample()
	for i, g := range []player.ForfeitError{{}, {Reason: "no answer within 1s"}, {Reason: "it ended", Detail: "exit status 1"}, {Reason: "it ended", Detail: "exit status 2"}} {
		r.Players[1].Games[i].Forfeit = g
	}
	line := must.Get(json.Marshal(r.Statistics().Players[1]))(t)
	if want := `"forfeits":{"games":3,"reasons":[{"reason":"it ended","games":2,"first_game":2,"detail":"exit status 1"},` +
		`{"reason":"no answer within 1s","games":1,"first_game":1}]}`; !strings.Contains(string(line), want) {
		t.Errorf("%s\nwant %s", line, want)
	}
	var text bytes.Buffer
	must.Do(t, Text(&text, r, 80))
	if want := "expectimax(eval=snake,plies=3): forfeited 3 of 4 games, which count with the score they had\n" +
		"  it ended, 2 times, first in game 2: exit status 1\n"; !strings.Contains(text.String(), want) {
		t.Errorf("lacks %q:\n%s", want, &text)
	}
	if want := regexp.MustCompile(`(?m)^expectimax.*\n? +.* 3 of 4 +667$`); !want.MatchString(text.String()) {
		t.Errorf("the table does not mark the player:\n%s", &text)
	}
	for name, write := range map[string]func(io.Writer, []*Document) error{
		"Markdown": Markdown, "HTML": func(w io.Writer, all []*Document) error { return HTML(w, "", all) },
	} {
		text.Reset()
		must.Do(t, write(&text, []*Document{{Results: r}}))
		if !regexp.MustCompile(`[>|] ?3 of 4 ?[<|]`).MatchString(text.String()) {
			t.Errorf("%s: the table does not mark the player", name)
		}
	}
}

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

// Pages are well formed, load no other files, and escape text.
func TestHTML(t *testing.T) {
	for name, charts := range map[string]int{"whole": 2, "stopped": 2, "hostile": 2, "flat": 2, "many": 2, "empty": 0, "one": 1} {
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
