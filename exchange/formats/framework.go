package formats

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// looksFramework reports whether a line begins with the names of the players and the start time of
// the game, as in name@1500000000|.
func looksFramework(head []byte) bool {
	head = trim(head)
	const maximum = 1000 // maximum number of characters of the players' names
	end := bytes.IndexAny(head, "|\n")
	if end < 0 || head[end] != '|' {
		return false
	}
	at := bytes.LastIndexByte(head[:end], '@')
	return at >= 0 && utf8.RuneCount(head[:at]) <= maximum && isNumber(strings.TrimPrefix(string(head[at+1:end]), "-"))
}

// isNumber reports whether text consists of decimal digits, at least one.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// frameworkDirections holds the letters of the moves, in the order of the directions.
const frameworkDirections = "URDL"

const (
	frameworkCells = "0123456789ABCDEF"
	frameworkTiles = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// frameworkLine is the state while the moves of a line are read.
type frameworkLine struct {
	text   string
	b      *builder
	placed bool // a new tile has a time, which AnnotatedRecord cannot hold
}

func readFramework(line []byte) (*AnnotatedRecord, error) {
	open, rest, ok := strings.Cut(string(trim(line)), "|")
	moves, end, closed := strings.Cut(rest, "|")
	if !ok || !closed {
		return nil, errors.New("must be PLAYER:TILES@MS|MOVES|WINNER@MS")
	}
	if strings.ContainsRune(end, '|') {
		return nil, errors.New("unexpected text after the winner")
	}
	at := strings.LastIndexByte(open, '@')
	if at < 0 {
		return nil, errors.New("must be PLAYER:TILES@MS before the first |")
	}
	l := &frameworkLine{text: moves, b: fromBoard(board.New(board.Size{Rows: 4, Cols: 4}))}
	for i := range 2 {
		if i == 1 && strings.HasPrefix(l.text, "#") {
			break // some programs start with one tile
		}
		s, err := l.tile()
		if err != nil {
			return nil, fmt.Errorf("start tile %d: %w", i+1, err)
		}
		if err := l.b.place(s); err != nil {
			return nil, err
		}
		if _, err := l.extras(0); err != nil {
			return nil, err
		}
	}
	for l.text != "" {
		if err := l.move(); err != nil {
			return nil, err
		}
	}
	g := &l.b.g
	name, _, _ := strings.Cut(open[:at], ":")
	g.Player = strings.ToValidUTF8(name, "?")
	began, err := strconv.ParseInt(open[at+1:], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%.24q before the first |: must be a number of milliseconds", open[at+1:])
	}
	lose(&g.Lost, began != 0, Loss{What: "time of day"})
	lose(&g.Lost, l.placed, Loss{What: "times of the new tiles"})
	return l.b.end()
}

// move reads a move and the new tile after it.
func (l *frameworkLine) move() error {
	number := l.b.moves() + 1
	if len(l.text) < 2 || l.text[0] != '#' || !strings.Contains(frameworkDirections, l.text[1:2]) {
		return fmt.Errorf("move %d is %.8q: must be #U, #R, #D or #L", number, l.text)
	}
	d := board.Direction(strings.IndexByte(frameworkDirections, l.text[1]))
	l.text = l.text[2:]
	_, reward, moved := l.b.now.Slide(d)
	if !moved {
		return l.b.move(d, game.Spawn{}) // returns an error, because the move is illegal
	}
	ms, err := l.extras(reward)
	if err != nil {
		return l.b.wrong(err)
	}
	s, err := l.tile()
	if err != nil {
		return l.b.wrong(fmt.Errorf("after %v: %w", d, err))
	}
	if err := l.b.move(d, s); err != nil {
		return err
	}
	if err := l.b.timed(ms); err != nil {
		return err
	}
	placing, err := l.extras(0)
	l.placed = l.placed || placing > 0
	return err
}

func (l *frameworkLine) tile() (s game.Spawn, err error) {
	if len(l.text) < 2 {
		return s, errors.New("a new tile is missing")
	}
	cell, tile := strings.IndexByte(frameworkCells, l.text[0]), strings.IndexByte(frameworkTiles, l.text[1])
	if cell < 0 || tile < 0 {
		return s, fmt.Errorf("the new tile is %q: must be a cell 0-9A-F, and 1 for a 2 or 2 for a 4", l.text[:2])
	}
	l.text = l.text[2:]
	return game.Spawn{Cell: cell, Exponent: uint8(tile)}, nil
}

// extras reads the optional reward and time after a move or a tile. It fails if the reward in the file differs
// from the given one.
func (l *frameworkLine) extras(reward int64) (ms int64, err error) {
	got, has, err := l.between('[', ']')
	if err != nil {
		return 0, err
	}
	if has && got != reward {
		return 0, fmt.Errorf("the file has reward %d, but the move gives %d", got, reward)
	}
	ms, _, err = l.between('(', ')')
	return ms, err
}

// between reads a number in brackets; ok is false if the text does not continue with the opening
// bracket.
func (l *frameworkLine) between(open, end byte) (value int64, ok bool, err error) {
	if l.text == "" || l.text[0] != open {
		return 0, false, nil
	}
	digits, rest, found := strings.Cut(l.text[1:], string(end))
	value, err = strconv.ParseInt(digits, 10, 64)
	if !found || err != nil || value < 0 {
		return 0, false, fmt.Errorf("%.16q: must begin with a number in brackets, such as %c4%c", l.text, open, end)
	}
	l.text = rest
	return value, true, nil
}

func writeFramework(g *AnnotatedRecord) ([]byte, error) {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("|@:", r) || r < ' ' {
			return '_'
		}
		return r
	}, g.Record.Player)
	out := fmt.Appendf(nil, "%s:random@0|", name)
	place := func(s game.Spawn) { out = append(out, frameworkCells[s.Cell], frameworkTiles[s.Exponent]) }
	total := int64(0)
	err := g.each(place, func(p *position) error {
		out = append(out, '#', frameworkDirections[p.Move])
		if p.reward > 0 {
			out = fmt.Appendf(out, "[%d]", p.reward)
		}
		if ms := timeOf(g.Times, p.number); ms > 0 {
			out = fmt.Appendf(out, "(%d)", ms)
			total += ms
		}
		place(p.Spawn)
		return nil
	})
	winner := name
	if g.Board.Terminal() {
		winner = "random"
	}
	return fmt.Appendf(out, "|%s@%d\n", winner, total), err
}
