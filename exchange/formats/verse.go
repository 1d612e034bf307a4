package formats

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// verseChars are the 128 digits of the 2048verse format.
const verseChars = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" +
	"ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ¤¾"

// cutVerse parses and removes the head of the text, such as 4x4-1_: the size and a tag for the kind of game. ok
// is false if there is no head.
func cutVerse(text string) (size board.Size, rest string, ok bool) {
	const maximum = 64 // maximum number of characters of the tag
	head, rest, _ := strings.Cut(text, "-")
	tag, rest, tagged := strings.Cut(rest, "_")
	rows, cols, _ := strings.Cut(head, "x")
	if !tagged || utf8.RuneCountInString(tag) > maximum || !isNumber(rows) || !isNumber(cols) || max(len(rows), len(cols)) > 2 {
		return board.Size{}, "", false
	}
	// The first number is the number of rows: a 2x4 board of the site has two rows.
	size.Rows, _ = strconv.Atoi(rows)
	size.Cols, _ = strconv.Atoi(cols)
	return size, rest, true
}

// verseDirections lists the directions in the order of their numbers in the 2048verse format.
var verseDirections = [4]board.Direction{board.Up, board.Down, board.Left, board.Right}

// runes decodes a line as UTF-8, or as Latin-1 if it is not valid UTF-8.
func runes(line []byte) string {
	if utf8.Valid(line) {
		return string(line)
	}
	var out strings.Builder
	for _, c := range line {
		out.WriteRune(rune(c))
	}
	return out.String()
}

// verseSteps are the step sizes of the eight time resolutions, in milliseconds. A time has up to 255 steps.
var verseSteps = [8]int64{1, 3, 12, 48, 192, 768, 3072, 12288}

// verseBases are the smallest times of the resolutions in milliseconds, as the site decodes them.
var verseBases = [8]int64{0, 256, 1024, 4096, 16384, 65536, 266734, 1053166}

func readVerse(text string) (*AnnotatedRecord, error) {
	size, text, ok := cutVerse(text)
	if !ok {
		return nil, errors.New("must be a line that begins with RxC-TAG_, such as 4x4-1_")
	}
	if !size.Valid() {
		return nil, fmt.Errorf("the board is %v: must be %s", size, allSizes)
	}
	digits, chars := make([]byte, 0, len(text)), []rune(verseChars)
	for _, r := range text {
		v := slices.Index(chars, r)
		if v < 0 {
			return nil, fmt.Errorf("character %q is not one of the format's 128", r)
		}
		digits = append(digits, byte(v))
	}
	if len(digits)%3 != 0 {
		return nil, fmt.Errorf("%d characters after the prefix RxC-TAG_: must be a multiple of three", len(digits))
	}
	b := fromBoard(board.New(size))
	var err error
	for d := range slices.Chunk(digits, 3) {
		e := int(d[0])<<14 | int(d[1])<<7 | int(d[2])
		s := game.Spawn{Cell: e>>7&7*size.Cols + e>>4&7, Exponent: uint8(e>>2&3) + 1}
		if x, y := e>>4&7, e>>7&7; x >= size.Cols || y >= size.Rows {
			err = fmt.Errorf("the new tile is in row %d, column %d: must be on the %v board", y+1, x+1, size)
			if len(b.tiles) < 2 {
				return nil, fmt.Errorf("start tile %d: %w", len(b.tiles)+1, err)
			}
			return nil, b.wrong(err)
		}
		if len(b.tiles) < 2 {
			err = b.place(s)
		} else {
			err = b.move(verseDirections[e&3], s)
		}
		if err != nil {
			return nil, err
		}
		if b.moves() > 0 {
			b.g.Times = append(b.g.Times, verseTime(e>>10))
		}
	}
	if len(b.tiles) < 2 {
		return nil, errors.New("the two start tiles are missing")
	}
	return b.end()
}

// verseTime decodes the time of an event: three bits for the resolution, eight for the number of steps.
func verseTime(code int) int64 {
	resolution, steps := code&7, int64(code>>3)
	if resolution == 7 && steps == 255 {
		return record.UnknownTime // the maximum code means that the page was closed
	}
	return verseBases[resolution] + steps*verseSteps[resolution]
}

// verseTimeCode is the inverse of verseTime. It rounds a time between two steps down.
func verseTimeCode(ms int64) int {
	if ms < 0 {
		return 7 | 255<<3
	}
	resolution := 0
	for resolution < 7 && ms >= verseBases[resolution+1] {
		resolution++
	}
	steps := (ms - verseBases[resolution]) / verseSteps[resolution]
	maximum := int64(255)
	if resolution == 7 {
		maximum = 254
	}
	return resolution | int(min(steps, maximum))<<3
}

func looksVerse(head []byte) bool {
	_, _, ok := cutVerse(string(trim(head)))
	return ok
}

func writeVerse(g *AnnotatedRecord) ([]byte, error) {
	size := g.Board.Size()
	chars := []rune(verseChars)
	out := fmt.Appendf(nil, "%v-1_", size)
	event := func(d int, s game.Spawn, ms int64) {
		x, y := s.Cell%size.Cols, s.Cell/size.Cols
		e := d | int(s.Exponent-1)<<2 | x<<4 | y<<7 | verseTimeCode(ms)<<10
		out = utf8.AppendRune(utf8.AppendRune(utf8.AppendRune(out, chars[e>>14]), chars[e>>7&127]), chars[e&127])
	}
	err := g.each(func(s game.Spawn) { event(0, s, record.UnknownTime) }, func(p *position) error {
		event(slices.Index(verseDirections[:], p.Move), p.Spawn, timeOf(g.Times, p.number))
		return nil
	})
	return append(out, '\n'), err
}

// timeOf returns the time of a move, or record.UnknownTime if the game has no times.
func timeOf(times []int64, move int) int64 {
	if times == nil {
		return record.UnknownTime
	}
	return times[move]
}
