package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

const (
	// MaxLine is the length limit of a message in bytes, including its newline: about a hundred
	// times the size of a 6x6 board.
	MaxLine = 1 << 16
	// MaxReview is the length limit of a message of the methods review.*, for transports of the web
	// page. MaxRecord is the length limit of the record in it: about 100,000 moves of an imported
	// game, and several times as many of a game with a seed.
	MaxReview = 1 << 18
	MaxRecord = MaxReview - 1<<15
	// MaxPictureFile is the size limit of a picture. MaxPicture is the length limit of a message
	// with a file, for transports that use ParseFileRequest.
	MaxPictureFile = 20 << 20
	MaxPicture     = MaxPictureFile/3*4 + MaxLine
	// MaxDepth is the nesting limit of arrays and objects in a request.
	MaxDepth = 16
	// MaxAnswer and MaxAnswerDepth are the limits of a response, which may contain a tree: about ten
	// thousand boards, and two levels of nesting for each move and each spawn.
	MaxAnswer      = 1 << 20
	MaxAnswerDepth = 64
)

// check returns an error unless a line is JSON within the limits. The functions below require text
// that has passed this check.
func check(line []byte, maximum, nested int) error {
	switch {
	case len(line) > maximum:
		return fmt.Errorf("%d bytes: must be at most %d", len(line), maximum)
	case !utf8.Valid(line):
		return errors.New("the text is not UTF-8")
	}
	depth := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			i = stringEnd(line, i) - 1
		case '[', '{':
			if depth++; depth > nested {
				return fmt.Errorf("more than %d nested arrays and objects", nested)
			}
		case ']', '}':
			depth--
		}
	}
	if !json.Valid(line) {
		return json.Unmarshal(line, new(json.RawMessage)) // for its error message
	}
	return nil
}

// stringEnd returns the index after the string that starts at i, or the line's length.
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

// valueEnd returns the index after the value that starts at i.
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
			if depth < 0 { // end of the enclosing value
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

// members calls f for every member of an object, with the key decoded. The text must have passed
// check. members is three times as fast as decoding into a map and, unlike a map, reports duplicate
// keys and preserves their order.
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
		i = space(object, space(object, end)+1) // skip the colon
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

// kind returns a description of the JSON type of a value.
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
