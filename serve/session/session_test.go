package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/serve/session"
)

func newSession(t *testing.T, spec string) *session.Session {
	t.Helper()
	m := must.Get(catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	s := must.Get(session.New(session.Options{Name: "test", Version: "1.2.3", Player: m}))(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// call is a result as JSON, or an error with its code.
func call(t *testing.T, s *session.Session, method, params string) string {
	t.Helper()
	var raw []byte
	if params != "" {
		raw = []byte(params)
	}
	result, err := s.Call(t.Context(), method, raw)
	var failed *protocol.Error
	if errors.As(err, &failed) {
		return fmt.Sprint(failed.Code, " ", failed.Message)
	}
	if err != nil {
		return "failed: " + err.Error()
	}
	text := must.Get(json.Marshal(result))(t)
	return string(text)
}

func TestCalls(t *testing.T) {
	s := newSession(t, "greedy")
	for _, c := range []struct{ method, params, want string }{
		{"best_move", `{"board":[[2,2],[0,4]],"player":"expectimax(eval=empty,plies=1)"}`, `{"move":"right"}`},
		{"best_move", `{"board":[[2,2],[0,4]],"player":"greeedy"}`, `-32602 best_move: player: no player is called "greeedy": did you mean greedy?`},
		{"best_move", `{"board":[[2,2],[0,4]],"player":"foresight"}`, `-32602 best_move: player: foresight knows the coming spawns, which the protocol does not provide: use another player`},
		{"analyze", `{"board":[[2,2],[0,4]],"player":"minimax(eval=sum(file=\"/etc/passwd\"))"}`, `-32602 analyze: player: minimax: eval=sum(file="/etc/passwd"): sum: files are not allowed here`},
		{"best_move", `{"board":[[2,0,0,0],[0,0,0,0],[0,4,0,0],[0,0,0,0]],"time_ms":0.001,"player":"expectimax(plies=9)"}`, `-32000 no move within 0.001 ms: allow more time, or a player that needs less`},
		{"hello", `{"protocol":2}`, `-32602 hello: protocol is 2: must be 1`},
		{"hello", `{"nmae":"x"}`, `-32602 hello: there is no param "nmae": must be name, version, protocol, sizes, wants_seed, size`},
		{"Best_Move", ``, `-32601 no method is called "Best_Move": did you mean best_move?`},
		{"quit", ``, `-32601 no method is called "quit": must be hello, players.list, rules.inspect, analyze, best_move, explain, solve, bye`},
		{strings.Repeat("ä", 50), ``, `-32601 no method is called "` + strings.Repeat("ä", 30) + `...": must be hello, players.list, rules.inspect, analyze, best_move, explain, solve, bye`},
		{"explain", `{"board":"2,2/0,0","games":1000001}`, `-32602 explain: games 1000001: must be a whole number from 1 to 1000000`},
		{"explain", `{"board":"2,2/0,0","time_ms":10001}`, `-32602 explain: time_ms 10001: must be a number from 1 to 10000`},
		{"explain", `{"board":"2,2/0,0","tiles":[4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4]}`, `-32602 explain: tiles [4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4]: must be an array of up to 16 values, each a tile from 4 to 2^48 such as 2048`},
		{"explain", `{"board":"2,2/0,0","player":"foresight"}`, `-32602 explain: player: foresight knows the coming spawns, which the protocol does not provide: use another player`},
	} {
		if got := call(t, s, c.method, c.params); got != c.want {
			t.Errorf("%s %s\n gives %s\n want  %s", c.method, c.params, got, c.want)
		}
	}
	if got := call(t, s, "hello", `{"name":"x","version":"y","protocol":1,"sizes":["4x4"],"wants_seed":true}`); !strings.HasPrefix(got, `{"name":"test","version":"1.2.3","protocol":1,"sizes":["2x2",`) || strings.Count(got, `x`) != 25 {
		t.Errorf("hello: %s", got)
	}
	if got := call(t, s, "players.list", ""); !strings.Contains(got, `{"name":"snake","spec":"expectimax(`) || !strings.Contains(got, `"formula":`) ||
		strings.Contains(got, "exec") || strings.Contains(got, "foresight") {
		t.Errorf("players.list: %s", got)
	}
}

// analyze is the player's own decision, with every value.
func TestAnalyze(t *testing.T) {
	s := newSession(t, "snake(depth=1)")
	got := call(t, s, "analyze", `{"board":"2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2","score":100}`)
	m, _ := catalog.Parse("snake(depth=1)", catalog.Capabilities{Networks: catalog.NoNetworks})
	b := struct{ Board protocol.Inspect }{}
	must.Do(t, protocol.ReadParams("rules.inspect", []byte(`{"board":"2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2"}`), &b.Board))
	d := must.Get(m.New().Decide(t.Context(), search.NewQuery(b.Board.Board, 100).Exact()))(t)
	want, _ := json.Marshal(d)
	if diff := cmp.Diff(timeless(t, string(want)), timeless(t, got)); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(got, "bound") {
		t.Errorf("a value is only a bound: %s", got)
	}
}

func timeless(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	must.Do(t, json.Unmarshal([]byte(text), &v))
	v["elapsed_ms"] = nil
	return v
}

// A player that draws plays the game of its seed, one after another, whoever asks
// in between.
func TestSeededGames(t *testing.T) {
	s := newSession(t, "random")
	m, _ := catalog.Parse("random", catalog.Capabilities{Networks: catalog.NoNetworks})
	other := newSession(t, "random")
	for _, index := range []uint64{0, 1, 7, 0} {
		p := m.New()
		p.Start(5, index)
		g, _ := game.New(game.Options{Spawner: game.NewRandom(5, index, game.P4)})
		for turn := 1; !g.Over(); turn++ {
			d := must.Get(p.Decide(t.Context(), search.NewQuery(g.Board(), 0)))(t)
			board, _ := g.Board().MarshalJSON()
			params := fmt.Sprintf(`{"board":%s,"turn":%d,"seed":5,"game":%d}`, board, turn, index)
			if got, want := call(t, s, "best_move", params), fmt.Sprintf(`{"move":"%v"}`, d.Move); got != want {
				t.Fatalf("game %d, turn %d: %s, want %s", index, turn, got, want)
			}
			call(t, other, "best_move", fmt.Sprintf(`{"board":%s}`, board))
			call(t, s, "best_move", fmt.Sprintf(`{"board":%s,"player":"greedy"}`, board))
			must.Do(t, g.Move(d.Move))
		}
	}
}

// Many players do not grow a session without end, and a closed one says so.
func TestSessionEnds(t *testing.T) {
	s := newSession(t, "greedy")
	for i := range 100 {
		params := fmt.Sprintf(`{"board":[[2,2],[0,4]],"player":"expectimax(plies=1,death_value=-%d)"}`, i)
		if got := call(t, s, "best_move", params); !strings.HasPrefix(got, `{"move":`) {
			t.Fatal(got)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Call(ended, "best_move", []byte(`{"board":[[2,0,0,0],[0,0,0,0],[0,4,0,0],[0,0,0,0]],"time_ms":5,"player":"expectimax(plies=9)"}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("after Ctrl-C: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := call(t, s, "bye", ""); got != "failed: the session has ended" {
		t.Error(got)
	}
	m, _ := catalog.Parse("foresight", catalog.Capabilities{Networks: catalog.NoNetworks})
	if _, err := session.New(session.Options{Player: m}); err == nil {
		t.Error("foresight answers without knowing the future")
	}
}

// Reasons of the same seed and number of games are the same, for any number of threads, and on a board
// with one move there is no verdict.
func TestExplain(t *testing.T) {
	s := newSession(t, "greedy")
	ask := func(threads int, params string) (a protocol.Reasons) {
		t.Helper()
		s.Threads = threads
		must.Do(t, json.Unmarshal([]byte(call(t, s, "explain", params)), &a))
		a.ElapsedMS = 0
		return a
	}
	const params = `{"board":"2,4,2/4,2,4/2,4,4","score":8,"games":40,"tiles":[8,32],"seed":3,"time_ms":10000}`
	one, two := ask(1, params), ask(2, params)
	if diff := cmp.Diff(one, two, cmp.Comparer(func(a, b board.Board) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
	if one.Why.Games != 40 || one.Why.WholeGames != 5 || one.Why.Verdict == nil || len(one.Why.Moves) != 4 {
		t.Errorf("%+v", one.Why)
	}
	right := one.Why.Moves[board.Right]
	if right.Tiles[0].Tile != 8 || right.Tiles[0].Value.Games != 40 || right.Tiles[0].Value.Share.Share != 1 || !(right.Score.Mean >= 16) {
		t.Errorf("%+v", right)
	}
	if single := ask(1, `{"board":"2,4/0,0"}`); single.Why.Verdict != nil || len(single.Why.Moves) != 1 || single.Why.Games == 0 {
		t.Errorf("%+v", single.Why)
	}
	if over := ask(1, `{"board":"2,4/4,2"}`); over.Move != nil || over.Why.Games != 0 || len(over.Why.Moves) != 0 {
		t.Errorf("%+v", over.Why)
	}
}

// With motions, each slide that moves something has the path of every tile.
func TestInspectMotions(t *testing.T) {
	b := must.Get(board.Parse("2,2/4,8"))(t)
	with, without := session.Inspect(b, true).Moves, session.Inspect(b, false).Moves
	if len(with.Left.Motions) != 4 || with.Up.Motions != nil || without.Left.Motions != nil {
		t.Errorf("left %v, up %v, not requested %v: must be the paths of four tiles, and none", with.Left.Motions, with.Up.Motions, without.Left.Motions)
	}
}
