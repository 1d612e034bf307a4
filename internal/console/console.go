// Package console makes untrusted text safe to show on a terminal. Text from others, such as the
// player's name in a record or what a bot writes to stderr, can contain control sequences that
// write to the clipboard, forge lines or reverse the text.
//
//	out := console.NewWriter(os.Stdout)
//	fmt.Fprintln(out, record.Player) // "\x1b]52;c;...\a" is shown as \u001b]52;c;...\u0007
//
// Control characters are C0, DEL, C1, the line and paragraph separators and the bidirectional
// controls. [Line] escapes all of them, a [Writer] all except newline and tab. The escapes are
// those of JSON strings. They make the characters visible, and JSON text keeps its meaning, because
// it can contain control characters in strings only. Bytes that are not UTF-8 become escapes such as
// \x9b.
package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// isControl reports whether a terminal may interpret a rune instead of showing it.
func isControl(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0,
		r == 0x61c, r == 0x200e, r == 0x200f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, // bidirectional
		r == 0x2028, r == 0x2029:
		return true
	}
	return false
}

// Line escapes all control characters, so that the text stays on one line.
func Line(s string) string { return escaped(s, "") }

func escaped(s, keep string) string {
	if plain([]byte(s), keep) {
		return s
	}
	out, rest := escape(nil, []byte(s), keep)
	for _, b := range rest {
		out = fmt.Appendf(out, `\x%02x`, b)
	}
	return string(out)
}

// Quote quotes a word for a shell, unless it contains only letters, digits and -_./: characters.
func Quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Short cuts a text to maximum bytes and appends "..." if it is longer.
func Short(s string, maximum int) string {
	if len(s) > maximum {
		return strings.ToValidUTF8(s[:maximum], "") + "..."
	}
	return s
}

// plain reports whether text contains only printable ASCII and characters in keep. Such text, which is
// most text, needs no escaping.
func plain(s []byte, keep string) bool {
	for _, b := range s {
		if (b < ' ' || b >= 0x7f) && !strings.ContainsRune(keep, rune(b)) {
			return false
		}
	}
	return true
}

// escape appends the escaped text to dst. It does not escape the characters in keep. rest is an
// incomplete rune at the end of the text.
func escape(dst, text []byte, keep string) (out, rest []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			if !utf8.FullRune(text) {
				return dst, text
			}
			dst = fmt.Appendf(dst, `\x%02x`, text[0])
		case isControl(r) && !strings.ContainsRune(keep, r):
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = append(dst, text[:size]...)
		}
		text = text[size:]
	}
	return dst, nil
}

// Writer escapes control characters except newlines and tabs. It is safe for concurrent use.
type Writer struct {
	w io.Writer

	mutex   sync.Mutex
	partial []byte // incomplete rune of the last Write
	text    []byte
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes the escaped text. It keeps an incomplete rune at the end for the next Write.
func (w *Writer) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	const keep = "\n\t"
	if len(w.partial) == 0 && plain(p, keep) {
		return w.w.Write(p)
	}
	out, rest := escape(w.text[:0], append(w.partial, p...), keep)
	w.partial = append([]byte(nil), rest...)
	w.text = out
	if len(out) == 0 {
		return len(p), nil
	}
	if _, err := w.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Raw returns the underlying writer of a Writer, for the program's own control sequences, and any
// other writer unchanged.
func Raw(w io.Writer) io.Writer {
	if below, ok := w.(*Writer); ok {
		return below.w
	}
	return w
}
