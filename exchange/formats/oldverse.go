package formats

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// oldVerseChars are the 128 characters of the old text: space to ~, then those of code page 850.
const oldVerseChars = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~" +
	"ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒá"

// cutOldVerse removes the beginning of the text, replay_ or replay:4x4; ok is false without one.
func cutOldVerse(text string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, "replay_")
	if !ok {
		rest, ok = strings.CutPrefix(text, "replay:")
	}
	return strings.TrimPrefix(rest, "4x4"), ok
}

// readOldVerse reads a line, at whose end a space is a tile.
func readOldVerse(line []byte) (*AnnotatedRecord, error) {
	events, ok := cutOldVerse(string(bytes.TrimLeft(line, " \t")))
	if !ok {
		return nil, errors.New("want a line that begins with replay_")
	}
	all, err := values(events, oldVerseChars)
	if err != nil {
		return nil, err
	}
	b := fromBoard(board.New(board.Size{Rows: 4, Cols: 4}))
	for _, v := range all {
		s := game.Spawn{Cell: v&3*4 + v>>2&3, Exponent: uint8(v>>4&1) + 1}
		switch {
		case len(b.tiles) == 2:
			err = b.move(board.Direction(v>>5), s)
		case v>>5 != 0:
			err = fmt.Errorf("start tile %d is %q, which is a move", len(b.tiles)+1, []rune(oldVerseChars)[v])
		default:
			err = b.place(s)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(b.tiles) < 2 {
		return nil, errors.New("the two start tiles are missing")
	}
	return b.end()
}

func looksOldVerse(head []byte) bool {
	_, ok := cutOldVerse(string(bytes.TrimLeft(head, " \t\r\n")))
	return ok
}

func writeOldVerse(g *AnnotatedRecord) ([]byte, error) {
	chars := []rune(oldVerseChars)
	out := []byte("replay_")
	event := func(d board.Direction, s game.Spawn) {
		out = utf8.AppendRune(out, chars[int(d)<<5|int(s.Exponent-1)<<4|s.Cell%4<<2|s.Cell/4])
	}
	err := g.each(func(s game.Spawn) { event(0, s) }, func(p *position) error {
		event(p.Move, p.Spawn)
		return nil
	})
	return append(out, '\n'), err
}
