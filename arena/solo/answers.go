package solo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"afterstate/arena"
	"afterstate/game/record"
	"afterstate/wire"
)

// List returns the experiments, the newest first, with what other runners have stored until now. The
// methods about one experiment answer from what List and Start have found.
func (r *Runner) List(context.Context) (all []wire.ExperimentInfo, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.refresh(); err != nil {
		return nil, err
	}
	for _, e := range slices.Backward(r.all) {
		all = append(all, e.info())
	}
	return all, nil
}

// Elsewhere returns none: a browser has no workers on other machines.
func (r *Runner) Elsewhere(context.Context) ([]wire.ExperimentElsewhere, error) { return nil, nil }

func (e *kept) info() wire.ExperimentInfo {
	info := wire.ExperimentInfo{Name: e.Name, Size: e.Setup.Size, Players: e.specs(), Games: e.Games, Finished: e.finished(), Running: e.stop != nil}
	if !info.Running && !e.complete() {
		if info.RunningElsewhere = e.elsewhere; !e.elsewhere {
			info.Error = cmp.Or(e.err, stopped)
		}
	}
	return info
}

func (e *kept) specs() (specs []string) {
	for _, p := range e.Players {
		specs = append(specs, p.Spec)
	}
	return specs
}

// Show returns the results of an experiment.
func (r *Runner) Show(_ context.Context, name string) (*wire.Experiment, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.find(name)
	if e == nil {
		return nil, errNone
	}
	s := &e.Setup
	results := &arena.Results{Name: e.Name, Spawn: s.Spawn, Size: s.Size, Seed: s.Seed, Games: e.Games, Until: s.Until}
	for i, p := range e.Players {
		games, _ := outcomes(e.games[i])
		results.Players = append(results.Players, arena.PlayerResults{Name: p.Spec, Foresees: p.Foresees, TimeLimited: p.TimeLimited, Games: games})
	}
	return results.Experiment(e.info()), nil
}

// player returns an experiment and the index of a player by its number.
func (r *Runner) player(name string, number int) (*kept, int, error) {
	e := r.find(name)
	switch {
	case e == nil:
		return nil, 0, errNone
	case number > len(e.Players):
		return nil, 0, fmt.Errorf("%s has no player %d: want 1 to %d", name, number, len(e.Players))
	}
	return e, number - 1, nil
}

// Games returns the games of a player with the highest or lowest scores.
func (r *Runner) Games(_ context.Context, q *wire.FindGames) (*wire.ExperimentGames, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, i, err := r.player(q.Name, q.Player)
	if err != nil {
		return nil, err
	}
	games, _ := outcomes(e.games[i])
	return arena.Extremes(e.Players[i].Spec, games, q.Worst), nil
}

// Record returns a game as a record.
func (r *Runner) Record(_ context.Context, q *wire.FindGame) (*wire.GameRecord, error) {
	r.mu.Lock()
	e, i, err := r.player(q.Name, q.Player)
	var found *arena.Recorded
	if err == nil {
		if at := slices.IndexFunc(e.games[i], func(g arena.Recorded) bool { return g.Index == uint64(q.Game) }); at >= 0 {
			found = &e.games[i][at]
		} else {
			err = fmt.Errorf("game %d of %s has not been played", q.Game, e.Players[i].Spec)
		}
	}
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	text, err := lines(e, i, []arena.Recorded{*found})
	return &wire.GameRecord{Record: text}, err
}

// recordsAtOnce is the number of games in an answer of Records.
const recordsAtOnce = 100

// Records returns the records of a player's next games.
func (r *Runner) Records(_ context.Context, q *wire.FindRecords) (*wire.ExperimentRecords, error) {
	r.mu.Lock()
	e, i, err := r.player(q.Name, q.Player)
	if err != nil {
		r.mu.Unlock()
		return nil, err
	}
	games := slices.Clone(e.games[i])
	r.mu.Unlock()
	slices.SortFunc(games, func(a, b arena.Recorded) int { return cmp.Compare(a.Index, b.Index) })
	games = games[min(q.From, len(games)):]
	next := 0
	if len(games) > recordsAtOnce {
		games, next = games[:recordsAtOnce], q.From+recordsAtOnce
	}
	text, err := lines(e, i, games)
	return &wire.ExperimentRecords{Records: text, Next: next}, err
}

// lines returns games as records.
func lines(e *kept, player int, games []arena.Recorded) (string, error) {
	var text bytes.Buffer
	for i := range games {
		line, err := games[i].Record(e.Setup, e.Players[player].Spec)
		if err != nil {
			return "", err
		}
		if err := record.Write(&text, line); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}

// Report fails: reports are for programs with a store.
func (r *Runner) Report(context.Context, string) (*wire.ExperimentReport, error) {
	return nil, errors.New("a browser writes no reports: want afterstate arena run and afterstate arena report")
}
