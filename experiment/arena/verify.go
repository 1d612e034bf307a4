package arena

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

const (
	// maxForfeitText is the longest reason or detail of a forfeit that a worker may deliver, in bytes.
	maxForfeitText = 4096
	// maxElapsed is the longest time of a game that a worker may deliver. Chunks do not exist for so long.
	maxElapsed = 30 * 24 * time.Hour
	// tileBudget is the number of tiles of a delivery that are chosen again where the rule searches one ply,
	// which takes 2.5 ms on 4x4. A tile takes about 32 times as long with each further ply.
	tileBudget, tileCost = 1024, 32
)

// Verify returns an error unless all games are possible ones of the chunk: their numbers are the
// chunk's, their moves replay by the rules with the spawns of the seed, score and tiles are those of
// the replay, and they end where such games end. Spawns that a search chooses are chosen again by the
// chunk's rule: all where that is cheap, otherwise a random share of them (see tileBudget); none by the
// zero rule. Whether the chunk's player makes these moves is another question; see Inspector.
func Verify(c *Chunk, games []Recorded, rule player.SpawnRule) error {
	if len(games) > c.Games {
		return fmt.Errorf("it delivered %d or more games of a chunk of %d", len(games), c.Games)
	}
	tiles := float64(tileBudget) / float64(max(len(games), 1))
	for range rule.Plies - 1 {
		tiles /= tileCost
	}
	for i := range games {
		if err := verify(c, &games[i], rule, tiles); err != nil {
			return err
		}
	}
	return nil
}

func verify(c *Chunk, r *Recorded, rule player.SpawnRule, tiles float64) error {
	if r.Seed != c.Setup.Seed || r.Index < c.First || r.Index-c.First >= uint64(c.Games) {
		return fmt.Errorf("game %d of seed %d is not among games %d to %d of seed %d", r.Index, r.Seed, c.First, c.First+uint64(c.Games)-1, c.Setup.Seed)
	}
	if err := r.checkSize(c.Setup); err != nil {
		return fmt.Errorf("game %d of seed %d: %w", r.Index, r.Seed, err)
	}
	g, err := r.Replay(c.Setup)
	if err != nil {
		return err
	}
	if rule.Plies > 0 {
		err = sampleTiles(g, rule.New(r.Seed, r.Index), tiles/float64(r.Moves+2))
	}
	if err == nil {
		err = r.plausible(c, g)
	}
	if err != nil {
		return fmt.Errorf("game %d of seed %d: %w", r.Index, r.Seed, err)
	}
	return nil
}

// checkSize returns an error unless the trace has the size that follows from the number of moves. Then the
// memory that a replay takes does, too.
func (r *Recorded) checkSize(s Setup) error {
	moves, tiles, err := r.split()
	if err != nil {
		return err
	}
	want := 0
	if _, random := s.RandomSpawns(); !random {
		if want = r.Moves; s.Starts == nil { // a byte for each tile
			want += 2
		}
	}
	if len(tiles) != want {
		return fmt.Errorf("its record has %d bytes, must be %d", len(r.Trace), len(moves)+want)
	}
	return nil
}

// sampleTiles returns an error if a tile of a game is not the one that the rule chooses. Each tile is
// compared with this probability.
func sampleTiles(g *game.Game, rule game.Spawner, probability float64) error {
	b, from := g.StartBoard()
	if !from {
		now := g.Board()
		b = board.New(now.Size())
	}
	place := func(got game.Spawn) error {
		if rand.Float64() < probability {
			want, err := rule.Spawn(&b)
			if err != nil {
				return err
			}
			if got != want {
				return fmt.Errorf("on board %v its tile is a %d on cell %d, where the spawn rule has a %d on cell %d",
					b, board.Tile(got.Exponent), got.Cell, board.Tile(want.Exponent), want.Cell)
			}
		}
		b.Set(got.Cell, got.Exponent)
		return nil
	}
	for _, tile := range g.Start() {
		if from {
			break
		}
		if err := place(tile); err != nil {
			return err
		}
	}
	for i := range g.Moves() {
		step := g.Step(i)
		b, _, _ = b.Slide(step.Move)
		if err := place(step.Spawn); err != nil {
			return err
		}
	}
	return nil
}

// plausible compares a game with its replay, apart from what Replay compares.
func (r *Recorded) plausible(c *Chunk, g *game.Game) error {
	b := g.Board()
	ended := b.Terminal() || c.Setup.Stop.Reached(&b)
	switch {
	case r.Sum != b.Sum():
		return fmt.Errorf("its tiles add up to %d, where it had %d", b.Sum(), r.Sum)
	case r.Cluster != "" || r.Goal || r.Regret != (Regret{}):
		return errors.New("it has values that games of a store do not have")
	case r.Elapsed < 0 || r.Elapsed > maxElapsed:
		return fmt.Errorf("it took %v, must be from 0 to %v", r.Elapsed, maxElapsed)
	case r.Forfeit.Reason == "" && !ended:
		return errors.New("it ended before it was over")
	case r.Forfeit != (player.Forfeit{}) && !RunsOthers(c.Identity):
		return fmt.Errorf("it was forfeited (%s) by a player that cannot forfeit", console.Short(r.Forfeit.Error(), 60))
	case r.Forfeit.Reason == "" && r.Forfeit.Detail != "":
		return errors.New("it has the detail of a forfeit and no reason")
	case len(r.Forfeit.Reason) > maxForfeitText || len(r.Forfeit.Detail) > maxForfeitText:
		return errors.New("its forfeit has a text that is too long")
	}
	if g.Undo() {
		if b := g.Board(); c.Setup.Stop.Reached(&b) {
			return fmt.Errorf("it continues after tile %v", c.Setup.Stop)
		}
	}
	return nil
}
