package formats

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/record"
)

func looksRecord(head []byte) bool {
	head = trim(head)
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(line, []byte(`"afterstate_record"`))
}

func readRecord(line []byte) (*AnnotatedRecord, error) {
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
	g := &AnnotatedRecord{Record: r}
	_, err = r.Replay()
	return g, err
}

func readState(data []byte) (*AnnotatedRecord, error) {
	start, score, err := board.ParseScored(string(data))
	if err != nil {
		return nil, err
	}
	b := fromBoard(start)
	if score != nil {
		if *score < 0 || *score > maxScore {
			return nil, fmt.Errorf("score is %d: want 0 to %d", *score, int64(maxScore))
		}
		b.g.StartScore = *score
	}
	return b.end()
}

type stateCell struct {
	Position struct {
		X int `json:"x"`
		Y int `json:"y"`
	} `json:"position"`
	Value int64 `json:"value"`
}

func looksState(head []byte) bool {
	return bytes.Contains(head, []byte("grid")) && bytes.Contains(head, []byte("cells")) && bytes.ContainsRune(head[:min(len(head), 64)], '{')
}

func writeState(g *AnnotatedRecord) ([]byte, error) {
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
	out, err := json.Marshal(&state)
	return append(out, '\n'), err
}

// trim removes space around text.
func trim(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }
