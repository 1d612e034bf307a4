package arena

import (
	"errors"
	"fmt"
)

// Verify returns an error unless these are all games of the chunk, as a working program plays them: their moves replay
// by the rules with the spawns of the seed, score and tiles are those of the replay, and they end where such games end.
// Whether the chunk's player makes these moves is another question.
func Verify(c *Chunk, games []Recorded) error {
	if len(games) != c.Games {
		return fmt.Errorf("%d games of a chunk of %d", len(games), c.Games)
	}
	for i := range games {
		r := &games[i]
		if r.Seed != c.Setup.Seed || r.Index != c.First+uint64(i) {
			return fmt.Errorf("game %d of seed %d in place of game %d of seed %d", r.Index, r.Seed, c.First+uint64(i), c.Setup.Seed)
		}
		if err := r.verify(c); err != nil {
			return fmt.Errorf("game %d of seed %d: %w", r.Index, r.Seed, err)
		}
	}
	return nil
}

func (r *Recorded) verify(c *Chunk) error {
	if err := r.checkSize(c.Setup); err != nil {
		return err
	}
	g, err := r.Replay(c.Setup)
	if err != nil {
		return err
	}
	b := g.Board()
	switch {
	case r.Sum != b.Sum():
		return fmt.Errorf("its tiles add up to %d, where it had %d", b.Sum(), r.Sum)
	case r.Forfeit.Reason == "" && !b.Terminal() && !c.Setup.Stop.Reached(&b):
		return errors.New("it ended before it was over")
	}
	if g.Undo() {
		if b := g.Board(); c.Setup.Stop.Reached(&b) {
			return fmt.Errorf("it continues after tile %v", c.Setup.Stop)
		}
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
