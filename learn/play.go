package learn

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"afterstate/bitboard"
	"afterstate/ntuple"
)

// PlayOptions say which games to play. The zero value of each but Network is a choice
// too.
type PlayOptions struct {
	// Network chooses the moves and is left as it is. Later stages are faster after
	// its Flatten.
	Network *ntuple.Network
	// Seed and game number give the spawns, as in package game.
	Seed uint64
	// Games is how many to play; 0: until the context ends.
	Games uint64
	// Threads play at the same time, 0: one. The games are the same with any number.
	Threads int
	// Done, if any, is told after each game, by one goroutine at a time.
	Done func()
}

// Game is how a game went.
type Game struct {
	Score int64
	Moves int
	Final bitboard.Board // as ntuple.Word lays it out
}

// Play plays by a network alone, one ply and without learning: each move is that of
// the largest reward + value, both float32, and the lowest direction where they are
// equal. It returns the games by their number, fewer than asked for if the context
// ended, which it looks at between games.
func Play(ctx context.Context, o PlayOptions) ([]Game, error) {
	return play(ctx, o, func(*worker) {})
}

var errNoNetwork = errors.New("learn: playing needs a network")

// play tells begin who plays before each game.
func play(ctx context.Context, o PlayOptions, begin func(*worker)) ([]Game, error) {
	if o.Network == nil {
		return nil, errNoNetwork
	}
	threads, err := threadCount(o.Threads)
	if err != nil {
		return nil, err
	}
	var (
		mutex sync.Mutex // of games
		games []Game
		all   sync.WaitGroup
	)
	take := func() (index int, ok bool) {
		mutex.Lock()
		defer mutex.Unlock()
		if ctx.Err() != nil || o.Games > 0 && uint64(len(games)) >= o.Games {
			return 0, false
		}
		games = append(games, Game{})
		return len(games) - 1, true
	}
	for range threads {
		all.Go(func() {
			w := newWorker(o.Network, frozen{})
			for {
				index, ok := take()
				if !ok {
					return
				}
				begin(w)
				w.seed(o.Seed, uint64(index))
				end := w.play(w.fresh())
				mutex.Lock()
				games[index] = Game{Score: end.score, Moves: end.moves, Final: end.final}
				if o.Done != nil {
					o.Done()
				}
				mutex.Unlock()
			}
		})
	}
	all.Wait()
	return games, nil
}

// frozen is the learner of a worker that only plays.
type frozen struct{}

func (frozen) update(*features, float32) {}
func (frozen) prefetch(*features)        {}

// threadCount puts the choice in place of zero and checks it.
func threadCount(n int) (int, error) {
	if n == 0 {
		n = 1
	}
	if n < 0 || n > 1024 {
		return 0, fmt.Errorf("%d threads: want 1 to 1024", n)
	}
	return n, nil
}
