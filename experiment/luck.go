//go:build !js

package experiment

import (
	"cmp"
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
	"github.com/afterstate2048/afterstate/protocol"
)

// LuckStore is a Store that also stores the luck of games. The luck of a game is the part of its score that
// its new tiles contributed; see package luck.
type LuckStore interface {
	Store
	// KeepLuck stores the luck of games, by game number. valuesHash is the hash of the values by which it was measured.
	KeepLuck(ctx context.Context, e *arena.Plan, p *arena.Player, valuesHash string, luck map[uint64]float64) error
	// LuckValues returns the hash of the values by which most of the stored luck was measured; "" if no luck
	// is stored. Luck returns the luck that KeepLuck has stored for a player and a hash, by game number.
	LuckValues(ctx context.Context, e *arena.Plan) (string, error)
	Luck(ctx context.Context, e *arena.Plan, p *arena.Player, valuesHash string) (map[uint64]float64, error)
}

// Accounts computes the luck of an experiment's games and stores it. It replays the games in this process, even if they
// were played on other machines. It is not safe for concurrent use.
type Accounts struct {
	Values string // the spec of the player by whose values luck is measured
	Hash   string // hash of these values (luck.Valuer.Hash); only luck with equal hashes is comparable

	store   LuckStore
	plan    *arena.Plan
	valuers []*luck.Valuer // one for each thread
}

// OpenAccounts opens the accounts of an experiment; threads is the number of threads that compute luck. It
// fails if the experiment's spawns are not random, or if the network that values 4x4 boards is missing. parse
// is catalog.Parse with the caller's capabilities.
func OpenAccounts(ctx context.Context, s LuckStore, e *arena.Plan, parse func(spec string) (catalog.Maker, error), threads int) (_ *Accounts, err error) {
	p4, random := e.Setup.RandomSpawns()
	if !random {
		return nil, fmt.Errorf("the new tiles of %s are not random (%s): luck is defined only for random tiles", e.Name, e.Setup.Spawn)
	}
	a := &Accounts{store: s, plan: e}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	for range threads {
		v, err := luck.NewControl(ctx, parse, e.Setup.Size, p4)
		if err != nil {
			return nil, err
		}
		a.valuers = append(a.valuers, v)
	}
	a.Values = a.valuers[0].Spec
	a.Hash, err = a.valuers[0].Hash(ctx, e.Setup.Size)
	return a, err
}

// Close closes the players that value boards.
func (a *Accounts) Close() {
	for _, v := range a.valuers {
		v.Close()
	}
}

