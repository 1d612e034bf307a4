package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

// The chunks of Run are short, so that players take turns: whenever Run is stopped, about the same games of
// all players are finished and comparable.
const (
	runChunkTime = 50 * time.Millisecond
	runMaxGames  = 64
)

// Run plays an experiment with a [Scheduler] and a [LocalQueue], and keeps the outcomes in memory. observe,
// if not nil, is called for every game, by one goroutine at a time, when the chunk of the game has ended. The
// games of a chunk come in order.
//
// Players take turns of at most 64 games: the player whose next game has the lowest number is next.
// Games that last longer than 50 ms are handed out one by one.
//
// If ctx ends, Run stops within a move of each player and returns the finished games together with
// ctx's error. If a player fails, Run does the same, and the error names the player and the game. A
// forfeit ends only its game. If the options are invalid, the results are nil.
func Run(ctx context.Context, exp RunOptions, observe func(Outcome)) (*Results, error) {
	if err := exp.fill(); err != nil {
		return nil, err
	}
	r := &run{RunOptions: exp, observe: observe, games: make([][]Outcome, len(exp.Players))}
	workers := int(min(int64(exp.Workers), int64(exp.Games)*int64(len(exp.Players))))
	setup := *exp.setup()
	plan := &Planner{ChunkTime: runChunkTime, MaxGames: runMaxGames, Workers: workers}
	for i, e := range exp.Players {
		plan.Add(Chunk{
			Setup: setup, Player: e.Spec, Identity: strconv.Itoa(i), // the index, because a spec may occur twice
		}, []Range{{0, exp.Games}}, 0, 0)
	}
	q := NewLocalQueue()
	s := Scheduler{Queue: q, Plan: plan, Keep: r.keep, MaxAttempts: 1}
	err := s.Run(ctx, Worker{Queue: q, Factory: r.factory}, workers)
	return r.results(), err
}

// run is an experiment being played.
type run struct {
	RunOptions
	observe func(Outcome)
	games   [][]Outcome // by player, in the order of delivery
}

// place returns the index of a chunk's player.
func (*run) place(c *Chunk) int {
	i, _ := strconv.Atoi(c.Identity) // cannot fail: Run sets Identity to the index
	return i
}

func (r *run) factory(c *Chunk) (PlayerFactory, error) {
	return PlayerFactory{New: r.Players[r.place(c)].New, Spawn: r.Spawn, outcomesOnly: r.Exact == nil, exact: r.Exact}, nil
}

func (r *run) keep(c *Chunk, games []Recorded) error {
	at := r.place(c)
	for i := range games {
		r.games[at] = append(r.games[at], games[i].Outcome)
		if r.observe != nil {
			r.observe(games[i].Outcome)
		}
	}
	return nil
}

// results returns the finished games, sorted. Call it after all workers have ended.
func (r *run) results() *Results {
	out := &Results{Setup: *r.setup(), Games: r.Games}
	if r.Spawn.Spec == "random" {
		out.Spawn = ""
	}
	if r.Exact != nil {
		_ = out.JudgedBy(r.Exact) // cannot fail: fill has checked the table
	}
	for i, e := range r.Players {
		slices.SortFunc(r.games[i], func(a, b Outcome) int { return cmp.Compare(a.Index, b.Index) })
		out.Complete(r.games[i])
		out.Players = append(out.Players, PlayerResults{
			Name: e.Spec, Foresees: e.Foresees, TimeLimited: e.TimeLimited, Games: r.games[i],
		})
	}
	return out
}

// RunOptions configures Run. Players and Games are required.
type RunOptions struct {
	// Players holds the makers of the players. Each worker makes each player at most once, and closes it at
	// the end if it is an io.Closer.
	Players []catalog.Maker
	Size    board.Size // zero means 4x4
	Seed    uint64
	Games   int // number of games of each player: games 0 to Games-1 of the seed
	// Starts are the boards from which games begin: game i begins from Starts[i % len(Starts)], with a score
	// of 0. They must have the experiment's size. If Starts is empty, games begin with two spawns.
	Starts []Start
	// Stop is the condition that ends a game; zero means that games are played to the end. If Goal
	// is set, this condition is the goal, and reports give the share of games that reach it.
	Stop game.Stop
	Goal bool
	// Spawn makes the spawner of each game; zero means random spawns with game.P4. Its New is called
	// concurrently.
	Spawn   player.SpawnRule
	Workers int // number of games played concurrently; 0 means GOMAXPROCS
	// Exact is the table of exact values by which every move is judged; nil means that moves are not judged.
	// It must have been solved for Size and Spawn.
	Exact *solve.Table
}

// fill replaces zeros with defaults and checks the options.
func (e *RunOptions) fill() error {
	if len(e.Starts) > 0 && e.Size == (board.Size{}) {
		e.Size = e.Starts[0].Board.Size()
	}
	e.Size = cmp.Or(e.Size, board.Size{Rows: 4, Cols: 4})
	e.Workers = cmp.Or(max(e.Workers, 0), runtime.GOMAXPROCS(0))
	if e.Spawn.New == nil {
		e.Spawn = player.SpawnRule{Spec: "random", Random: true, P4: game.P4, New: func(seed, index uint64) game.Spawner {
			return game.NewRandom(seed, index, game.P4)
		}}
	}
	switch {
	case len(e.Players) == 0:
		return errors.New("no players: must be at least one")
	case !e.Size.Valid():
		return fmt.Errorf("size %v: must be rows and columns from %d to %d", e.Size, board.MinSide, board.MaxSide)
	case e.Games < 1:
		return fmt.Errorf("%d games: must be at least 1", e.Games)
	}
	err := e.setup().Check()
	if err == nil && e.Exact != nil {
		_, err = e.setup().Optimum(e.Exact, e.Games)
	}
	return err
}

func (e *RunOptions) setup() *Setup {
	return &Setup{Size: e.Size, Spawn: e.Spawn.Spec, Seed: e.Seed, Stop: e.Stop, Goal: e.Goal, Starts: NewStarts(e.Starts)}
}
