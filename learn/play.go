package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/rules/board"
)

// PlayOptions configures Play. A zero value selects the default of its field, except in Network.
type PlayOptions struct {
	// Network chooses the moves and is not changed.
	Network *ntuple.Network
	// Seed determines the spawns of each game, together with the game's number, as in package game.
	Seed uint64
	// Games is the number of games; 0: Play plays until its context ends. If Moves is not 0, no
	// further game starts once all games together have Moves moves; with several threads, the
	// number of games then varies.
	Games, Moves uint64
	// Threads is the number of games played in parallel; 0 means one. Each game is the same for any number.
	Threads int
	// Done, if not nil, is called after each game, by one goroutine at a time.
	Done func()
}

// Outcome is the result of one game.
type Outcome struct {
	Score  int64
	Moves  int
	Final  board.Board
	errors float64 // in training: sum of the absolute errors of all updates
	from   uint64  // in training: lower bound of the first board's tile sum; 0 if the game started from an empty board
}

// Play plays games greedily (one ply): it makes the move with the largest reward + value, computed in
// float32, and breaks ties by the lowest direction. It returns the outcomes in the order of the games.
// Play checks ctx between games; if ctx ends early, Play returns fewer outcomes, without an error.
func Play(ctx context.Context, o PlayOptions) ([]Outcome, error) {
	return play(ctx, o, func(*learning) {})
}

var errNoNetwork = errors.New("learn: playing needs a network")

// play does what Play does, and calls begin with the player's state before each game.
func play(ctx context.Context, o PlayOptions, begin func(*learning)) ([]Outcome, error) {
	if o.Network == nil {
		return nil, errNoNetwork
	}
	threads := cmp.Or(o.Threads, 1)
	if threads < 0 || threads > MaxThreads {
		return nil, fmt.Errorf("%d threads: must be from 1 to %d", threads, MaxThreads)
	}
	var (
		mutex sync.Mutex // protects games and moves
		games []Outcome
		moves uint64
	)
	take := func() (index int, ok bool) {
		mutex.Lock()
		defer mutex.Unlock()
		if ctx.Err() != nil || o.Games > 0 && uint64(len(games)) >= o.Games || o.Moves > 0 && moves >= o.Moves {
			return 0, false
		}
		games = append(games, Outcome{})
		return len(games) - 1, true
	}
	workers.Run(threads, func(int) {
		w := newPlayer(o.Network, frozen{})
		for index, ok := take(); ok; index, ok = take() {
			begin(w.common())
			w.seed(o.Seed, uint64(index))
			x := w.playFresh()
			mutex.Lock()
			moves += uint64(x.Moves)
			games[index] = x
			if o.Done != nil {
				o.Done()
			}
			mutex.Unlock()
		}
	})
	return games, nil
}

// frozen is a learner that ignores updates.
type frozen struct{}

func (frozen) update(*features, float32) float32 { return 0 }
func (frozen) prefetch(*features)                {}

// Visits plays as Play does and counts how often each weight is read. It samples every fourth move
// and counts the weights of all its afterstates. The result has one list of counts per stage, in
// the order of the tables (see [ntuple.Layout.Begins]). Package quant uses the counts to decide
// which weights need precision. A count takes four bytes. If ctx ends early, Visits returns the
// counts so far and the error of ctx.
func Visits(ctx context.Context, o PlayOptions) ([][]uint32, error) {
	const every = 4
	n := o.Network
	if n == nil {
		return nil, errNoNetwork
	}
	counts := make([][]uint32, n.StageCount())
	for i := range counts {
		counts[i] = make([]uint32, n.Entries())
	}
	begins, _ := n.Begins()
	// watch starts counting for a new game.
	watch := func(w *learning) {
		moves := 0
		w.looked = func(b *ntuple.Batch) {
			if moves++; moves%every != 0 {
				return
			}
			for k := range b.N {
				counted := counts[b.Stages[k]]
				for p, at := range b.At[k] {
					for _, i := range at {
						atomic.AddUint32(&counted[begins[p]+int(i)], 1)
					}
				}
			}
		}
	}
	games, err := play(ctx, o, watch)
	if err == nil && uint64(len(games)) < o.Games && o.Moves == 0 {
		err = ctx.Err()
	}
	return counts, err
}
