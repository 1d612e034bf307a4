// Package tasks is a benchmark that anybody can enter: sets of games with fixed seeds and start boards, and a check of the games that
// somebody submits.
//
//	check := tasks.NewCheck()
//	for g, err := range formats.Read(file, nil) {
//		err = check.Add(&g.Record)
//	}
//	results, err := check.Results(nil)
//
// # What is checked
//
// The tiles of a record follow from its seed and number, so a replay proves the score: each move is legal, and no tile is chosen. A
// submission has every game of a task once, each to its end, so games cannot be left out. What a replay cannot prove is who chose the
// moves, how long it took, and that the player did not know the coming tiles: whoever knows a seed can compute them. Compare players of
// unknown origin on a seed that is drawn after they are submitted (arena).
package tasks

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Task is a set of games: those of Setup with the numbers 0 to Games-1.
type Task struct {
	Name  string
	About string // what it measures, and the flags of arena run that play it
	Setup arena.Setup
	Games int
	// Regret is set if moves are judged by exact values, where they are solved.
	Regret bool
}

// seed is that of all tasks.
const seed = 20480

// tries is the number of games from each board of an ending.
const tries = 4

// All returns the tasks.
func All() ([]Task, error) {
	random := func(size board.Size) arena.Setup {
		return arena.Setup{Size: size, Spawn: record.Random, SpawnIdentity: record.Random, Seed: seed}
	}
	all := []Task{
		{"3x3", fmt.Sprintf("mean score and regret: --size 3x3 --games 1000 --seed %d", seed), random(board.Size{Rows: 3, Cols: 3}), 1000, true},
		{"4x4", fmt.Sprintf("mean score and tiles: --games 100 --seed %d", seed), random(board.Size{Rows: 4, Cols: 4}), 100, false},
	}
	for _, name := range stages.Endings() {
		boards, goal, err := stages.Load("ending:"+name, nil)
		if err != nil {
			return nil, err
		}
		setup := random(boards[0].Board.Size())
		setup.Starts, setup.Stop, setup.Goal = arena.NewStarts(boards), goal, true
		about := fmt.Sprintf("share of games that reach a %v: --start ending:%s --tries %d --seed %d", goal, name, tries, seed)
		all = append(all, Task{"ending:" + name, about, setup, tries * len(boards), false})
	}
	return all, nil
}

// of returns the task that a record belongs to. A board may be in two sets, with different numbers.
func of(all []Task, r *record.Record) (*Task, error) {
	var near *Task // the board is another game's
	for i := range all {
		t := &all[i]
		if r.Board.Size() != t.Setup.Size || (t.Setup.Starts == nil) != (r.Start.Size() == board.Size{}) {
			continue
		}
		if t.Setup.Starts == nil || t.Setup.Starts.Of(r.Game).Board == r.Start {
			return t, nil
		}
		if slices.ContainsFunc(t.Setup.Starts.Boards, func(s arena.Start) bool { return s.Board == r.Start }) {
			near = t
		}
	}
	if near != nil {
		return near, nil
	}
	from := ""
	if r.Start.Size() != (board.Size{}) {
		from = fmt.Sprintf(" from %v", r.Start)
	}
	return nil, fmt.Errorf("a game on %v%s belongs to no task: must be one of %s", r.Board.Size(), from, strings.Join(each.Of(all, func(t Task) string { return t.Name }), ", "))
}

// Check checks the games of players, of any tasks. The zero value is not valid: see NewCheck.
type Check struct {
	tasks   []Task
	players map[string][]*submission // by task, in the order of their first games
}

// submission has the games of a player for a task.
type submission struct {
	player string
	games  []arena.Recorded
	have   map[uint64]bool
}

// NewCheck returns a check without games.
func NewCheck() (*Check, error) {
	all, err := All()
	return &Check{tasks: all, players: map[string][]*submission{}}, err
}

