package experiment

import (
	"context"
	"iter"
	"runtime"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Store keeps experiments with their games: a *store.Store in a SQLite database, a *solo.Store in a
// browser. It is safe for concurrent use. Several processes may share what it keeps.
type Store interface {
	// Path returns the file of the store. It is unique on a machine.
	Path() string
	Close() error

	// Experiments returns all experiments, newest last; Experiment the one of a name, or an arena.ErrUnknown.
	Experiments(ctx context.Context) ([]arena.Plan, error)
	Experiment(ctx context.Context, name string) (*arena.Plan, error)
	// Create adds an experiment, numbers its players and sets their IDs. A name that is taken is an arena.ErrExists.
	Create(ctx context.Context, e *arena.Plan) error
	// Extend raises the number of games to at least games, and adds players.
	Extend(ctx context.Context, e *arena.Plan, games int, players []arena.Player) error
	// RecordVersion stores that a version of the program plays for a player, unless Player.Played.
	RecordVersion(ctx context.Context, e *arena.Plan, p *arena.Player, version, signature string) error
	// Remove removes an experiment with all its games.
	Remove(ctx context.Context, e *arena.Plan) error
	// UntilRemoved returns a context that ends with the cause arena.ErrRemoved when anybody removes the
	// experiment. Call the returned function to release it.
	UntilRemoved(ctx context.Context, e *arena.Plan) (context.Context, func())

	// Keep stores finished games of a player, all or none, and returns how many of them are new. It fails with
	// arena.ErrRemoved if the experiment was removed.
	Keep(ctx context.Context, e *arena.Plan, p *arena.Player, games []arena.Recorded) (fresh int, err error)
	// Discard removes games, so that they can be played again, and returns how many there were.
	Discard(ctx context.Context, e *arena.Plan, p *arena.Player, games []arena.Range) (removed int, err error)
	// Count returns the number of stored games of each player.
	Count(ctx context.Context, e *arena.Plan) ([]int, error)
	// Games and AllRecorded return a player's games, ascending; Recorded returns one of them, or an
	// arena.ErrUnknown. Damaged games are an arena.DamageError.
	Games(ctx context.Context, e *arena.Plan, p *arena.Player) ([]arena.Outcome, error)
	AllRecorded(ctx context.Context, e *arena.Plan, p *arena.Player) iter.Seq2[*arena.Recorded, error]
	Recorded(ctx context.Context, e *arena.Plan, p *arena.Player, index uint64) (*arena.Recorded, error)
}

// Locker is a Store whose experiments one process at a time plays.
type Locker interface {
	Store
	// Lock lets this process play an experiment until release is called, with all games that were stored
	// before. One that Create has added here is locked already.
	Lock(e *arena.Plan) (release func(), err error)
	// Elsewhere returns why an experiment cannot be played here, if another process played it at the last
	// call of Experiments; else nil.
	Elsewhere(e *arena.Plan) error
}

// Results returns the stored games of an experiment for reports.
func Results(ctx context.Context, s Store, e *arena.Plan) (*arena.Results, error) {
	all := make([][]arena.Outcome, len(e.Players))
	err := workers.Each(ctx, runtime.GOMAXPROCS(0), len(all), func(ctx context.Context, _, i int) (err error) {
		all[i], err = s.Games(ctx, e, &e.Players[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	return e.Results(all), nil
}

// Judged returns Results with all moves judged by exact values, which Setup.CheckExact accepts.
func Judged(ctx context.Context, s Store, e *arena.Plan, table *solve.Table) (*arena.Results, error) {
	all := make([][]arena.Outcome, len(e.Players))
	err := eachGame(ctx, s, e, func(p *arena.Player, r *arena.Recorded) error {
		err := r.Judge(e.Setup, table)
		all[p.Number-1] = append(all[p.Number-1], r.Outcome)
		return err
	})
	if err != nil {
		return nil, err
	}
	results := e.Results(all)
	results.Optimal, err = e.Setup.Optimum(table, results.Games)
	return results, err
}
