package arena

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/board"
	"afterstate/cli/internal/flags"
	"afterstate/cli/internal/output"
	"afterstate/cli/internal/usage"
	"afterstate/experiment"
	"afterstate/game/record"
)

func newExport() *cobra.Command {
	var db flags.Store
	var out output.Flags
	var skip skipFlag
	var sums []int64
	cmd := &cobra.Command{
		Use:   "export NAME",
		Short: "Write an experiment's games as CSV, JSON lines, records or boards",
		Long: `Write the games of an experiment, ordered by player, then game:

csv      a row a game, as arena --csv does
jsonl    a JSON object a game, with its id, which watch --game takes
records  a record a game with all moves, as watch --record writes, for watch --replay
         and for programs (package afterstate/game/record)
boards   start boards for arena --start: of each game the first board whose tiles have
         the sum of --sum, or each of several sums, with the id of the game as its parent`,
		Example: `afterstate arena export first -o games.csv
afterstate arena export first --format records | head -1 > game.jsonl
afterstate arena export first --format boards --sum 1024,1536 -o starts.txt`,
		Args: usage.Args(1, 1, "the name of an experiment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := out.Choose([]string{"csv", "jsonl", "records", "boards"})
			if err != nil {
				return err
			}
			if (format == "boards") != (len(sums) > 0) {
				return usage.Errorf("export: --format boards and --sum belong together: boards are those at a sum of tiles")
			}
			s, e, err := db.Finding(cmd, args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			return out.Write(cmd, func(w io.Writer) error {
				buffered := bufio.NewWriter(w)
				if err := exportGames(cmd, s, e, format, sums, &skip, buffered); err != nil {
					return err
				}
				return buffered.Flush()
			})
		},
	}
	db.Add(cmd.Flags())
	out.Add(cmd.Flags(), "csv, jsonl, records or boards")
	cmd.Flags().Int64SliceVar(&sums, "sum", nil, "sums of tiles for --format boards")
	skip.add(cmd.Flags())
	return cmd
}

// exportGames writes games as they are read. Unlike figures they do not come from blocks:
// an export checks every game and its record.
func exportGames(cmd *cobra.Command, s *store.Store, e *store.Experiment, format string, sums []int64, skip *skipFlag, w io.Writer) error {
	all := make([][]arena.Game, len(e.Players)) // for CSV
	for i := range e.Players {
		p, leftOut := &e.Players[i], 0
		for r, err := range s.AllRecorded(cmd.Context(), e, p) {
			var damage *store.Damage
			switch {
			case skip.skip && errors.As(err, &damage):
				leftOut += max(1, damage.Kept-damage.Found)
				continue
			case err != nil:
				return skip.hint(err)
			case format == "csv":
				all[i] = append(all[i], r.Game)
			case format == "jsonl":
				err = writeGame(w, e, p, r)
			case format == "boards":
				err = writeBoards(w, e, p, r, sums)
			default:
				err = writeRecord(w, e, p, r)
			}
			if err != nil {
				return err
			}
		}
		tellLeftOut(cmd, experiment.Member{Experiment: e, Player: p}, leftOut)
	}
	if format == "csv" {
		return e.Results(all).WriteCSV(w)
	}
	return nil
}

func writeGame(w io.Writer, e *store.Experiment, p *store.Player, r *arena.Recorded) error {
	forfeit := ""
	if r.Forfeit.Reason != "" {
		forfeit = r.Forfeit.Error()
	}
	return output.JSON(w, struct {
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
		float64(r.Elapsed.Microseconds()) / 1000, forfeit,
	})
}

// gameID is the text that experiment.LookupGame reads.
func gameID(e *store.Experiment, p *store.Player, r *arena.Recorded) string {
	return fmt.Sprintf("%s/%d/%d", e.Name, p.Number, r.Index)
}

func writeBoards(w io.Writer, e *store.Experiment, p *store.Player, r *arena.Recorded, sums []int64) error {
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

func writeRecord(w io.Writer, e *store.Experiment, p *store.Player, r *arena.Recorded) error {
	g, err := r.Replay(e.Setup)
	if err != nil {
		return fmt.Errorf("%s/%s: %w", e.Name, p.Spec, err)
	}
	return record.Write(w, record.Of(g, e.Setup.Meta(r.Index, p.Spec)))
}
