package experiment

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/afterstate2048/afterstate/advice/luck"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// LuckOptions configure Luck.
type LuckOptions struct {
	Games   int // of each player, from the first one on; 0: all
	Workers int // at least 1
	// Progress, if not nil, is called with the number of games that are accounted for, by one goroutine at a time.
	Progress func(games int)
}

// GamesLuck has the games of an experiment with their luck.
type GamesLuck struct {
	Values  string // the spec of the player whose values luck is in
	Hash    string // of these values, see luck.Valuer.Hash: figures of other values do not compare
	Players []PlayerLuck
}

// PlayerLuck has the games of a player with their luck.
type PlayerLuck struct {
	Player *arena.Player
	Games  []GameLuck
}

// GameLuck is a game and what its new tiles changed.
type GameLuck struct {
	arena.Outcome
	Luck float64 // the sum over all new tiles, in points
}

// luckBatch is the number of games that are read at a time.
const luckBatch = 256

// Luck accounts for the new tiles of stored games of an experiment, player by player. It replays the games here, whoever played them.
func Luck(ctx context.Context, s Store, e *arena.Plan, parse func(spec string) (catalog.Maker, error), o LuckOptions) (*GamesLuck, error) {
	p4, random := e.Setup.RandomSpawns()
	if !random {
		return nil, fmt.Errorf("the new tiles of %s are not random (%s): luck is known for random ones", e.Name, e.Setup.Spawn)
	}
	valuers := make([]*luck.Valuer, o.Workers)
	for i := range valuers {
		v, err := luck.New(ctx, parse, e.Setup.Size, p4)
		if err != nil {
			return nil, err
		}
		defer v.Close()
		valuers[i] = v
	}
	all := &GamesLuck{Values: valuers[0].Spec}
	var err error
	if all.Hash, err = valuers[0].Hash(ctx, e.Setup.Size); err != nil {
		return nil, err
	}
	for i := range e.Players {
		p := PlayerLuck{Player: &e.Players[i]}
		var games []*arena.Recorded
		flush := func() error {
			done := make([]GameLuck, len(games))
			var reporting sync.Mutex
			err := workers.Each(ctx, len(valuers), len(games), func(ctx context.Context, worker, i int) (err error) {
				if done[i], err = luckOf(ctx, e.Setup, games[i], valuers[worker]); err == nil && o.Progress != nil {
					reporting.Lock()
					defer reporting.Unlock()
					o.Progress(1)
				}
				return err
			})
			p.Games = append(p.Games, done...)
			games = games[:0]
			return err
		}
		for g, err := range s.AllRecorded(ctx, e, p.Player) {
			if err != nil {
				return nil, err
			}
			if o.Games > 0 && len(p.Games)+len(games) == o.Games {
				break
			}
			if games = append(games, g); len(games) == luckBatch {
				if err := flush(); err != nil {
					return nil, err
				}
			}
		}
		if err := flush(); err != nil {
			return nil, err
		}
		all.Players = append(all.Players, p)
	}
	return all, nil
}

func luckOf(ctx context.Context, s arena.Setup, g *arena.Recorded, v *luck.Valuer) (GameLuck, error) {
	played, err := g.Replay(s)
	if err != nil {
		return GameLuck{}, err
	}
	a, err := v.Account(ctx, played, 0, nil)
	outcome := []arena.Outcome{g.Outcome}
	s.Complete(outcome)
	l := GameLuck{Outcome: outcome[0]}
	for _, x := range a.Luck {
		l.Luck += x
	}
	return l, err
}

// LuckTable is the summary of Luck, in the way arena luck --json writes it.
type LuckTable struct {
	Experiment string          `json:"experiment"`
	Goal       string          `json:"goal,omitempty"` // figures are shares of games that reached it, else scores
	Values     string          `json:"values"`         // the spec of the player whose values they are
	ValuesHash string          `json:"values_hash"`    // figures of other values do not compare
	Players    []LuckTableLine `json:"players"`
}

// LuckTableLine has the figures of a player's games. Intervals are 95 %.
type LuckTableLine struct {
	Player     string          `json:"player"` // its name, which differs from those of the others
	Spec       string          `json:"spec"`
	Games      int             `json:"games"`
	Mean       Estimate        `json:"mean"`
	Adjusted   Estimate        `json:"adjusted"` // without what luck explains; null for a player that knows the coming tiles
	Factor     stats.Figure    `json:"factor"`   // squared ratio of the plain to the adjusted interval: how many times fewer games the adjusted mean needs
	Difference *LuckDifference `json:"difference,omitempty"`
}

