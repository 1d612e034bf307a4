package experiment

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/board"
	"afterstate/game/record"
)

// Formats are those that Export writes: a row or an object a game, a record with all moves,
// or start boards ([arena.ReadStarts]).
var Formats = []string{"csv", "jsonl", "records", "boards"}

// ExportOptions configure Export.
type ExportOptions struct {
	Format string // one of Formats
	// Sums are the sums of tiles at which boards are taken, as [arena.BoardsAtSums] does.
	Sums []int64
	// LeftOut, if not nil, is called for each player of whom games are damaged, with how many.
	// These games are left out. nil: the first one is an error.
	LeftOut func(m Member, games int)
}

// Export writes an experiment's games, ordered by player, then game, as they are read. Unlike
// figures they do not come from blocks: an export checks every game and its record.
func Export(ctx context.Context, to io.Writer, s *store.Store, e *arena.Experiment, o ExportOptions) error {
	w := bufio.NewWriter(to)
	all := make([][]arena.Game, len(e.Players)) // for CSV
	for i := range e.Players {
		p, leftOut := &e.Players[i], 0
		for r, err := range s.AllRecorded(ctx, e, p) {
			var damage *arena.Damage
			switch {
			case o.LeftOut != nil && errors.As(err, &damage):
				leftOut += max(1, damage.Kept-damage.Found)
				continue
			case err != nil:
				return err
			case o.Format == "csv":
				all[i] = append(all[i], r.Game)
			case o.Format == "jsonl":
				err = writeGame(w, e, p, r)
			case o.Format == "boards":
				err = writeBoards(w, e, p, r, o.Sums)
			case o.Format == "records":
				err = writeRecord(w, e, p, r)
			default:
				return fmt.Errorf("format %q: want one of %v", o.Format, Formats)
			}
			if err != nil {
				return err
			}
		}
		if leftOut > 0 {
			o.LeftOut(Member{Experiment: e, Player: p}, leftOut)
		}
	}
	if o.Format == "csv" {
		if err := e.Results(all).WriteCSV(w); err != nil {
			return err
		}
	}
	return w.Flush()
}

func writeGame(w io.Writer, e *arena.Experiment, p *arena.Player, r *arena.Recorded) error {
	line := json.NewEncoder(w)
	line.SetEscapeHTML(false)
	return line.Encode(struct {
		ID        string  `json:"id"`
		Player    string  `json:"player"`
		Seed      uint64  `json:"seed"`
		Game      uint64  `json:"game"`
		Score     int64   `json:"score"`
		MaxTile   int64   `json:"max_tile"`
		Moves     int     `json:"moves"`
		ElapsedMS float64 `json:"elapsed_ms"`
		Forfeit   string  `json:"forfeit,omitempty"`
	}{
		gameID(e, p, r), p.Spec, r.Seed, r.Index, r.Score, board.Tile(r.Largest), r.Moves,
		float64(r.Elapsed.Microseconds()) / 1000, r.Forfeit.Error(),
	})
}

// gameID is the text that LookupGame reads.
func gameID(e *arena.Experiment, p *arena.Player, r *arena.Recorded) string {
	return fmt.Sprintf("%s/%d/%d", e.Name, p.Number, r.Index)
}

func writeBoards(w io.Writer, e *arena.Experiment, p *arena.Player, r *arena.Recorded, sums []int64) error {
	g, err := r.Replay(e.Setup)
	if err != nil {
		return fmt.Errorf("%s/%s: %w", e.Name, p.Spec, err)
	}
	for _, b := range arena.BoardsAtSums(g, sums) {
		if _, err := fmt.Fprintln(w, b, gameID(e, p, r)); err != nil {
			return err
		}
	}
	return nil
}

func writeRecord(w io.Writer, e *arena.Experiment, p *arena.Player, r *arena.Recorded) error {
	line, err := r.Record(e.Setup, p.Spec)
	if err != nil {
		return fmt.Errorf("%s/%s: %w", e.Name, p.Spec, err)
	}
	return record.Write(w, line)
}
