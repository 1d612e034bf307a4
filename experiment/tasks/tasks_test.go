package tasks_test

import (
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/tasks"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// play plays a game of a task by the first legal move.
func play(t *testing.T, task *tasks.Task, index uint64, moves int) record.Record {
	t.Helper()
	o := game.Options{Size: task.Setup.Size, Spawner: game.NewRandom(task.Setup.Seed, index, game.P4)}
	if task.Setup.Starts != nil {
		o.Board = task.Setup.Starts.Of(index).Board
	}
	g := must.Get(game.New(o))(t)
	for ; moves != 0 && !g.Over(); moves-- {
		b := g.Board()
		must.Do(t, g.Move(b.Legal()[0]))
	}
	return record.Of(g, task.Setup.Meta(index, "first"))
}

// A submission has the outcomes that arena gives the same games, and a player without all games has none.
func TestCheck(t *testing.T) {
	all := must.Get(tasks.All())(t)
	for i := range all {
		task := &all[i]
		if !strings.HasPrefix(task.Name, "ending:6") && task.Name != "3x3" {
			continue
		}
		c := must.Get(tasks.NewCheck())(t)
		m := must.Get(catalog.Parse("greedy", catalog.Capabilities{}))(t)
		o := arena.RunOptions{Players: []catalog.Maker{m}, Size: task.Setup.Size, Seed: task.Setup.Seed, Games: task.Games, Workers: 2,
			Stop: task.Setup.Stop, Goal: task.Setup.Goal, Spawn: must.Get(catalog.ParseSpawner("random", catalog.Capabilities{}))(t)}
		if task.Setup.Starts != nil {
			o.Starts = task.Setup.Starts.Boards
		}
		want := must.Get(arena.Run(t.Context(), o, nil))(t).Statistics().Players[0]
		for k := range uint64(task.Games) {
			o := game.Options{Size: task.Setup.Size, Spawner: game.NewRandom(task.Setup.Seed, k, game.P4)}
			if task.Setup.Starts != nil {
				o.Board = task.Setup.Starts.Of(k).Board
			}
			g := must.Get(game.New(o))(t)
			for b := g.Board(); !g.Over() && !(task.Setup.Goal && task.Setup.Stop.Reached(&b)); b = g.Board() {
				best, gain := board.Up, int64(-1)
				for _, d := range b.Legal() {
					if _, reward, _ := b.Slide(d); reward > gain {
						best, gain = d, reward
					}
				}
				must.Do(t, g.Move(best))
			}
			r := record.Of(g, task.Setup.Meta(k, "mine"))
			must.Do(t, c.Add(&r))
			if r.Player = "lazy"; k != 5 {
				must.Do(t, c.Add(&r))
			}
		}
		results := must.Get(c.Results(nil))(t)
		if len(results) != 1 || len(results[0].Results.Players) != 1 {
			t.Fatalf("%+v", results)
		}
		got := results[0].Results.Statistics().Players[0]
		if got.MeanScore != want.MeanScore || got.MeanCI != want.MeanCI || got.Games != task.Games || (got.Goal == nil) != (want.Goal == nil) || got.Goal != nil && *got.Goal != *want.Goal {
			t.Errorf("%s: %+v, want %+v", task.Name, got, want)
		}
		if err := tasks.Incomplete(results); err == nil || !strings.Contains(err.Error(), "lazy has no result for task "+task.Name+": 1 of ") || !strings.Contains(err.Error(), "first game 5") {
			t.Errorf("%v", err)
		}
	}
}

// Games that are no part of a task, or not played by its rules, are refused with a reason.
func TestRefused(t *testing.T) {
	all := must.Get(tasks.All())(t)
	good := play(t, &all[0], 3, -1)
	ending := play(t, &all[2], 1, -1)
	for _, c := range []struct {
		name string
		from record.Record
		do   func(r *record.Record)
		want string
	}{
		{"seed", good, func(r *record.Record) { r.Seed++ }, "seed 20481: must be 20480"},
		{"number", good, func(r *record.Record) { r.Game = 1000 }, "game 1000 of first, task 3x3: must be games 0 to 999"},
		{"another number", good, func(r *record.Record) { r.Game = 4 }, "move"},
		{"score", good, func(r *record.Record) { r.Score += 4 }, "the moves score"},
		{"tiles", good, func(r *record.Record) { r.P4 = 0 }, "its tiles do not follow from a seed"},
		{"start board", ending, func(r *record.Record) { r.Game = 2 }, "it begins from"},
		{"size", good, func(r *record.Record) { r.Board = board.New(board.Size{Rows: 5, Cols: 5}) }, "a game on 5x5 belongs to no task: must be one of 3x3, 4x4, ending:4"},
		{"unfinished", play(t, &all[0], 3, 10), func(*record.Record) {}, "it is not over after 10 moves"},
	} {
		check := must.Get(tasks.NewCheck())(t)
		r := c.from
		c.do(&r)
		if err := check.Add(&r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	check := must.Get(tasks.NewCheck())(t)
	must.Do(t, check.Add(&good))
	if err := check.Add(&good); err == nil || !strings.Contains(err.Error(), "there are two of it") {
		t.Errorf("%v", err)
	}
}
