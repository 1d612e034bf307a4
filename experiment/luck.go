package experiment

import (
	"context"
	"fmt"
	"math"

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

// PlayerLuck has the games of a player with their luck.
type PlayerLuck struct {
	Player *arena.Player
	Games  []GameLuck
}

// GameLuck is a game and what its new tiles changed.
type GameLuck struct {
	arena.Outcome
	Stages [luck.Stages]float64 // sums of luck by the sum of the tiles, in points
}

// luckBatch is the number of games that are read at a time.
const luckBatch = 256

// Luck accounts for the new tiles of stored games of an experiment, player by player. It replays the games here, whoever played them. It
// returns the spec of the player whose values it takes.
func Luck(ctx context.Context, s Store, e *arena.Plan, parse func(spec string) (catalog.Maker, error), o LuckOptions) (spec string, all []PlayerLuck, err error) {
	p4, random := e.Setup.RandomSpawns()
	if !random {
		return "", nil, fmt.Errorf("the new tiles of %s are not random (%s): luck is known for random ones", e.Name, e.Setup.Spawn)
	}
	valuers := make([]*luck.Valuer, o.Workers)
	for i := range valuers {
		if valuers[i], err = luck.New(ctx, parse, e.Setup.Size, p4); err != nil {
			return "", nil, err
		}
		defer valuers[i].Close()
	}
	for i := range e.Players {
		p := PlayerLuck{Player: &e.Players[i]}
		var games []*arena.Recorded
		flush := func() error {
			done := make([]GameLuck, len(games))
			progress := make(chan struct{}, len(games))
			err := workers.Each(ctx, len(valuers), len(games), func(ctx context.Context, worker, i int) (err error) {
				done[i], err = luckOf(ctx, e.Setup, games[i], valuers[worker])
				progress <- struct{}{}
				return err
			})
			if o.Progress != nil {
				o.Progress(len(progress))
			}
			if err == nil {
				p.Games = append(p.Games, done...)
			}
			games = games[:0]
			return err
		}
		for g, err := range s.AllRecorded(ctx, e, p.Player) {
			if err != nil {
				return "", nil, err
			}
			if o.Games > 0 && len(p.Games)+len(games) == o.Games {
				break
			}
			if games = append(games, g); len(games) == luckBatch {
				if err := flush(); err != nil {
					return "", nil, err
				}
			}
		}
		if err := flush(); err != nil {
			return "", nil, err
		}
		all = append(all, p)
	}
	return valuers[0].Spec, all, nil
}

func luckOf(ctx context.Context, s arena.Setup, g *arena.Recorded, v *luck.Valuer) (GameLuck, error) {
	played, err := g.Replay(s)
	if err != nil {
		return GameLuck{}, err
	}
	a, err := v.Account(ctx, played, 0, nil)
	outcome := []arena.Outcome{g.Outcome}
	s.Complete(outcome)
	return GameLuck{outcome[0], a.Stages(s.Size)}, err
}

// LuckTable is the summary of Luck, in the way arena luck --json writes it.
type LuckTable struct {
	Experiment string          `json:"experiment"`
	Goal       string          `json:"goal,omitempty"` // figures are shares of games that reached it, else scores
	Values     string          `json:"values"`         // the spec of the player whose values they are
	Players    []LuckTableLine `json:"players"`
}

// LuckTableLine has the figures of a player's games. Intervals are 95 %.
type LuckTableLine struct {
	Player     string          `json:"player"` // its name, which differs from those of the others
	Spec       string          `json:"spec"`
	Games      int             `json:"games"`
	Mean       Estimate        `json:"mean"`
	Adjusted   Estimate        `json:"adjusted"` // without what luck explains
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
func SumLuck(e *arena.Plan, values string, players []PlayerLuck) LuckTable {
	t := LuckTable{Experiment: e.Name, Values: values, Players: []LuckTableLine{}}
	figure := func(g *GameLuck) float64 { return float64(g.Score) }
	if e.Setup.Goal {
		t.Goal = e.Setup.GoalText()
		figure = func(g *GameLuck) float64 {
			if g.Goal {
				return 1
			}
			return 0
		}
	}
	for i := range players {
		p := &players[i]
		var c controlled
		for k := range p.Games {
			g := &p.Games[k]
			c.add(g, figure(g), g)
		}
		line := LuckTableLine{Player: e.NameOf(p.Player), Spec: p.Player.Spec, Games: len(p.Games)}
		line.Mean, line.Adjusted, line.Factor = c.estimates()
		if i > 0 {
			line.Difference = differenceOf(p.Games, players[0].Games, figure)
		}
		t.Players = append(t.Players, line)
	}
	return t
}

// differenceOf compares the games of the same seed and number. The luck of both games are controls of the difference.
func differenceOf(a, b []GameLuck, figure func(*GameLuck) float64) *LuckDifference {
	type key struct{ seed, index uint64 }
	others := map[key]*GameLuck{}
	for i := range b {
		others[key{b[i].Seed, b[i].Index}] = &b[i]
	}
	var c controlled
	for i := range a {
		x, y := &a[i], others[key{a[i].Seed, a[i].Index}]
		if y != nil {
			c.add(x, figure(x)-figure(y), x, y)
		}
	}
	d := &LuckDifference{Games: len(c.values)}
	d.Mean, d.Adjusted, d.Factor = c.estimates()
	return d
}

// controlled are the values of games with their controls: the luck of each part, or of whole games, which is less to fit.
type controlled struct {
	values        []float64
	stages, whole [][]float64
	groups        []string // games from boards of one parent, else single games
}

// add adds the value of a game, with the games whose luck it depends on.
func (c *controlled) add(g *GameLuck, value float64, on ...*GameLuck) {
	group := g.Cluster
	if group == "" {
		group = fmt.Sprint(g.Seed, " ", g.Index)
	}
	var stages, whole []float64
	for _, of := range on {
		sum := 0.0
		for _, x := range of.Stages {
			sum += x
		}
		stages, whole = append(stages, of.Stages[:]...), append(whole, sum)
	}
	c.values, c.groups = append(c.values, value), append(c.groups, group)
	c.stages, c.whole = append(c.stages, stages), append(c.whole, whole)
}

// estimates are the plain and the adjusted mean, and the ratio of their squared intervals.
func (c *controlled) estimates() (plain, adjusted Estimate, factor stats.Figure) {
	estimate := func(values []float64) Estimate {
		mean, ci := stats.Clustered(values, c.groups)
		return Estimate{stats.Figure(mean), ci}
	}
	plain, adjusted = estimate(c.values), estimate(stats.Adjust(c.values, c.groups, c.whole, c.stages))
	return plain, adjusted, stats.Figure(math.Pow(plain.CI.Half()/adjusted.CI.Half(), 2))
}
