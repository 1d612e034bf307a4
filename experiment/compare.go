package experiment

import (
	"cmp"
	"context"
	"fmt"

	"afterstate/arena"
	"afterstate/arena/store"
)

// CheckPairable refuses players whose games have not the same tiles to come.
func CheckPairable(a, b Member) error {
	x, y := a.Experiment.Setup, b.Experiment.Setup
	if unpaired(a, b) {
		y.Seed, y.SpawnIdentity = x.Seed, x.SpawnIdentity // their means are compared
	}
	for _, c := range []struct{ what, x, y string }{
		{"size", x.Size.String(), y.Size.String()},
		{"seed", fmt.Sprint(x.Seed), fmt.Sprint(y.Seed)},
		{"spawn", x.SpawnIdentity, y.SpawnIdentity},
		{"until", fmt.Sprint(x.Until), fmt.Sprint(y.Until)},
	} {
		if c.x != c.y {
			return refuse(NotPairable, "%s and %s cannot be compared game by game: %s is %s in one and %s in the other", a.Experiment.Name, b.Experiment.Name, c.what, c.x, c.y)
		}
	}
	return nil
}

// Compare compares two players of a store on the games that both finished. Where skipDamaged is
// set damaged games are left out; leftOut is how many of each.
func Compare(ctx context.Context, s *store.Store, a, b Member, skipDamaged bool) (c arena.Comparison, leftOut [2]int, err error) {
	if err := CheckPairable(a, b); err != nil {
		return c, leftOut, err
	}
	var games [2][]arena.Game
	other := make(chan error, 1)
	go func() {
		var err error
		games[1], leftOut[1], err = b.games(ctx, s, skipDamaged)
		other <- err
	}()
	games[0], leftOut[0], err = a.games(ctx, s, skipDamaged)
	if err := cmp.Or(err, <-other); err != nil {
		return c, leftOut, err
	}
	c = arena.Compare(games[0], games[1])
	if unpaired(a, b) {
		c = arena.CompareMeans(games[0], games[1])
	}
	if c.Games == 0 {
		return c, leftOut, refuse(NotPairable, "%v and %v have finished no game of the same number", a, b)
	}
	c.A, c.B, c.Damaged = a.String(), b.String(), leftOut[0]+leftOut[1]
	return c, leftOut, nil
}

// unpaired reports whether the games of two players have no seeds in common.
func unpaired(a, b Member) bool {
	return a.Experiment.Setup.Imported() || b.Experiment.Setup.Imported()
}

// games are those of a player, and how many are left out.
func (m Member) games(ctx context.Context, s *store.Store, skipDamaged bool) (games []arena.Game, leftOut int, err error) {
	if skipDamaged {
		return s.UndamagedGames(ctx, m.Experiment, m.Player)
	}
	games, err = s.Games(ctx, m.Experiment, m.Player)
	return games, 0, err
}
