package experiment

import (
	"context"
	"fmt"
	"maps"
	"math"
	"sync"

	"github.com/afterstate2048/afterstate/advice/luck"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// LuckStore is a Store that keeps the luck of games beside them.
type LuckStore interface {
	Store
	// KeepLuck stores the luck of games by their numbers, in points, in values of this hash.
	KeepLuck(ctx context.Context, e *arena.Plan, p *arena.Player, valuesHash string, luck map[uint64]float64) error
	// Luck returns what KeepLuck has stored.
	Luck(ctx context.Context, e *arena.Plan, p *arena.Player, valuesHash string) (map[uint64]float64, error)
}

// Accounts account for the new tiles of an experiment's games, and keep the luck of each game in the store. Games are replayed here,
// whoever played them. Accounts are for one goroutine at a time.
type Accounts struct {
	Values string // the spec of the player whose values luck is in
	Hash   string // of these values, see luck.Valuer.Hash: figures of other values do not compare

	store   LuckStore
	plan    *arena.Plan
	valuers []*luck.Valuer // one for each thread
}

// OpenAccounts opens the accounts of an experiment, for this number of threads. It fails if its new tiles are not random, or if nothing
// values boards of its size in points. parse is catalog.Parse with the caller's capabilities.
func OpenAccounts(ctx context.Context, s LuckStore, e *arena.Plan, parse func(spec string) (catalog.Maker, error), threads int) (_ *Accounts, err error) {
	p4, random := e.Setup.RandomSpawns()
	if !random {
		return nil, fmt.Errorf("the new tiles of %s are not random (%s): luck is known for random ones", e.Name, e.Setup.Spawn)
	}
	a := &Accounts{store: s, plan: e}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	for range threads {
		v, err := luck.New(ctx, parse, e.Setup.Size, p4)
		if err != nil {
			return nil, err
		}
		a.valuers = append(a.valuers, v)
	}
	a.Values = a.valuers[0].Spec
	a.Hash, err = a.valuers[0].Hash(ctx, e.Setup.Size)
	return a, err
}

// Close closes the players that value boards. It does nothing for nil.
func (a *Accounts) Close() {
	if a == nil {
		return
	}
	for _, v := range a.valuers {
		v.Close()
	}
}

// account computes the luck of games of a player, stores it and adds it to known. progress, if not nil, is called after each game, by one
// goroutine at a time.
func (a *Accounts) account(ctx context.Context, p *arena.Player, games []*arena.Recorded, known map[uint64]float64, progress func(games int)) error {
	done := map[uint64]float64{}
	var mu sync.Mutex
	err := workers.Each(ctx, len(a.valuers), len(games), func(ctx context.Context, worker, i int) error {
		x, err := a.luckOf(ctx, games[i], a.valuers[worker])
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if done[games[i].Index] = x; progress != nil {
			progress(1)
		}
		return nil
	})
	// What is computed is kept also while the program is being stopped.
	if kept := a.store.KeepLuck(context.WithoutCancel(ctx), a.plan, p, a.Hash, done); err == nil {
		err = kept
	}
	maps.Copy(known, done)
	return err
}

func (a *Accounts) luckOf(ctx context.Context, g *arena.Recorded, v *luck.Valuer) (sum float64, err error) {
	played, err := g.Replay(a.plan.Setup)
	if err != nil {
		return 0, err
	}
	account, err := v.Account(ctx, played, 0, nil)
	for _, x := range account.Luck {
		sum += x
	}
	return sum, err
}

// luckBatch is the number of games whose luck is stored at a time.
const luckBatch = 64

// of returns the first games of a player, all if games is 0, and the luck of games by their numbers. What is not stored yet is computed
// and stored.
func (a *Accounts) of(ctx context.Context, p *arena.Player, games int, progress func(games int)) (kept []arena.Outcome, known map[uint64]float64, err error) {
	if known, err = a.store.Luck(ctx, a.plan, p, a.Hash); err != nil {
		return nil, nil, err
	}
	if kept, err = a.store.Games(ctx, a.plan, p); err != nil {
		return nil, nil, err
	}
	if games > 0 {
		kept = kept[:min(games, len(kept))]
	}
	wanted := map[uint64]bool{}
	for i := range kept {
		if _, have := known[kept[i].Index]; !have {
			wanted[kept[i].Index] = true
		}
	}
	if found := len(kept) - len(wanted); progress != nil && found > 0 {
		progress(found)
	}
	if len(wanted) == 0 {
		return kept, known, nil
	}
	var batch []*arena.Recorded
	for g, err := range a.store.AllRecorded(ctx, a.plan, p) {
		if err != nil {
			return nil, nil, err
		}
		if !wanted[g.Index] {
			continue
		}
		if batch = append(batch, g); len(batch) == luckBatch {
			if err := a.account(ctx, p, batch, known, progress); err != nil {
				return nil, nil, err
			}
			batch = batch[:0]
		}
	}
	return kept, known, a.account(ctx, p, batch, known, progress)
}

// GamesLuck has the games of an experiment with their luck.
type GamesLuck struct {
	Values, Hash string // see Accounts
	Players      []PlayerLuck
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

// Games returns the first games of each player with their luck, all if games is 0. What is not stored yet is computed and stored.
// progress, if not nil, is called with numbers of games that are accounted for, by one goroutine at a time.
func (a *Accounts) Games(ctx context.Context, games int, progress func(games int)) (*GamesLuck, error) {
	all := &GamesLuck{Values: a.Values, Hash: a.Hash}
	for i := range a.plan.Players {
		p, err := a.player(ctx, &a.plan.Players[i], games, progress)
		if err != nil {
			return nil, err
		}
		all.Players = append(all.Players, *p)
	}
	return all, nil
}

func (a *Accounts) player(ctx context.Context, p *arena.Player, games int, progress func(games int)) (*PlayerLuck, error) {
	kept, known, err := a.of(ctx, p, games, progress)
	if err != nil {
		return nil, err
	}
	a.plan.Setup.Complete(kept)
	with := &PlayerLuck{Player: p}
	for _, o := range kept {
		if x, have := known[o.Index]; have { // one that is damaged has none
			with.Games = append(with.Games, GameLuck{o, x})
		}
	}
	return with, nil
}

// AdjustComparison adjusts the comparison of two players for the luck of their games, on the games that both have. open opens the accounts
// of an experiment.
func AdjustComparison(ctx context.Context, c *arena.Comparison, a, b Member, open func(e *arena.Plan) (*Accounts, error)) error {
	if unpaired(a, b) {
		return refuse(NotPairable, "imported games have no seeds, so they have no luck to adjust for")
	}
	var with [2]*PlayerLuck
	d := &arena.AdjustedDifference{}
	for i, m := range []Member{a, b} {
		if m.Player.Foresees {
			return refuse(NotPairable, "%v knows the coming tiles: the luck of its games does not have the mean 0, so it adjusts nothing", m)
		}
		accounts, err := open(m.Experiment)
		if err != nil {
			return err
		}
		with[i], err = accounts.player(ctx, m.Player, 0, nil)
		d.Values, d.ValuesHash = accounts.Values, accounts.Hash
		accounts.Close()
		if err != nil {
			return err
		}
	}
	adjusted := differenceOf(with[0], with[1], false)
	d.Difference, d.CI, d.Factor = adjusted.Adjusted.Value, adjusted.Adjusted.CI, adjusted.Factor
	c.Adjust(d)
	return nil
}

// LuckTable is the summary of games with their luck, in the way arena luck --json writes it.
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
