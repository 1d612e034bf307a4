package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Writer writes games in a format.
type Writer struct {
	format *Format
	write  func(g *AnnotatedRecord) error
	games  int
	losses Losses
}

// NewWriter returns a writer of games in a format. The functions that write are not part of [Format],
// so that programs that only read are linked without them.
func NewWriter(w io.Writer, format *Format) *Writer {
	single := map[string]func(*AnnotatedRecord) ([]byte, error){
		"records": func(g *AnnotatedRecord) ([]byte, error) {
			out, err := g.Record.MarshalJSON()
			return append(out, '\n'), err
		},
		"gamestate": writeState,
		"rpl1":      writeRPL1,
		"2048verse": writeVerse,
		"framework": writeFramework,
		"rpl":       writeRPL,
	}
	if encode := single[format.Name]; encode != nil {
		return &Writer{format: format, write: func(g *AnnotatedRecord) error {
			out, err := encode(g)
			if err == nil {
				_, err = w.Write(out)
			}
			return err
		}}
	}
	return &Writer{format: format, write: openTable(w, format.Name == "csv").write}
}

// Write writes a game. It fails if the format cannot hold the game at all. It omits other data that
// the format cannot hold; Dropped lists it.
func (w *Writer) Write(g *AnnotatedRecord) error {
	size := g.Board.Size()
	switch {
	case !size.Valid() || !w.format.accepts(size):
		return fmt.Errorf("the board is %v: %s holds %s", size, w.format.Name, w.format.Sizes)
	case g.Rates != nil && len(g.Rates) < len(g.Moves):
		return fmt.Errorf("%d rates for %d moves: must be one for each move, or nil", len(g.Rates), len(g.Moves))
	case w.games > 0 && w.format.Holds&Many == 0:
		return fmt.Errorf("%s holds one game per file, but there are several", w.format.Name)
	case w.format.Holds&(Start|Moves) == Moves && g.Start.Size() != (board.Size{}):
		return fmt.Errorf("the game begins from board %v: %s holds only games that begin with two tiles", g.Start, w.format.Name)
	}
	w.games++
	w.losses.Add(g.Beyond(w.format.Holds))
	return w.write(g)
}

// Games returns the number of games written so far.
func (w *Writer) Games() int { return w.games }

// Dropped lists the data that was left out because the format cannot hold it, in the form of [Losses.List].
func (w *Writer) Dropped() []string { return w.losses.List() }

// Losses sums up the losses of several games. The zero value is empty.
type Losses struct {
	games, counts map[string]int
}

// Add adds the losses of a game.
func (l *Losses) Add(losses []Loss) {
	if l.games == nil {
		l.games, l.counts = map[string]int{}, map[string]int{}
	}
	for _, x := range losses {
		l.games[x.What]++
		l.counts[x.What] += x.Count
	}
}

// List returns a text for each kind of loss, with the number of games that have it, such as
// "times (2 games)" or "3 undone moves (1 game)".
func (l *Losses) List() (all []string) {
	for _, kind := range slices.Sorted(maps.Keys(l.games)) {
		text := kind
		if n := l.counts[kind]; n > 0 {
			text = fmt.Sprintf("%d %s", n, kind)
		}
		all = append(all, fmt.Sprintf("%s (%s)", text, numfmt.Count(l.games[kind], "game", "games")))
	}
	return all
}

// Beyond lists the data of the game that a format with only the given features cannot hold.
func (g *AnnotatedRecord) Beyond(holds Feature) (all []Loss) {
	beyond := func(feature Feature, present bool, name string) {
		lose(&all, present && holds&feature == 0, Loss{What: name})
	}
	beyond(Moves, len(g.Moves) > 0, "moves")
	beyond(Player, g.Record.Player != "", "player")
	beyond(Seed, g.Record.Spawn == record.Random, "seed")
	beyond(Times, g.Times != nil, "times")
	beyond(Rates, g.Rates != nil, "rates")
	beyond(StartScore, g.StartScore != 0, "score at the start")
	return all
}

// looksTable returns a function that recognizes tables with the given column.
func looksTable(column string) func(head []byte) bool {
	return func(head []byte) bool {
		for l, err := range scan(bufio.NewReader(bytes.NewReader(head)), headSize+1) {
			if err == nil && !isHeading(l.text) {
				continue
			}
			t, err := heading(l.text)
			return err == nil && t.has(column)
		}
		return false
	}
}

// tableWriter writes games as rows of a CSV file: positions if boards is true, else moves.
type tableWriter struct {
	w      *csv.Writer
	boards bool
	games  int
	names  []string
}

func openTable(w io.Writer, boards bool) *tableWriter {
	t := &tableWriter{w: csv.NewWriter(w), boards: boards}
	for _, name := range columns {
		position := name == "board" || name == "score" || len(name) > 4 && name[:5] == "rate_"
		if boards && name != "size" || !boards && !position {
			t.names = append(t.names, name)
		}
	}
	_ = t.w.Write(t.names)
	t.w.Flush() // the method write reports the error with the first game
	return t
}

// row writes a row with the values of the table's columns. The method write reports errors of row.
func (t *tableWriter) row(values map[string]string) {
	row := make([]string, len(t.names))
	for i, name := range t.names {
		row[i] = values[name]
	}
	_ = t.w.Write(row)
}

func (t *tableWriter) write(g *AnnotatedRecord) error {
	values := map[string]string{"game": strconv.Itoa(t.games), "player": table.Inert(strings.Join(strings.Fields(g.Record.Player), " ")), "size": g.Board.Size().String()}
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
	if t.boards && err == nil {
		last := map[string]string{"game": values["game"], "player": values["player"]}
		t.position(last, len(g.Moves), g.StartScore+g.Score, &g.Board)
		t.row(last)
	}
	t.w.Flush()
	return cmp.Or(err, t.w.Error())
}

func (t *tableWriter) position(values map[string]string, number int, score int64, b *board.Board) {
	values["move_number"] = strconv.Itoa(number)
	if t.boards {
		values["board"], values["score"] = b.String(), strconv.FormatInt(score, 10)
	}
}
