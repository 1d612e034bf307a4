package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/advice/explain"
	"github.com/afterstate2048/afterstate/advice/odds"
	"github.com/afterstate2048/afterstate/cli/internal/live"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
)

// oddsTime is the default time of best --odds without --games.
const oddsTime = 2 * time.Second

// runOdds answers one board after the other; the games of each use all cores.
func runOdds(cmd *cobra.Command, args []string, m *catalog.Maker, f *bestFlags) error {
	o := odds.Options{Games: f.games, Seed: f.seed.Value, P4: f.spawn.P4}
	switch {
	case cmd.Flags().Changed("time"):
		o.Time = f.time
	case f.games == 0:
		o.Time = oddsTime
	}
	var err error
	if o.Tiles, err = oddsTiles(f.odds); err != nil {
		return err
	}
	return f.each(cmd, args, m, 1, func() boardFunc {
		return func(b board.Board, _ bool) (any, func(io.Writer) error, error) { return boardOdds(cmd, m, b, o, f) }
	})
}

// oddsTiles returns the exponents of a list of tiles; nil for next.
func oddsTiles(text string) ([]uint8, error) {
	const most = 16
	if text == "next" {
		return nil, nil
	}
	var tiles []int64
	for _, word := range strings.Split(text, ",") {
		tile, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
		if err != nil {
			return nil, usage.Errorf("--odds: %q is not a tile: want tiles such as 2048,8192, or next", word)
		}
		tiles = append(tiles, tile)
	}
	if len(tiles) > most {
		return nil, usage.Errorf("--odds: %d tiles: want up to %d", len(tiles), most)
	}
	exponents, err := odds.Exponents(tiles)
	if err != nil {
		return nil, usage.Errorf("--odds: %w", err)
	}
	return exponents, nil
}

// boardOdds implements best --odds for one board.
func boardOdds(cmd *cobra.Command, m *catalog.Maker, b board.Board, o odds.Options, f *bestFlags) (any, func(io.Writer) error, error) {
	oracle, err := f.oracle(m, &b)
	if err != nil {
		return nil, nil, err
	}
	p := newOddsProgress(cmd.ErrOrStderr())
	o.Progress = p.show
	answer, err := odds.Ask(cmd.Context(), *m, f.query(&b), oracle, o)
	p.End()
	return answer, func(w io.Writer) error {
		if err := explain.WriteDecision(w, &answer.Decision); err != nil || !answer.Decision.OK {
			return err
		}
		return answer.Write(w)
	}, err
}

// oddsProgress shows the number of games and the best chance so far on a terminal, and nothing elsewhere.
type oddsProgress struct {
	live.Block
	line  string
	start time.Time
}

func newOddsProgress(out io.Writer) *oddsProgress {
	p := &oddsProgress{start: time.Now()}
	p.Attach(out, func(int) []string {
		if p.line == "" {
			return nil
		}
		return []string{fmt.Sprintf("%s, %.1f s", p.line, time.Since(p.start).Seconds())}
	})
	p.KeepDrawing()
	return p
}

// show is called with the odds so far.
func (p *oddsProgress) show(o *odds.Odds) {
	best, ok := o.Best()
	if !ok {
		return
	}
	share, ci, _ := o.Chance(best, o.Goal())
	p.Mutex.Lock()
	defer p.Mutex.Unlock()
	p.line = fmt.Sprintf("%d games after each move, so far %v makes %d in %s %s",
		o.Games, best, board.Tile(o.Goal()), numfmt.Share(share), numfmt.Shares(ci.Low, ci.High))
}
