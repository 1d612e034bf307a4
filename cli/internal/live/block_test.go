package live

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// A block that is drawn again and again has control sequences of its own, and no others.
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
