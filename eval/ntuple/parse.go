package ntuple

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// looksNamed reports whether text looks like the name of a network, such as 4x6.
func looksNamed(text string) bool {
	number := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	count, length, found := strings.Cut(strings.ToLower(text), "x")
	return found && number(count) && number(length)
}

// ParseNetwork reads a network's name, as Named does, or its patterns, as ParseLayout does. What begins
// with a digit is read as patterns unless it looks like a name, so that an error names the wrong cell.
func ParseNetwork(size board.Size, text string) (Layout, error) {
	cells := digits[:max(16, min(size.Cells(), len(digits)))]
	switch {
	case looksNamed(text):
		return Named(size, text)
	case text != "" && text[0] >= '0' && text[0] <= '9', strings.Trim(strings.ToLower(text), cells+" ,") == "":
		return ParseLayout(size, text)
	}
	return Named(size, text)
}

// ParseStages reads the stages after the first, "16384/16384,8192" or "14/14,13", and returns all.
func ParseStages(text string) ([]Stage, error) {
	stages := []Stage{{}}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == ' ' }) {
		s := Stage{}
		for _, word := range strings.Split(part, ",") {
			n, err := strconv.ParseInt(word, 10, 64)
			if err == nil && n > bitboard.MaxExponent && n&(n-1) == 0 {
				n = int64(bits.TrailingZeros64(uint64(n)))
			}
			if err != nil || n < 1 || n > bitboard.MaxExponent {
				return nil, fmt.Errorf("%q: want tiles up to 32768 or their exponents, such as 16384/16384,8192", word)
			}
			s = append(s, uint8(n))
		}
		slices.Sort(s)
		slices.Reverse(s)
		if slices.ContainsFunc(stages, func(t Stage) bool { return slices.Equal(s, t) }) {
			return nil, fmt.Errorf("%s occurs twice", s.Text())
		}
		stages = append(stages, s)
	}
	if len(stages) > MaxStages {
		return nil, fmt.Errorf("%d besides the first: want at most %d", len(stages)-1, MaxStages-1)
	}
	return stages, nil
}