// Add replays a game and adds it to its task. An error says which game it is and what is wrong with it.
func (c *Check) Add(r *record.Record) error {
	t, err := of(c.tasks, r)
	if err != nil {
		return err
	}
	refuse := func(format string, words ...any) error {
		return fmt.Errorf("game %d of %s, task %s: %w", r.Game, r.Player, t.Name, fmt.Errorf(format, words...))
	}
	switch {
	case r.Spawn != record.Random || r.P4 != game.P4:
		return refuse("its tiles do not follow from a seed with a 4 in %v of all tiles, so they prove nothing", game.P4)
	case r.Seed != seed:
		return refuse("seed %d: must be %d", r.Seed, seed)
	case r.Game >= uint64(t.Games):
		return refuse("must be games 0 to %d", t.Games-1)
	}
	if s := t.Setup.Starts; s != nil && s.Of(r.Game).Board != r.Start {
		return refuse("it begins from %v: must be %v", r.Start, s.Of(r.Game).Board)
	}
	g, err := r.Replay()
	if err != nil {
		return refuse("%w", err)
	}
	b := g.Board()
	if !g.Over() && !(t.Setup.Goal && t.Setup.Stop.Reached(&b)) {
		return refuse("it is not over after %d moves: must be played to its end", g.Moves())
	}
	for _, s := range c.players[t.Name] {
		if s.player == r.Player {
			return s.add(r, &b, refuse)
		}
	}
	s := &submission{player: r.Player, have: map[uint64]bool{}}
	c.players[t.Name] = append(c.players[t.Name], s)
	return s.add(r, &b, refuse)
}

func (s *submission) add(r *record.Record, b *board.Board, refuse func(string, ...any) error) error {
	if s.have[r.Game] {
		return refuse("there are two of it")
	}
	s.have[r.Game] = true
	s.games = append(s.games, arena.Recorded{
		Outcome: arena.Outcome{Seed: r.Seed, Index: r.Game, Score: r.Score, Largest: b.Largest(), Moves: len(r.Moves), Sum: b.Sum()},
		Trace:   record.PackMoves(r.Moves),
	})
	return nil
}

// Result is what all players made of a task.
type Result struct {
	Task    Task
	Results *arena.Results
	// Missing are the games that players lack, by name: they have no result.
	Missing map[string][]uint64
}

// Results returns the results of all tasks that have games. exact returns the exact values of a task with Regret, nil if it is not to
// be judged; exact itself may be nil.
func (c *Check) Results(exact func(t *Task) (*solve.Table, error)) (all []Result, err error) {
	for i := range c.tasks {
		t := &c.tasks[i]
		if len(c.players[t.Name]) == 0 {
			continue
		}
		result := Result{Task: *t, Missing: map[string][]uint64{}}
		var table *solve.Table
		if exact != nil && t.Regret {
			if table, err = exact(t); err != nil {
				return nil, err
			}
		}
		plan := arena.Plan{Name: t.Name, Setup: t.Setup, Games: t.Games}
		var outcomes [][]arena.Outcome
		for _, s := range c.players[t.Name] {
			for k := range uint64(t.Games) {
				if !s.have[k] {
					result.Missing[s.player] = append(result.Missing[s.player], k)
				}
			}
			if len(s.games) < t.Games {
				continue
			}
			slices.SortFunc(s.games, func(a, b arena.Recorded) int { return int(a.Index) - int(b.Index) })
			games := make([]arena.Outcome, len(s.games))
			for k := range s.games {
				if table != nil {
					if err := s.games[k].Judge(t.Setup, table); err != nil {
						return nil, err
					}
				}
				games[k] = s.games[k].Outcome
			}
			plan.Players = append(plan.Players, arena.Player{Number: len(plan.Players) + 1, Spec: s.player, Identity: s.player})
			outcomes = append(outcomes, games)
		}
		result.Results = plan.Results(outcomes)
		if table != nil && len(outcomes) > 0 {
			if err := result.Results.JudgedBy(table); err != nil {
				return nil, err
			}
		}
		all = append(all, result)
	}
	return all, nil
}

// Incomplete returns an error that names the players without a result, and the first games that they lack; nil if there are none.
func Incomplete(all []Result) error {
	var texts []string
	for _, r := range all {
		for _, player := range slices.Sorted(maps.Keys(r.Missing)) {
			lacks := r.Missing[player]
			texts = append(texts, fmt.Sprintf("%s has no result for task %s: %d of %d games are missing, first game %d", player, r.Task.Name, len(lacks), r.Task.Games, lacks[0]))
		}
	}
	if texts == nil {
		return nil
	}
	return errors.New(strings.Join(texts, "\n"))
}
