package board

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/afterstate2048/afterstate/internal/numfmt"
)

// maxExponent4x4 is the largest exponent that a 4x4 board can reach: 17, the tile 131072.
const maxExponent4x4 = 17

// exponentDigits has a character for each exponent from 0 to maxExponent4x4.
const exponentDigits = "0123456789abcdefgh"

// wallExponent is the exponent of 32768. Programs with tables of endgames write the same digit, f,
// for a wall.
const wallExponent = 15

// Exponents returns the 16-character notation of a 4x4 board. ok is false for boards that it cannot
// represent: other sizes, boards with a tile above 131072, and boards with two or more tiles 32768,
// because a reader could take these for walls.
func (b *Board) Exponents() (text string, ok bool) {
	if b.size != (Size{4, 4}) || b.Largest() > maxExponent4x4 {
		return "", false
	}
	out := make([]byte, 16)
	for i := range out {
		out[i] = exponentDigits[b.Cell(i)]
	}
	text = string(out)
	return text, strings.Count(text, "f") < 2
}

// WallsError says that a letter in the notation of a board may mean walls: large, distinct tiles that do not merge in
// an endgame. Their values then do not matter. Programs with tables of endgames write f for a wall, which is also the
// exponent of 32768. People write x.
type WallsError struct {
	Letter string // the letter: f or x
	Cells  int
	// Readings are the boards that the text may mean. The last one has walls in the cells with the
	// letter: distinct tiles, descending in row-major order from 32768, or from a larger tile if
	// that is needed to keep all walls above the other tiles. For f, the first one has a 32768 in
	// each cell.
	Readings []Board
}

func (e *WallsError) Error() string {
	last := len(e.Readings) - 1
	text := fmt.Sprintf("board has %s in %s: if they are walls, give their tiles, such as", e.Letter, numfmt.Count(e.Cells, "cell", "cells"))
	if last > 0 {
		text = fmt.Sprintf("board has %s in %s: each may be a 32768 or a wall; give the tiles, such as\nas 32768: %v", e.Letter, numfmt.Count(e.Cells, "cell", "cells"), e.Readings[0])
	}
	return fmt.Sprintf("%s\nas walls: %v", text, e.Readings[last])
}

func parseExponents(text string) (Board, error) {
	b := New(Size{4, 4})
	if len(text) != b.Size().Cells() {
		return Board{}, fmt.Errorf("link with %s after %s: must be %d", numfmt.Count(len(text), "exponent", "exponents"), linkHost, b.Size().Cells())
	}
	var walls []int
	text = strings.ToLower(text)
	for i, ch := range []byte(text) {
		switch e := strings.IndexByte(exponentDigits, ch); {
		case e >= 0:
			b.Set(i, uint8(e))
		case ch == 'x':
			walls = append(walls, i)
		default:
			return Board{}, fmt.Errorf("board character %d is %q: must be exponents 0-9a-h, or tile values split by commas and slashes", i+1, text[i])
		}
	}
	if len(walls) > 0 {
		walled, ok := b.withWalls(walls)
		if !ok {
			return Board{}, fmt.Errorf("board has x in %s: too many walls, since walls are different tiles above all others, up to 131072; must be exponents 0-9a-h", numfmt.Count(len(walls), "cell", "cells"))
		}
		return Board{}, &WallsError{"x", len(walls), []Board{walled}}
	}
	for i := range b.Size().Cells() {
		if b.Cell(i) == wallExponent {
			walls = append(walls, i)
		}
	}
	if walled, ok := b.withWalls(walls); ok && len(walls) > 1 {
		return Board{}, &WallsError{"f", len(walls), []Board{b, walled}}
	}
	return b, nil
}

// withWalls returns the board with walls in the given cells. ok is false if the largest wall would
// exceed the largest tile of 4x4.
func (b Board) withWalls(cells []int) (walled Board, ok bool) {
	for _, cell := range cells {
		b.Set(cell, 0)
	}
	exponent := max(wallExponent, int(b.Largest())+len(cells))
	for i, cell := range cells {
		b.Set(cell, uint8(exponent-i))
	}
	return b, exponent <= maxExponent4x4
}

// linkHost is the beginning of a link to a position on 2048verse, after the scheme. The 16 exponents follow.
const linkHost = "2048verse.com/p/"

// exponentsOf returns the exponents in a link to a position. ok is false if the text is not such a
// link.
func exponentsOf(link string) (text string, ok bool) {
	link = strings.ToLower(strings.TrimSpace(link))
	for _, prefix := range []string{"https://", "http://", "www."} {
		link = strings.TrimPrefix(link, prefix)
	}
	text, ok = strings.CutPrefix(link, linkHost)
	if end := strings.IndexAny(text, "/?#"); end >= 0 {
		text = text[:end]
	}
	return text, ok
}

// positionPlaces lists the beginnings of URL fragments that open a position on Afterstate's page.
var positionPlaces = []string{"solve/", "play/from/", "watch/from/", "watch/settings/from/"}

// positionOf returns the board in a link of the page as text, and the score if the link has one. ok
// is false if the text is not such a link.
func positionOf(link string) (text string, score *int64, ok bool) {
	link = strings.TrimSpace(link)
	_, fragment, _ := strings.Cut(link, "#")
	for _, place := range positionPlaces {
		if text, ok = strings.CutPrefix(fragment, place); ok {
			break
		}
	}
	text, err := url.PathUnescape(text)
	if !ok || err != nil || text == "" || strings.ContainsFunc(link, unicode.IsSpace) {
		return "", nil, false
	}
	// If the probability of a 4 is not 0.1, links contain the player.
	text, _, _ = strings.Cut(text, "/best(")
	if end := strings.LastIndexByte(text, '/'); end >= 0 && !strings.Contains(text[end:], ",") {
		if n, err := strconv.ParseInt(text[end+1:], 10, 64); err == nil && n >= 0 {
			return text[:end], &n, true
		}
	}
	return text, nil, true
}
