package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"afterstate/board"
)

// cutServer splits a line with a board as macroxue's server takes it, alone or in a request, such as
// "GET /move?board=0123456789ABCDEF HTTP/1.1", and the answer if it is known.
func cutServer(line string) (cells, answer string, ok bool) {
	const spaces = " \t\n\f\r"
	word := func(s string) (first, rest string) {
		if i := strings.IndexAny(s, spaces); i >= 0 {
			return s[:i], s[i:]
		}
		return s, ""
	}
	text, requested := strings.CutPrefix(line, "GET ")
	cells, rest := word(text)
	if at := max(strings.LastIndex(cells, "?board="), strings.LastIndex(cells, "&board=")); at >= 0 {
		cells = cells[at+len("?board="):]
	} else if requested {
		return "", "", false
	}
	if len(cells) != 16 || strings.Trim(cells, "0123456789abcdefgABCDEFG") != "" {
		return "", "", false
	}
	if version, after := word(strings.TrimPrefix(rest, " ")); strings.HasPrefix(rest, " HTTP/") && version != "HTTP/" {
		rest = after
	}
	answer = strings.Trim(rest, spaces)
	return cells, answer, len(answer) <= 1 && strings.Trim(answer, "ulrdgULRDG") == ""
}

// serverLetters are the answers by direction; g is the end of the game.
const serverLetters = "urdl"

// serverFormat is boards as macroxue's server takes them, a position a line.
func serverFormat() *Format {
	return &Format{
		Name: "server", Summary: "boards of macroxue's server, a position a line, an empty line between games", Sizes: four, accepts: only4x4,
		Holds: Moves | Start | Many,
		detect: func(head []byte) bool {
			line, _, _ := bytes.Cut(trim(head), []byte("\n"))
			_, _, ok := cutServer(string(trim(line)))
			return ok
		},
		read: readServer,
	}
}

// positions collects a game whose positions are listed.
type positions struct {
	b         *builder
	ambiguous int
}

// add appends a position. d, unless nil, is the move that led to it.
func (p *positions) add(next *board.Board, d *board.Direction) error {
	switch {
	case p.b == nil:
		p.b = fromBoard(*next)
		return nil
	case d != nil:
		return p.b.moveTo(*d, next)
	}
	ambiguous, err := p.b.follow(next)
	if ambiguous {
		p.ambiguous++
	}
	return err
}

func (p *positions) end() *Game {
	g := p.b.end()
	if p.ambiguous > 0 {
		g.Lost = append(g.Lost, Loss{"moves in doubt, since two directions lead to the next board", p.ambiguous})
	}
	return g
}

// last returns a game whose last board has an answer, or nil.
func (p *positions) last(answer *board.Direction) *Game {
	g := p.end()
	if answer != nil {
		g.Lost = append(g.Lost, Loss{What: "answer to the last board"})
	}
	return g
}

func readServer(r *bufio.Reader) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		var p positions
		var led *board.Direction
		over := false
		for l, err := range scan(r) {
			if err != nil {
				yield(nil, err)
				return
			}
			if len(trim(l.text)) == 0 {
				if p.b != nil && !yield(p.last(led), nil) {
					return
				}
				p, led, over = positions{}, nil, false
				continue
			}
			next, answer, err := parseServer(trim(l.text))
			if err == nil && over {
				err = errors.New("a board follows the answer g, which ends the game: want an empty line between games")
			}
			if err == nil {
				err = p.add(&next, led)
			}
			if err != nil {
				yield(nil, l.wrong(err))
				return
			}
			led, over = nil, answer == "g"
			if at := strings.Index(serverLetters, answer); answer != "" && at >= 0 {
				d := board.Direction(at)
				led = &d
			}
		}
		if p.b != nil {
			yield(p.last(led), nil)
		}
	}
}

func parseServer(line []byte) (b board.Board, answer string, err error) {
	cells, answer, ok := cutServer(string(line))
	if !ok {
		return b, "", errors.New("want 16 characters 0-9A-G, and the answer u, l, r, d or g if there is one")
	}
	b, err = board.Parse(cells)
	return b, strings.ToLower(answer), err
}

func openServer(w io.Writer) (write func(*Game) error, end func() error) {
	first := true
	return func(g *Game) error {
		var out strings.Builder
		if !first {
			out.WriteByte('\n')
		}
		first = false
		err := g.each(func(p *position) error {
			return writeServer(&out, &p.board, serverLetters[p.move:p.move+1])
		})
		answer := ""
		if g.Board.Terminal() {
			answer = "g"
		}
		if err == nil {
			err = writeServer(&out, &g.Board, answer)
		}
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, out.String())
		return err
	}, nil
}

func writeServer(out *strings.Builder, b *board.Board, answer string) error {
	for i := range b.Size().Cells() {
		e := b.Cell(i)
		if e > 16 {
			return fmt.Errorf("tile %d: server holds tiles up to 65536", board.Tile(e))
		}
		out.WriteByte("0123456789ABCDEFG"[e])
	}
	if answer != "" {
		out.WriteString(" " + answer)
	}
	out.WriteByte('\n')
	return nil
}
