package table

import "strings"

// Inert returns a text that no spreadsheet runs as a formula. It adds an apostrophe in front of a
// leading =, +, -, @, tab or carriage return. It also adds one if apostrophes already precede such
// a character, because Plain removes one apostrophe in both cases.
func Inert(text string) string {
	if rest := strings.TrimLeft(text, "'"); rest != "" && strings.IndexByte("=+-@\t\r", rest[0]) >= 0 {
		return "'" + text
	}
	return text
}

// Plain is the inverse of Inert.
func Plain(text string) string {
	if rest, ok := strings.CutPrefix(text, "'"); ok && Inert(rest) == text {
		return rest
	}
	return text
}
