package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"afterstate/board"
	"afterstate/game/record"
)

// recordFormat is the program's own: records of package game/record, one a line. It also reads a
// saved game of the page, an object with a record in it.
func recordFormat() *Format {
	return &Format{
		Name: "records", Summary: "records of this program, one a line", Sizes: allSizes, accepts: anySize,
		Holds: Moves | Start | Order | Player | Seed | Many,
		detect: func(head []byte) bool {
			head = trim(head)
			line, _, _ := bytes.Cut(head, []byte("\n"))
			return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(line, []byte(`"afterstate_record"`))
		},
		read: perLine(readRecord),
	}
}

func readRecord(line []byte) (*Game, error) {
	r, err := record.Parse(line)
	if err != nil {
		var saved struct {
			Record json.RawMessage `json:"record"`
		}
		if json.Unmarshal(line, &saved) != nil || len(saved.Record) == 0 {
			return nil, err
		}
		if r, err = record.Parse(saved.Record); err != nil {
			return nil, err
		}
	}
	if len(r.Moves) > MaxMoves {
		return nil, fmt.Errorf("more than %d moves", MaxMoves)
	}
	g := &Game{Record: r}
	if _, err := r.Replay(); err != nil {
		if wrong := g.each(func(*position) error { return nil }); wrong != nil {
			err = wrong // names the board too
		}
		return nil, err
	}
	return g, nil
}

// stateFormat is the gameState that the original page stores in local storage: one board.
func stateFormat() *Format {
	return &Format{
		Name: "gamestate", Summary: "the original page's gameState, one board", Sizes: "square boards", accepts: squareSize,
		Holds: Start | StartScore,
		detect: func(head []byte) bool {
			return bytes.Contains(head, []byte("grid")) && bytes.Contains(head, []byte("cells")) && bytes.ContainsRune(head[:min(len(head), 64)], '{')
		},
		read: whole(maxState, readState),
	}
}

func readState(data []byte) (*Game, error) {
	start, score, err := board.ParseScored(string(data))
	if err != nil {
		return nil, err
	}
	g := fromBoard(start).end()
	if score != nil {
		if *score < 0 || *score > maxScore {
			return nil, fmt.Errorf("score is %d: want 0 to %d", *score, int64(maxScore))
		}
		g.StartScore = *score
	}
	return g, nil
}

type stateCell struct {
	Position struct {
		X int `json:"x"`
		Y int `json:"y"`
	} `json:"position"`
	Value int64 `json:"value"`
}

func writeState(w io.Writer, g *Game) error {
	var state struct {
		Grid struct {
			Size  int            `json:"size"`
			Cells [][]*stateCell `json:"cells"`
		} `json:"grid"`
		Score       int64 `json:"score"`
		Over        bool  `json:"over"`
		Won         bool  `json:"won"`
		KeepPlaying bool  `json:"keepPlaying"`
	}
	b := g.Board
	state.Grid.Size = b.Size().Cols
	for x := range b.Size().Cols {
		column := make([]*stateCell, b.Size().Rows)
		for y := range column {
			if e := b.At(y, x); e > 0 {
				column[y] = &stateCell{Value: board.Tile(e)}
				column[y].Position.X, column[y].Position.Y = x, y
			}
		}
		state.Grid.Cells = append(state.Grid.Cells, column)
	}
	state.Score, state.Over, state.Won = g.StartScore+g.Score, b.Terminal(), b.Largest() >= 11
	state.KeepPlaying = state.Won
	return json.NewEncoder(w).Encode(&state)
}

// trim removes space around text.
func trim(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }
