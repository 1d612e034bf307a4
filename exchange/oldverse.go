package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"afterstate/board"
	"afterstate/game"
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

// oldVerseFormat is the earlier text of 2048verse: a character for each tile and its move.
func oldVerseFormat() *Format {
	return &Format{
		Name: "2048verse-old", Summary: "2048verse's earlier text, a game a line", Sizes: four, accepts: only4x4,
		Holds: Moves | Order | Many,
		detect: func(head []byte) bool {
			_, ok := cutOldVerse(string(bytes.TrimLeft(head, " \t\r\n")))
			return ok
		},
		read: perLine(func(line []byte) (*Game, error) { return oldVerseGame(string(bytes.TrimLeft(line, " \t"))) }),
	}
}

// oldVerseGame reads a line, at whose end a space is a tile.
func oldVerseGame(line string) (*Game, error) {
	events, ok := cutOldVerse(line)
	if !ok {
		return nil, errors.New("want a line that begins with replay_")
	}
	size := board.Size{Rows: 4, Cols: 4}
	places := digits(oldVerseChars)
	var b *builder
	var tiles []game.Spawn
	for _, r := range events {
		v, ok := places[r]
		if !ok {
			return nil, fmt.Errorf("character %q is not one of the format's 128", r)
		}
		s := game.Spawn{Cell: v&3*4 + v>>2&3, Exponent: uint8(v>>4&1) + 1}
		if b != nil {
			if err := b.move(board.Direction(v>>5), s); err != nil {
				return nil, err
			}
			continue
		}
		if tiles = append(tiles, s); v>>5 != 0 {
			return nil, fmt.Errorf("start tile %d is %q, which is a move", len(tiles), r)
		}
		if len(tiles) == 2 {
			var err error
			if b, err = fromTiles(size, tiles); err != nil {
				return nil, err
			}
		}
	}
	if b == nil {
		return nil, errors.New("the two start tiles are missing")
	}
	return b.end(), nil
}

func writeOldVerse(w io.Writer, g *Game) error {
	chars := []rune(oldVerseChars)
	var out strings.Builder
	out.WriteString("replay_")
	event := func(d board.Direction, s game.Spawn) {
		out.WriteRune(chars[int(d)<<5|int(s.Exponent-1)<<4|s.Cell%4<<2|s.Cell/4])
	}
	tiles, err := g.startTiles()
	if err != nil {
		return err
	}
	for _, s := range tiles {
		event(0, s)
	}
	err = g.each(func(p *position) error {
		event(p.move, p.spawn)
		return nil
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, out.String()+"\n")
	return err
}
