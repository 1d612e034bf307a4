package output

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/internal/must"
)

// A redrawn block writes only the control sequences for redrawing.
func TestDoorOfLiveBlocks(t *testing.T) {
	const payload = "\x1b]52;c;ZWNobyBoaQ==\x07\x1b[2J\u009b31m\x7f\u202ecaught"
	var out bytes.Buffer
	b := Block{Out: &out, Live: true, lines: func(int) []string { return []string{payload + "\nforged", "second"} }}
	b.Draw()
	b.Draw()
	text := out.String()
	if strings.Count(text, "caught") != 2 || strings.Count(text, "\n") != 4 {
		t.Errorf("%q", text)
	}
	for _, own := range []string{"\x1b[2A", "\r\x1b[K"} {
		text = strings.ReplaceAll(text, own, "")
	}
	if !utf8.ValidString(text) {
		t.Errorf("%q is not UTF-8", text)
	}
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Errorf("%U reaches the terminal in %q", r, text)
		}
	}
}

// Without a terminal, a line is printed after five seconds and then every fifteen, and none for
// short work. Work that was done earlier does not count for the speed.
func TestProgressLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := NewProgress(&out, 100, "games")
		p.Skip(10)
		for range 30 {
			time.Sleep(time.Second)
			p.Add(2)
		}
		p.Describe("games, nearly all of them")
		for range 6 {
			time.Sleep(time.Second)
			p.Add(2)
		}
		p.End()
		const want = "20 of 100 games, 2 a second, 40s left\n50 of 100 games, 2 a second, 25s left\n80 of 100 games, nearly all of them, 2 a second, 10s left\n"
		must.Equal(t, out.String(), want, "output")
	})
}

// Work that is counted in percent has no rate.
func TestProgressPercent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := NewPercent(&out, "solving 3x3")
		for range 20 {
			time.Sleep(time.Second)
			p.Add(2)
		}
		p.End()
		const want = "solving 3x3: 10 %, 45s left\nsolving 3x3: 40 %, 30s left\n"
		must.Equal(t, out.String(), want, "output")
		if block := p.block(80); block[0] != "solving 3x3" {
			t.Errorf("on a terminal: %q", block)
		}
	})
}

func TestProgressBar(t *testing.T) {
	for want, c := range map[string][3]int{
		"░░░░░░░░░░ 0 %":   {0, 100, 20},
		"██░░░░░░░░ 29 %":  {29, 100, 20},
		"██████████ 100 %": {7, 7, 20},
		" 50 %":            {1, 2, 5},
		"░░ 0 %":           {0, 0, 12},
	} {
		must.Equal(t, Bar(c[0], c[1], c[2]), want, "bar of", c)
	}
	must.Equal(t, utf8.RuneCountInString(Bar(1, 3, 500)), 40+len(" 33 %"), "characters of a bar")
}
