package formats

import (
	"bytes"
	"encoding/json"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// andstatusPage is the number of plies per line. The app reads one line at a time.
const andstatusPage = 1000

func writeAndstatus(g *AnnotatedRecord) ([]byte, error) {
	w := andstatusWriter{cols: g.Board.Size().Cols}
	start := g.Start
	tiles, _ := game.StartTiles(&start)
	switch given := start.Size() != (board.Size{}); {
	case given && len(tiles) == 1 && g.StartScore == 0:
		w.place(tiles[0], 0)
	case given || g.StartScore != 0:
		if !given {
			start = board.New(g.Board.Size()) // load an empty board to set the score; the start tiles follow
		}
		w.ply(andstatusPly{Player: "composer", Kind: "load"}, andstatusMove{Kind: "load", Board: andstatusAt(&start, g.StartScore, 0, 0)})
	}
	var ms int64
	err := g.each(func(s game.Spawn) { w.place(s, 0) }, func(p *position) error {
		ms += max(timeOf(g.Times, p.number), 0)
		w.ply(andstatusPly{Player: "user", Kind: p.Move.String(), Seconds: ms / 1000}, w.slide(&p.board, p.Move)...)
		w.place(p.Spawn, ms/1000)
		return nil
	})
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(andstatusHead{
		Start: andstatusNoTime, Bookmarks: []struct{}{}, ID: 1, Type: "org.andstatus.game2048:GameRecord:2",
		Last: andstatusAt(&g.Board, g.StartScore+g.Score, ms/1000, w.plies),
	})
	return append(append(head, '\n'), w.out.Bytes()...), err
}

type andstatusWriter struct {
	out   bytes.Buffer
	plies int
	cols  int
}

func (w *andstatusWriter) ply(p andstatusPly, moves ...andstatusMove) {
	p.Moves, _ = json.Marshal(moves) // cannot fail: there are only numbers and strings
	text, _ := json.Marshal(p)
	w.out.Write(text)
	if w.plies++; w.plies%andstatusPage == 0 {
		w.out.WriteByte('\n')
	}
}

func (w *andstatusWriter) place(s game.Spawn, seconds int64) {
	w.ply(andstatusPly{Seconds: seconds}, andstatusMove{Kind: "place", First: w.tile(s.Exponent, s.Cell)})
}

func (w *andstatusWriter) tile(exponent uint8, cell int) *andstatusTile {
	return &andstatusTile{Exponent: int(exponent), Square: w.square(cell)}
}

func (w *andstatusWriter) square(cell int) andstatusSquare {
	return andstatusSquare{X: cell % w.cols, Y: cell / w.cols}
}

// slide returns what a move does to the tiles, line by line, beginning with the tiles at the edge
// towards which they slide.
func (w *andstatusWriter) slide(b *board.Board, d board.Direction) (all []andstatusMove) {
	motions := b.Motions(d)
	for i := 0; i < len(motions); i++ {
		m := motions[i]
		first := w.tile(b.Cell(m.From), m.From)
		switch {
		case m.Merged: // the next motion is for the second of the two tiles
			i++
			second := w.tile(b.Cell(m.From), motions[i].From)
			all = append(all, andstatusMove{Kind: "merge", First: first, Second: second, Merged: w.tile(b.Cell(m.From)+1, m.To)})
		case m.From != m.To:
			to := w.square(m.To)
			all = append(all, andstatusMove{Kind: "one", First: first, Destination: &to})
		}
	}
	return all
}

func andstatusAt(b *board.Board, score, seconds int64, plies int) *andstatusPosition {
	p := &andstatusPosition{Score: score, Seconds: seconds, Ply: plies, Time: andstatusNoTime}
	for cell := range b.Size().Cells() {
		p.Cells = append(p.Cells, int(b.Cell(cell)))
	}
	return p
}