// account computes the luck of some games of a player, stores it and adds it to known. progress, if not nil,
// is called after each game, by one goroutine at a time.
func (a *Accounts) account(ctx context.Context, p *arena.Player, games []arena.Recorded, known map[uint64]float64, progress func(games int)) error {
	done := map[uint64]float64{}
	var mu sync.Mutex
	err := workers.Each(ctx, len(a.valuers), len(games), func(ctx context.Context, worker, i int) error {
		x, err := a.luckOf(ctx, &games[i], a.valuers[worker])
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
	// Computed luck is stored even while the program is being stopped.
	if errKeep := a.store.KeepLuck(context.WithoutCancel(ctx), a.plan, p, a.Hash, done); err == nil {
		err = errKeep
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

// luckBatch is the number of games whose luck is stored together.
const luckBatch = 64

// of returns the luck of a player's games, by game number. It computes and stores the luck that is
// not stored yet. It fails if a game cannot be replayed. For progress see Add.
func (a *Accounts) of(ctx context.Context, p *arena.Player, progress func(games int)) (known map[uint64]float64, err error) {
	if known, err = a.store.Luck(ctx, a.plan, p, a.Hash); err != nil {
		return nil, err
	}
	played, err := a.store.Games(ctx, a.plan, p)
	if err != nil {
		return nil, err
	}
	missing := map[uint64]bool{}
	for i := range played {
		if _, have := known[played[i].Index]; !have {
			missing[played[i].Index] = true
		}
	}
	if found := len(played) - len(missing); progress != nil && found > 0 {
		progress(found)
	}
	if len(missing) == 0 {
		return known, nil
	}
	var batch []arena.Recorded
	for g, err := range a.store.AllRecorded(ctx, a.plan, p) {
		if err != nil {
			return nil, err
		}
		if !missing[g.Index] {
			continue
		}
		if batch = append(batch, *g); len(batch) == luckBatch {
			if err := a.account(ctx, p, batch, known, progress); err != nil {
				return nil, err
			}
			batch = batch[:0]
		}
	}
	return known, a.account(ctx, p, batch, known, progress)
}

// Add adds the luck of all games to the results of the experiment, as addLuck does. It computes and stores the luck
// that is not stored yet. progress, if not nil, is called with the number of games accounted for since the last call,
// by one goroutine at a time.
func (a *Accounts) Add(ctx context.Context, r *arena.Results, progress func(games int)) (err error) {
	for i := range r.Players {
		if r.Players[i].Luck, err = a.of(ctx, &a.plan.Players[i], progress); err != nil {
			return err
		}
	}
	SumLuck(r, a.Values, a.Hash)
	return nil
}

// addLuck adds the stored luck to the results of an experiment, and calls SumLuck. It computes no luck: if
// none is stored, the results do not change.
func addLuck(ctx context.Context, s Store, e *arena.Plan, r *arena.Results) error {
	keeper, ok := s.(LuckStore)
	if !ok {
		return nil
	}
	hash, err := keeper.LuckValues(ctx, e)
	if err != nil || hash == "" {
		return err
	}
	for i := range r.Players {
		if r.Players[i].Luck, err = keeper.Luck(ctx, e, &e.Players[i], hash); err != nil {
			return err
		}
	}
	SumLuck(r, "", hash)
	return nil
}

// SumLuck computes means and differences adjusted for luck from the luck of the games, and sets Results.Luck.
// values is the spec of the player by whose values luck was measured, "" if unknown; hash is the hash of
// these values.
func SumLuck(r *arena.Results, values, hash string) *protocol.LuckTable {
	t := &protocol.LuckTable{Experiment: r.Name, Goal: r.GoalText(), Values: values, ValuesHash: hash, Players: []protocol.LuckLine{}}
	for i, s := range r.Statistics().Players {
		p := &r.Players[i]
		c := controlled{goal: r.Goal, unadjusted: p.Foresees}
		for k := range p.Games {
			c.add(p, &p.Games[k], nil, nil)
		}
		line := protocol.LuckLine{Player: p.Name, Spec: cmp.Or(p.Spec, p.Name), Games: len(p.Games), Mean: protocol.Estimate{Value: s.MeanScore, CI: s.MeanCI}}
		if r.Goal {
			line.Mean = protocol.Estimate{Value: s.Goal.Share, CI: s.Goal.CI}
		}
		line.Adjusted, line.Factor = c.adjusted(line.Mean)
		t.Players = append(t.Players, line)
	}
	r.Luck = t
	return t
}

// Compared compares two players, given by their indices, as r.Compare does. It adjusts the comparison for
// luck if the luck of all their games is known and the experiment has no goal. For each pair of games, the
// luck of each of the two games is a control variate of the difference of their scores.
func Compared(r *arena.Results, a, b int) *arena.Comparison {
	compared := r.Compare(a, b)
	if r.Luck == nil || r.Goal {
		return &compared
	}
	x, y := &r.Players[a], &r.Players[b]
	c := controlled{unadjusted: x.Foresees || y.Foresees}
	for g, other := range arena.Pairs(x.Games, y.Games) {
		c.add(x, g, y, other)
	}
	adjusted, factor := c.adjusted(protocol.Estimate{Value: compared.Difference, CI: compared.CI})
	if adjusted.CI.Known() {
		compared.Adjust(&arena.AdjustedDifference{Difference: adjusted.Value, CI: adjusted.CI, Factor: factor})
	}
	return &compared
}

// controlled holds the values of games, or of differences between two games, with their control variates: the
// luck of these games.
type controlled struct {
	goal       bool // values are 1 for games that reached the goal, else 0; if false, values are scores
	unadjusted bool // the luck of a game is unknown, or its mean is not 0 because a player foresees spawns
	values     []float64
	controls   [][]float64
	groups     []string // group of each value: games from boards of one parent form a group, other games one each
}

func (c *controlled) value(g *arena.Outcome) float64 {
	switch {
	case !c.goal:
		return float64(g.Score)
	case g.Goal:
		return 1
	}
	return 0
}

// add adds the value of game g of player p or, if minus is not nil, the difference between g and minus, a game of
// player other.
func (c *controlled) add(p *arena.PlayerResults, g *arena.Outcome, other *arena.PlayerResults, minus *arena.Outcome) {
	group := g.Cluster
	if group == "" {
		group = fmt.Sprint(g.Seed, " ", g.Index)
	}
	luck, known := p.Luck[g.Index]
	value, controls := c.value(g), []float64{luck}
	if minus != nil {
		luck, both := other.Luck[minus.Index]
		value, controls, known = value-c.value(minus), append(controls, luck), known && both
	}
	c.unadjusted = c.unadjusted || !known
	c.values, c.controls, c.groups = append(c.values, value), append(c.controls, controls), append(c.groups, group)
}

// adjusted returns the mean adjusted for luck, and the squared ratio of the width of the plain interval to
// the width of the adjusted one. Both are NaN if the mean cannot be adjusted.
func (c *controlled) adjusted(plain protocol.Estimate) (adjusted protocol.Estimate, factor stats.Figure) {
	if c.unadjusted || len(c.values) == 0 {
		return protocol.Estimate{Value: stats.Figure(math.NaN()), CI: stats.Unknown}, stats.Figure(math.NaN())
	}
	values := stats.Adjust(c.values, c.groups, c.controls)
	mean, ci := stats.Clustered(values, c.groups)
	if c.goal {
		mean, ci = stats.AdjustedShare(values, c.groups)
	}
	return protocol.Estimate{Value: stats.Figure(mean), CI: ci}, stats.Factor(plain.CI, ci)
}
