package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/workers"
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
		{"until", cmp.Or(x.Stop.String(), "0"), cmp.Or(y.Stop.String(), "0")},
	} {
		if c.x != c.y {
			return refuse(NotPairable, "%s and %s cannot be compared game by game: %s is %s in one and %s in the other", a.Experiment.Name, b.Experiment.Name, c.what, c.x, c.y)
		}
	}
	if x.Starts.String() != y.Starts.String() {
		return refuse(NotPairable, "%s and %s cannot be compared game by game: their start boards differ", a.Experiment.Name, b.Experiment.Name)
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
	if unpaired(a, b) {
		c = arena.CompareMeans(games[0], games[1])
	}
	if c.Games == 0 {
		return c, refuse(NotPairable, "%v and %v have finished no game of the same number", a, b)
	}
	c.A, c.B = a.String(), b.String()
	return c, nil
}

// unpaired reports whether the games of two players have no seeds in common.
func unpaired(a, b Member) bool {
	return a.Experiment.Setup.Imported() || b.Experiment.Setup.Imported()
}

// matchChunkTime is the duration of a match's chunks. It is short since games beyond the end of a
// match are wasted.
const matchChunkTime = 300 * time.Millisecond

// Match is a sequential test between two players of an experiment, who play until it decides.
type Match struct {
	*stats.Match
	Players []arena.Player // the two

	experiment *Experiment
}

// Match begins a match between two players, by identity, with their stored games. With accounts, which may be nil, the luck of their
// games counts: see [stats.Match]. The caller gives the accounts to Play, too.
func (x *Experiment) Match(ctx context.Context, a, b string, confidence float64, luck *Accounts) (*Match, error) {
	m := &Match{Match: stats.NewMatch(confidence), experiment: x}
	for i, identity := range []string{a, b} {
		p := x.Player(identity)
		m.Players = append(m.Players, *p)
		games, err := x.withLuck(ctx, p, luck)
		if err != nil {
			return nil, err
		}
		for k := range games {
			m.add(i, &games[k])
		}
	}
	m.Name, m.A, m.B = x.Stored.Name, x.Stored.NameOf(&m.Players[0]), x.Stored.NameOf(&m.Players[1])
	return m, nil
}

// withLuck returns the stored games of a player, and reads their luck unless the accounts are nil.
func (x *Experiment) withLuck(ctx context.Context, p *arena.Player, luck *Accounts) ([]arena.Outcome, error) {
	if luck != nil {
		if p.Foresees {
			return nil, refuse(BadSpec, "%s knows the coming tiles: the luck of its games does not have the mean 0, so it adjusts nothing", x.Stored.NameOf(p))
		}
		_, known, err := luck.of(ctx, p, 0, nil)
		if err != nil {
			return nil, err
		}
		x.luck[p.Identity] = known
	}
	return x.load(ctx, p)
}

// add adds a game of the first player (who 0) or the second (who 1).
func (m *Match) add(who int, g *arena.Outcome) {
	m.Add(who, g.Index, g.Score, m.experiment.luck[m.Players[who].Identity][g.Index])
}

// Play plays until there is a winner or each player has played o.Games.
func (m *Match) Play(ctx context.Context, o PlayOptions) error {
	if m.Winner() != 0 {
		return nil
	}
	observe := o.OnGames
	o.Players, o.ChunkTime = m.Players, matchChunkTime
	o.onResume = func(p *arena.Player, games []arena.Recorded) error {
		if i := slices.IndexFunc(m.Players, func(of arena.Player) bool { return of.Number == p.Number }); i >= 0 {
			for k := range games {
				m.add(i, &games[k].Outcome)
			}
		}
		if m.Winner() != 0 {
			return arena.ErrStop
		}
		return nil
	}
	o.OnGames = func(p *arena.Player, games []arena.Recorded) error {
		stop := o.onResume(p, games)
		if observe != nil {
			if err := observe(p, games); err != nil {
				return err
			}
		}
		return stop
	}
	o.onFalse = func(worker, reason string, games int) error {
		return fmt.Errorf("%s: worker %s delivered a false game (%s); %d of its games had been counted and are removed: begin the match again to play them", m.Name, worker, reason, games)
	}
	return m.experiment.Play(ctx, o)
}
