package experiment

import (
	"cmp"
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/workers"
)

// CheckPairable refuses players whose games have not the same tiles to come.
func CheckPairable(a, b Member) error {
	x, y := a.Experiment.Setup, b.Experiment.Setup
	for _, c := range []struct{ what, x, y string }{
		{"size", x.Size.String(), y.Size.String()},
		{"seed", fmt.Sprint(x.Seed), fmt.Sprint(y.Seed)},
		{"spawn", x.SpawnIdentity, y.SpawnIdentity},
		{"until", cmp.Or(x.Stop.String(), "0"), cmp.Or(y.Stop.String(), "0")},
	} {
		if c.x != c.y {
			return refuse("%s and %s cannot be compared game by game: %s is %s in one and %s in the other", a.Experiment.Name, b.Experiment.Name, c.what, c.x, c.y)
		}
	}
	if x.Starts.String() != y.Starts.String() {
		return refuse("%s and %s cannot be compared game by game: their start boards differ", a.Experiment.Name, b.Experiment.Name)
	}
	return nil
}

// Compare compares two players of a store on the games that both finished.
func Compare(ctx context.Context, s Store, a, b Member) (c arena.Comparison, err error) {
	if err := CheckPairable(a, b); err != nil {
		return c, err
	}
	var games [2][]arena.Outcome
	err = workers.Each(ctx, 2, 2, func(ctx context.Context, _, i int) (err error) {
		of := []Member{a, b}[i]
		games[i], err = s.Games(ctx, of.Experiment, of.Player)
		of.Experiment.Setup.Complete(games[i])
		return err
	})
	if err != nil {
		return c, err
	}
	c = arena.Compare(games[0], games[1])
	if c.Games == 0 {
		return c, refuse("%v and %v have finished no game of the same number", a, b)
	}
	c.A, c.B = a.String(), b.String()
	return c, nil
}

// withLuck returns the stored games of a player, and reads their luck unless the accounts are nil.
func (x *Experiment) withLuck(ctx context.Context, p *arena.Player, luck *Accounts) ([]arena.Outcome, error) {
	if luck != nil {
		if p.Foresees {
			return nil, refuse("%s knows the coming tiles: the luck of its games does not have the mean 0, so it adjusts nothing", x.Stored.NameOf(p))
		}
		_, known, err := luck.of(ctx, p, nil)
		if err != nil {
			return nil, err
		}
		x.luck[p.Identity] = known
	}
	return x.store.Games(ctx, x.Stored, p)
}
