package arena

import "fmt"

// Verify returns an error unless games are exactly the games of the chunk, in order, and each is valid: its moves
// follow the rules with the spawns of the seed, they lead to its score, largest tile and sum of tiles, and at its end
// the game is over, stopped or forfeited. It does not check that the chunk's player chooses these moves.
func Verify(c *Chunk, games []Recorded) error {
	if len(games) != c.Games {
		return fmt.Errorf("%d games: must be %d, as in the chunk", len(games), c.Games)
	}
	for i := range games {
		r := &games[i]
		if r.Seed != c.Setup.Seed || r.Index != c.First+uint64(i) {
			return fmt.Errorf("game %d of seed %d: must be game %d of seed %d", r.Index, r.Seed, c.First+uint64(i), c.Setup.Seed)
		}
		g, err := r.Replay(c.Setup)
		if err != nil {
			return err
		}
		switch b := g.Board(); {
		case r.Sum != b.Sum():
			return fmt.Errorf("game %d of seed %d: its tiles add up to %d, but the record has %d", r.Index, r.Seed, b.Sum(), r.Sum)
		case r.Forfeit.Reason == "" && !b.Terminal() && !c.Setup.Stop.Reached(&b):
			return fmt.Errorf("game %d of seed %d: its moves end before the game is over", r.Index, r.Seed)
		}
	}
	return nil
}
