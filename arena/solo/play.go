package solo

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"afterstate/arena"
	"afterstate/player"
	"afterstate/player/catalog"
)

// Keys of stored values: names have no spaces.
func experimentKey(name string) string { return "experiment " + name }

func batchPrefix(name string) string { return "games " + name + " " }

func batchKey(name string, player int, first uint64) string {
	return fmt.Sprintf("%s%d %d", batchPrefix(name), player, first)
}

func isExperiment(key string) bool { return strings.HasPrefix(key, "experiment ") }

func isBatch(key string) bool { return strings.HasPrefix(key, "games ") }

// play plays the missing games.
func (r *Runner) play(ctx context.Context, e *kept, makers []catalog.Maker) error {
	spawn, err := catalog.ParseSpawner(e.Setup.Spawn, r.o.Capabilities)
	if err != nil {
		return err
	}
	plan := &arena.Plan{Workers: 1}
	numbers := map[string]int{} // of players, by spec
	for i := range makers {
		spec := makers[i].Spec
		numbers[spec] = i
		have, took := r.outcomes(e, i)
		plan.Add(arena.Chunk{Setup: e.Setup, Player: spec, Identity: spec, Version: e.Version}, arena.Gaps(arena.Ranges(have), e.Games), len(have), took)
	}
	q := arena.NewLocalQueue()
	keep := func(c *arena.Chunk, games []arena.Recorded) error { return r.keep(e, numbers[c.Identity], games) }
	s := arena.Scheduler{Queue: q, Plan: plan, Keep: keep}
	return s.RunHere(ctx, arena.Worker{Queue: q, Factory: func(c *arena.Chunk) (arena.PlayerFactory, error) {
		m := makers[numbers[c.Identity]]
		return arena.PlayerFactory{Spawn: spawn, New: func() (player.Player, error) {
			p := m.New()
			if r.o.Wrap != nil {
				p = r.o.Wrap(p)
			}
			return p, nil
		}}, nil
	}}, 1)
}

// outcomes returns a player's games by number, and the time that they took.
func (r *Runner) outcomes(e *kept, player int) (games []arena.Game, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return outcomes(e.games[player])
}

func outcomes(all []arena.Recorded) (games []arena.Game, took time.Duration) {
	for i := range all {
		games = append(games, all[i].Game)
		took += all[i].Elapsed
	}
	slices.SortFunc(games, func(a, b arena.Game) int { return cmp.Compare(a.Index, b.Index) })
	return games, took
}

// keep stores finished games of a player.
func (r *Runner) keep(e *kept, player int, games []arena.Recorded) error {
	if len(games) == 0 {
		return nil
	}
	key := batchKey(e.Name, player, games[0].Index)
	text, err := json.Marshal(batch{e.Name, player, games})
	if err == nil {
		err = r.o.Keeper.Save(key, text, experimentKey(e.Name), e.stored)
	}
	if err != nil {
		return fmt.Errorf("games cannot be stored: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e.add(key, player, games)
	return nil
}
