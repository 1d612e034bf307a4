package cli

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

// shown is the result of solve --show --json.
type shown struct {
	Board  board.Board                  `json:"board"`
	Spawn  solve.Rule                   `json:"spawn"`
	P4     *float64                     `json:"p4"`
	Unit   string                       `json:"unit"`
	Source string                       `json:"source"`
	Move   *board.Direction             `json:"move"` // null: no legal move
	Moves  map[board.Direction]*float64 `json:"moves"`
	Goals  []shownGoal                  `json:"goals"`
}

type shownGoal struct {
	Tile  int64                        `json:"tile"`
	Moves map[board.Direction]*float64 `json:"moves"` // probability of making the tile after each move
	Error float64                      `json:"largest_error,omitempty"`
}

func showSolved(cmd *cobra.Command, f *solveFlags, p solve.Problem) error {
	b, err := board.Parse(f.show)
	if p.Size = b.Size(); err == nil && p.Size != bitboard.Size {
		err = p.Check()
	}
	if err != nil {
		return usage.Wrap(err)
	}
	var tables solve.Library
	if p.Size == bitboard.Size {
		goals, err := tables.AskGoals(cmd.Context(), b, p)
		if err != nil {
			return solveError(err)
		}
		if len(goals) == 0 {
			return usage.Errorf("no solved ending has the board %v: solve one, such as afterstate solve --walls '####/##..' --goal 512", b)
		}
		answer := solve.Answer{Board: b, Goals: goals}
		return f.json.Print(cmd, newShown(&answer, p), func(w io.Writer) error { return writeEndings(w, goals) })
	}
	answer, err := tables.Ask(cmd.Context(), b, p)
	if err != nil {
		return solveError(err)
	}
	return f.json.Print(cmd, newShown(&answer, p), func(w io.Writer) error { return writeShown(w, &answer) })
}

func newShown(a *solve.Answer, p solve.Problem) shown {
	s := shown{Board: a.Board, Spawn: p.Spawn, Unit: "points", Source: "exact", Moves: values(&a.Moves), Goals: []shownGoal{}}
	if p.Spawn == solve.Random {
		s.P4 = &p.P4
	}
	if best, ok := search.BestMove(&a.Moves); ok {
		s.Move = &best
	}
	for _, g := range a.Goals {
		s.Goals = append(s.Goals, shownGoal{g.Tile, values(&g.Moves), g.Error})
	}
	return s
}

// values returns the values by direction, with nil for moves without a value.
func values(moves *[4]search.MoveValue) map[board.Direction]*float64 {
	all := map[board.Direction]*float64{}
	for d, m := range moves {
		if all[board.Direction(d)] = nil; m.Legal && !math.IsNaN(m.Value) {
			all[board.Direction(d)] = &m.Value
		}
	}
	return all
}

// writeEndings writes the chances of each move in the endings that contain the board.
func writeEndings(w io.Writer, goals []solve.Goal) error {
	for _, g := range goals {
		best, ok := solve.Best(&g.Moves)
		t := table.New(table.Words("move"), table.Number(fmt.Sprintf("P(%d)", g.Tile)), table.Number("loses"))
		for d, m := range g.Moves {
			switch {
			case m.Legal && math.IsNaN(m.Value):
				t.Add(board.Direction(d).String(), "-", "shifts the walls")
			case m.Legal:
				t.Add(board.Direction(d).String(), fmt.Sprintf("%.6f", m.Value), fmt.Sprintf("%.6f", best-m.Value))
			}
		}
		if _, err := fmt.Fprintf(w, "%s, %s\n", g.Rule(), g.Walls); err != nil {
			return err
		}
		if !ok {
			fmt.Fprintln(w, "no move keeps the walls")
		}
		if err := t.Write(w); err != nil {
			return err
		}
	}
	return nil
}

// writeShown writes a table with a row for each legal move.
func writeShown(w io.Writer, a *solve.Answer) error {
	best, ok := solve.Best(&a.Moves)
	if !ok {
		_, err := fmt.Fprintln(w, "no legal move: the game is over")
		return err
	}
	t := table.New(table.Words("move"), table.Number("points to come"), table.Number("loses"))
	for _, g := range a.Goals {
		t.Columns = append(t.Columns, table.Number(fmt.Sprintf("P(%d)", g.Tile)))
	}
	for d, m := range a.Moves {
		if !m.Legal {
			continue
		}
		cells := []string{board.Direction(d).String(), fmt.Sprintf("%.6f", m.Value), fmt.Sprintf("%.6f", best-m.Value)}
		for _, g := range a.Goals {
			cells = append(cells, fmt.Sprintf("%.6f", g.Moves[d].Value))
		}
		t.Add(cells...)
	}
	return t.Write(w)
}
