package experiment

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Formats are those that Export writes: a row a game, a record with all moves, or start boards ([arena.ReadStarts]).
var Formats = []string{"csv", "records", "boards"}

// Export writes an experiment's games in one of the Formats, ordered by player, then game, as they are read.
// boards are taken at sums of tiles, as [arena.BoardsAtSums] does. Every game is checked with its record.
func Export(ctx context.Context, to io.Writer, s Store, e *arena.Plan, format string, sums []int64) error {
	if !slices.Contains(Formats, format) {
		return fmt.Errorf("format %q: must be one of %v", format, Formats)
	}
	w := bufio.NewWriter(to)
	all := make([][]arena.Outcome, len(e.Players)) // for CSV
	err := eachGame(ctx, s, e, func(p *arena.Player, r *arena.Recorded) error {
		switch format {
		case "csv":
			all[p.Number-1] = append(all[p.Number-1], r.Outcome)
			return nil
		case "boards":
			return writeBoards(w, e, p, r, sums)
		}
		line, err := r.Record(e.Setup, p.Spec)
		if err != nil {
			return err
		}
		return record.Write(w, line)
	})
	if err != nil {
		return err
	}
	if format == "csv" {
		if err := e.Results(all).WriteCSV(w); err != nil {
			return err
		}
	}
	return w.Flush()
}

// eachGame calls do with every game, ordered by player, then game.
func eachGame(ctx context.Context, s Store, e *arena.Plan, do func(p *arena.Player, r *arena.Recorded) error) error {
	for i := range e.Players {
		p := &e.Players[i]
		for r, err := range s.AllRecorded(ctx, e, p) {
			if err != nil {
				return err
			}
			if err := do(p, r); err != nil {
				return fmt.Errorf("%s/%s/%d: %w", e.Name, p.Spec, r.Index, err)
			}
		}
	}
	return nil
}

// gameID is the text that LookupGame reads.
func gameID(e *arena.Plan, p *arena.Player, r *arena.Recorded) string {
	return fmt.Sprintf("%s/%d/%d", e.Name, p.Number, r.Index)
}

func writeBoards(w io.Writer, e *arena.Plan, p *arena.Player, r *arena.Recorded, sums []int64) error {
	g, err := r.Replay(e.Setup)
	if err != nil {
		return err
	}
	for _, b := range arena.BoardsAtSums(g, sums) {
		if _, err := fmt.Fprintln(w, b, gameID(e, p, r)); err != nil {
			return err
		}
	}
	return nil
}
