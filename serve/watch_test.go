package serve

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/serve/session"
)

// watch starts a game and joins it.
func (l *line) watch(params string) (at string, key protocol.WatchKey) {
	l.t.Helper()
	key = decode[protocol.WatchKey](l.t, l.ask("watch.start", params))
	at = fmt.Sprintf(`"id":%q`, key.ID)
	if got := l.ask("watch.join", "{"+at+"}"); got != "{}" {
		l.t.Fatal(got)
	}
	return at, key
}

// A watched game is the game of its seed, to its end, and so is its record.
func TestWatch(t *testing.T) {
	c := start(t, Options{})
	l := c.dial()
	at, _ := l.watch(`{"player":"greedy","size":"3x3","seed":5}`)
	f := l.await("the end", func(f *protocol.Frame) bool { return f.Over })
	m := must.Get(catalog.Parse("greedy", catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	results := must.Get(arena.Run(t.Context(), arena.RunOptions{
		Players: []catalog.Maker{m},
		Size:    board.Size{Rows: 3, Cols: 3}, Seed: 5, Games: 1,
	}, nil))(t)
	if g := results.Players[0].Games[0]; f.Score != g.Score || f.Moves != g.Moves || f.Player != "greedy" {
		t.Errorf("watched %+v, the arena has %+v", f, g)
	}
	line := decode[protocol.GameRecord](t, l.ask("watch.record", "{"+at+"}")).Record
	r := must.Get(record.Parse([]byte(line)))(t)
	if _, err := r.Replay(); err != nil || r.Board != f.Board {
		t.Errorf("record of %v: %v", r.Board, err)
	}
	if list := decode[protocol.WatchList](t, c.ask("watch.list", "")); len(list.Games) != 1 || list.Games[0].Score != f.Score || list.Games[0].Watchers != 1 {
		t.Errorf("listed %+v", list)
	}
}

func TestWatchSteered(t *testing.T) {
	c := start(t, Options{})
	l := c.dial()
	at, key := l.watch(`{"player":"expectimax(eval=gradient,plies=1)","seed":3,"running":false}`)
	at += fmt.Sprintf(`,"key":%q`, key.Key)
	first := l.await("the beginning", func(f *protocol.Frame) bool { return f.Moves == 0 && f.DecisionCurrent && !f.Running })
	if first.Decision == nil || first.Seed != 3 {
		t.Errorf("%+v", first)
	}
	l.ask("watch.step", "{"+at+"}")
	l.ask("watch.step", "{"+at+"}")
	if f := l.await("move 2", func(f *protocol.Frame) bool { return f.Moves == 2 }); f.Step == nil || f.Running {
		t.Errorf("stepped to %+v", f)
	}
	l.ask("watch.back", "{"+at+"}")
	l.ask("watch.back", "{"+at+"}")
	l.await("the beginning", func(f *protocol.Frame) bool { return f.Moves == 0 && f.Board == first.Board })
	var hand board.Direction
	for _, d := range board.Directions {
		if _, _, moved := first.Board.Slide(d); moved {
			hand = d
		}
	}
	l.ask("watch.move", fmt.Sprintf(`{%s,"move":%q}`, at, hand))
	if f := l.await("a move by hand", func(f *protocol.Frame) bool { return f.Moves == 1 }); f.FirstManualMove != 1 || f.Running {
		t.Errorf("by hand to %+v", f)
	}
	l.ask("watch.set", "{"+at+`,"running":true,"moves_per_s":20}`)
	l.await("more moves", func(f *protocol.Frame) bool { return f.Moves > 3 && f.Running && f.TargetSpeed == 20 })

	// Another one may look, but not steer.
	other := c.dial()
	id := fmt.Sprintf(`"id":%q`, key.ID)
	if got := other.ask("watch.join", "{"+id+"}"); got != "{}" {
		t.Error(got)
	}
	other.await("a frame", func(f *protocol.Frame) bool { return f.Watchers == 2 })
	for method, params := range map[string]string{
		"watch.step": `{` + id + `,"key":"guess"}`,
		"watch.set":  `{` + id + `,"key":"","running":false}`,
		"watch.move": `{` + id + `,"key":"` + key.Key + `x","move":"up"}`,
	} {
		if got := other.ask(method, params); got != "-32602 "+method+": key: must be the one that watch.start returned" {
			t.Errorf("%s: %s", method, got)
		}
	}
	other.ask("watch.leave", "{"+id+"}")
	l.await("one watcher", func(f *protocol.Frame) bool { return f.Watchers == 1 })
}

func TestWatchErrors(t *testing.T) {
	c := start(t, Options{})
	for params, want := range map[string]string{
		`{"player":"greeedy"}`:                       `-32602 watch.start: player: no player is called "greeedy": did you mean greedy?`,
		`{"player":"foresight","spawn":"adversary"}`: `-32602 watch.start: player: foresight must know the coming spawns, so the spawn rule must be random, not adversary`,
		`{"until":3}`:                                `-32602 watch.start: until 3: must be 0, or a tile from 2 to 2^48 such as 2048`,
		`{"moves_per_s":null}`:                       `-32602 watch.start: moves_per_s null: must be 0, or a number from 0.1 to 1000`,
	} {
		if got := c.ask("watch.start", params); got != want {
			t.Errorf("%s\n gives %s\n want  %s", params, got, want)
		}
	}
}

// foresight sees the real tiles; a player that thinks for too long is stopped.
func TestWatchedPlayers(t *testing.T) {
	l := start(t, Options{Options: session.Options{SearchTime: time.Hour}}).dial()
	l.watch(`{"player":"foresight(depth=2)","size":"2x3","seed":1}`)
	if f := l.await("the end", func(f *protocol.Frame) bool { return f.Over }); f.Moves == 0 {
		t.Errorf("%+v", f)
	}
	slow := start(t, Options{Options: session.Options{SearchTime: 100 * time.Millisecond}}).dial()
	slow.watch(`{"player":"expectimax(eval=gradient,plies=60)","seed":1}`)
	f := slow.await("a complaint", func(f *protocol.Frame) bool { return f.Error != "" })
	if want := "no move within 100ms: use fewer plies or nodes, or a limit such as time=1s"; f.Error != want || f.Running {
		t.Errorf("%+v", f)
	}
}

// The number of games is limited; a new one replaces one without viewers.
func TestWatchPlaces(t *testing.T) {
	c := start(t, Options{Options: session.Options{Games: 2}})
	a, b := c.dial(), c.dial()
	atA, _ := a.watch(`{"player":"random","running":false}`)
	b.watch(`{"player":"random","running":false}`)
	if got := c.ask("watch.start", `{}`); got != "-32001 2 games are being watched: leave one of them first" {
		t.Error(got)
	}
	a.ask("watch.leave", "{"+atA+"}")
	if got := c.ask("watch.start", `{"player":"random","running":false}`); strings.HasPrefix(got, "-") {
		t.Error(got)
	}
	if got := a.ask("watch.join", "{"+atA+"}"); !strings.HasPrefix(got, "-32602 watch.join: id: no game is called") {
		t.Error(got)
	}
}
