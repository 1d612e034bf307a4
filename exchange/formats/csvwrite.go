package formats

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// looksTable recognizes tables with a column.
func looksTable(column string) func(head []byte) bool {
	return func(head []byte) bool {
		line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
		t, err := heading(bytes.TrimRight(line, "\r"))
		return err == nil && t.has(column)
	}
}

// tableWriter writes games as rows.
type tableWriter struct {
	w      *csv.Writer
	boards bool
	games  int
	names  []string
}

func openTable(w io.Writer, boards bool) (write func(*AnnotatedRecord) error, end func() error) {
	t := &tableWriter{w: csv.NewWriter(w), boards: boards}
	for _, name := range columns {
		position := name == "board" || name == "score" || len(name) > 4 && name[:5] == "rate_"
		if boards && name != "size" || !boards && !position {
			t.names = append(t.names, name)
		}
	}
	_ = t.w.Write(t.names)
	return t.write, t.flush
}

func (t *tableWriter) flush() error {
	t.w.Flush()
	return t.w.Error()
}

// row writes the values of the columns that the table has. An error comes with flush.
func (t *tableWriter) row(values map[string]string) {
	row := make([]string, len(t.names))
	for i, name := range t.names {
		row[i] = values[name]
	}
	_ = t.w.Write(row)
}

func (t *tableWriter) write(g *AnnotatedRecord) error {
	values := map[string]string{"game": strconv.Itoa(t.games), "player": strings.Join(strings.Fields(g.Record.Player), " "), "size": g.Board.Size().String()}
	t.games++
	spawn := func(s game.Spawn) {
		values["spawn_cell"], values["spawn_tile"] = strconv.Itoa(s.Cell), strconv.FormatInt(board.Tile(s.Exponent), 10)
	}
	err := g.each(func(s game.Spawn) {
		if spawn(s); !t.boards {
			t.row(values)
		}
	}, func(p *position) error {
		t.position(values, p.number, p.score, &p.board)
		values["move"] = p.Move.String()
		spawn(p.Spawn)
		values["ms"] = ""
		if ms := timeOf(g.Times, p.number); ms >= 0 {
			values["ms"] = strconv.FormatInt(ms, 10)
		}
		if g.Rates != nil {
			for _, d := range board.Directions {
				values["rate_"+d.String()] = strconv.FormatFloat(g.Rates[p.number][d], 'g', -1, 64)
			}
		}
		t.row(values)
		return nil
	})
	if err != nil || !t.boards {
		return err
	}
	last := map[string]string{"game": values["game"], "player": values["player"]}
	t.position(last, len(g.Moves), g.StartScore+g.Score, &g.Board)
	t.row(last)
	return nil
}

func (t *tableWriter) position(values map[string]string, number int, score int64, b *board.Board) {
	values["move_number"] = strconv.Itoa(number)
	if t.boards {
		values["board"], values["score"] = b.String(), strconv.FormatInt(score, 10)
	}
}