// LuckDifference compares a player with the first one, on the games that both have.
type LuckDifference struct {
	Games    int          `json:"games"`
	Mean     Estimate     `json:"mean"`
	Adjusted Estimate     `json:"adjusted"`
	Factor   stats.Figure `json:"factor"`
}

// SumLuck sums up the luck of an experiment's games.
func SumLuck(e *arena.Plan, all *GamesLuck) LuckTable {
	t := LuckTable{Experiment: e.Name, Values: all.Values, ValuesHash: all.Hash, Players: []LuckTableLine{}}
	if e.Setup.Goal {
		t.Goal = e.Setup.GoalText()
	}
	first := &all.Players[0]
	for i := range all.Players {
		p := &all.Players[i]
		c := controlled{goal: e.Setup.Goal, shares: e.Setup.Goal, foreseen: p.Player.Foresees}
		for k := range p.Games {
			c.add(&p.Games[k], nil)
		}
		line := LuckTableLine{Player: e.NameOf(p.Player), Spec: p.Player.Spec, Games: len(p.Games)}
		line.Mean, line.Adjusted, line.Factor = c.estimates()
		if i > 0 {
			line.Difference = differenceOf(p, first, e.Setup.Goal)
		}
		t.Players = append(t.Players, line)
	}
	return t
}

// differenceOf compares the games of the same seed and number. The luck of both games are controls of the difference.
func differenceOf(a, b *PlayerLuck, goal bool) *LuckDifference {
	type key struct{ seed, index uint64 }
	others := map[key]*GameLuck{}
	for i := range b.Games {
		g := &b.Games[i]
		others[key{g.Seed, g.Index}] = g
	}
	c := controlled{goal: goal, foreseen: a.Player.Foresees || b.Player.Foresees}
	for i := range a.Games {
		g := &a.Games[i]
		if other := others[key{g.Seed, g.Index}]; other != nil {
			c.add(g, other)
		}
	}
	d := &LuckDifference{Games: len(c.values)}
	d.Mean, d.Adjusted, d.Factor = c.estimates()
	return d
}

// controlled are the values of games, or differences of two, with their controls: the luck of each game.
type controlled struct {
	goal     bool // values are 1 for games that reached it, else 0; false: scores
	shares   bool // values are such, and no differences of them
	foreseen bool // a player knew the coming tiles, so luck has another mean than 0
	values   []float64
	controls [][]float64
	groups   []string // games from boards of one parent, else single games
	grouped  bool     // there are games of one parent
}

func (c *controlled) value(g *GameLuck) float64 {
	switch {
	case !c.goal:
		return float64(g.Score)
	case g.Goal:
		return 1
	}
	return 0
}

// add adds a game, minus another one unless that is nil.
func (c *controlled) add(g, minus *GameLuck) {
	group := g.Cluster
	c.grouped = c.grouped || group != ""
	if group == "" {
		group = fmt.Sprint(g.Seed, " ", g.Index)
	}
	value, controls := c.value(g), []float64{g.Luck}
	if minus != nil {
		value, controls = value-c.value(minus), append(controls, minus.Luck)
	}
	c.values, c.controls, c.groups = append(c.values, value), append(c.controls, controls), append(c.groups, group)
}

// estimates are the plain and the adjusted mean, and the ratio of their squared intervals. The plain one is that of [arena.Statistics].
func (c *controlled) estimates() (plain, adjusted Estimate, factor stats.Figure) {
	estimate := func(mean float64, ci stats.Interval) Estimate { return Estimate{stats.Figure(mean), ci} }
	plain = estimate(stats.Clustered(c.values, c.groups))
	if c.shares {
		hits, n := make([]bool, len(c.values)), 0
		for i, x := range c.values {
			if hits[i] = x == 1; hits[i] {
				n++
			}
		}
		if plain = estimate(stats.ClusteredShare(hits, c.groups)); !c.grouped {
			plain.CI = stats.Wilson(n, len(hits))
		}
	}
	if c.foreseen || len(c.values) == 0 {
		return plain, Estimate{stats.Figure(math.NaN()), stats.Unknown}, stats.Figure(math.NaN())
	}
	values := stats.Adjust(c.values, c.groups, c.controls)
	if adjusted = estimate(stats.Clustered(values, c.groups)); c.shares {
		adjusted = estimate(stats.AdjustedShare(values, c.groups))
	}
	return plain, adjusted, stats.Figure(math.Pow(plain.CI.Half()/adjusted.CI.Half(), 2))
}
