package arena

import (
	"errors"
	"fmt"

	"afterstate/board"
	"afterstate/game"
)

// maxForfeitText is the longest reason or detail of a forfeit that a worker may deliver, in bytes.
const maxForfeitText = 4096

// Verify returns an error unless all games are possible ones of the chunk: their numbers are the
// chunk's, their moves replay by the rules with the spawns of the seed, score and tiles are those of
// the replay, and they end where such games end. Whether the chunk's player makes these moves is
// another question; see Inspector.
func Verify(c *Chunk, games []Recorded) error {
	for i := range games {
		if err := verify(c, &games[i]); err != nil {
			return err
		}
	}
	return nil
}

func verify(c *Chunk, r *Recorded) error {
	if r.Seed != c.Setup.Seed || r.Index < c.First || r.Index-c.First >= uint64(c.Games) {
		return fmt.Errorf("game %d of seed %d is not among games %d to %d of seed %d", r.Index, r.Seed, c.First, c.First+uint64(c.Games)-1, c.Setup.Seed)
	}
	g, err := r.Replay(c.Setup)
	if err != nil {
		return err
	}
	if err := r.plausible(c, g); err != nil {
		return fmt.Errorf("game %d of seed %d: %w", r.Index, r.Seed, err)
	}
	return nil
}

// plausible compares a game with its replay, apart from what Replay compares.
func (r *Recorded) plausible(c *Chunk, g *game.Game) error {
	b := g.Board()
	until := untilExponent(c.Setup.Until)
	ended := b.Terminal() || until > 0 && b.Largest() >= until
	_, random := c.Setup.RandomSpawns()
	size := (r.Moves + 3) / 4
	if !random {
		size += 2 + r.Moves // a byte for each tile
	}
	switch {
	case len(r.Trace) != size:
		return fmt.Errorf("its record has %d bytes, want %d", len(r.Trace), size)
	case r.Sum != b.Sum():
		return fmt.Errorf("its tiles add up to %d, where it had %d", b.Sum(), r.Sum)
	case r.Player != 0 || r.Cluster != "" || r.Goal || r.Regret != (Regret{}):
		return errors.New("it has values that games of a store do not have")
	case r.Elapsed < 0:
		return fmt.Errorf("it took %v", r.Elapsed)
	case r.Forfeit.Reason == "" && !ended:
		return errors.New("it ended before it was over")
	case r.Forfeit.Reason != "" && !RunsOthers(c.Identity):
		return fmt.Errorf("it was forfeited (%s) by a player that cannot forfeit", shorten(r.Forfeit.Reason))
	case len(r.Forfeit.Reason) > maxForfeitText || len(r.Forfeit.Detail) > maxForfeitText:
		return errors.New("its forfeit has a text that is too long")
	}
	if until > 0 && g.Undo() {
		if b := g.Board(); b.Largest() >= until {
			return fmt.Errorf("it continues after tile %d", board.Tile(until))
		}
	}
	return nil
}

func shorten(text string) string {
	const most = 60
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
