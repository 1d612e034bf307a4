package player_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"

	"github.com/google/go-cmp/cmp"
)

// The JSON of a decision, field by field: people's programs read it.
func TestDecisionJSON(t *testing.T) {
	inf := math.Inf(1)
	open := parsed(t, "2,0/0,4")
	for name, c := range map[string]struct {
		d    player.Decision
		want string
	}{
		"every field": {
			player.Decision{
				Result: search.Result{
					Move: board.Left, OK: true, Plies: 3, Nodes: 1234,
					Moves: [4]search.MoveValue{
						{Legal: true, Value: 1.5, Bound: true},
						{},
						{Legal: true, Value: -inf},
						{Legal: true, Value: 2.25},
					},
				},
				Board: open, Player: `expectimax(eval=sum(file="w.json"))`, Unit: eval.Heuristic,
				Elapsed: 12345678 * time.Nanosecond, Source: "search",
			},
			`{"board":[[2,0],[0,4]],"player":"expectimax(eval=sum(file=\"w.json\"))","move":"left","moves":{` +
				`"up":{"legal":true,"value":1.5,"lost":false,"loss":null,"bound":true},` +
				`"right":{"legal":false,"value":null,"lost":false,"loss":null},` +
				`"down":{"legal":true,"value":null,"lost":true,"loss":null},` +
				`"left":{"legal":true,"value":2.25,"lost":false,"loss":0}},` +
				`"unit":"heuristic","plies":3,"nodes":1234,"elapsed_ms":12.345,"source":"search"}`,
		},
		"a dead board": {
			player.Decision{Board: parsed(t, "2,4/4,2"), Player: "greedy", Unit: eval.Points, Source: "reward"},
			`{"board":[[2,4],[4,2]],"player":"greedy","move":null,"moves":{` +
				`"up":{"legal":false,"value":null,"lost":false,"loss":null},` +
				`"right":{"legal":false,"value":null,"lost":false,"loss":null},` +
				`"down":{"legal":false,"value":null,"lost":false,"loss":null},` +
				`"left":{"legal":false,"value":null,"lost":false,"loss":null}},` +
				`"unit":"points","plies":0,"nodes":0,"elapsed_ms":0,"source":"reward"}`,
		},
		"values not known": {
			player.Decision{
				Result: search.Result{Move: board.Up, OK: true, Plies: 9, Moves: [4]search.MoveValue{{Legal: true, Value: 7}, {Legal: true, Value: math.NaN()}, {Legal: true, Value: 4.5}, {}}},
				Board:  open, Player: "foresight(beam=2)", Unit: eval.Heuristic, Source: "foresight",
			},
			`{"board":[[2,0],[0,4]],"player":"foresight(beam=2)","move":"up","moves":{` +
				`"up":{"legal":true,"value":7,"lost":false,"loss":0},` +
				`"right":{"legal":true,"value":null,"lost":false,"loss":null},` +
				`"down":{"legal":true,"value":4.5,"lost":false,"loss":2.5},` +
				`"left":{"legal":false,"value":null,"lost":false,"loss":null}},` +
				`"unit":"heuristic","plies":9,"nodes":0,"elapsed_ms":0,"source":"foresight"}`,
		},
		"a bot's move with the smaller value": {
			player.Decision{
				Result: search.Result{Move: board.Up, OK: true, Moves: [4]search.MoveValue{{Legal: true, Value: 7}, {}, {Legal: true, Value: 9}, {}}},
				Board:  open, Player: "bot", Unit: eval.Heuristic, Source: "bot",
			},
			`{"board":[[2,0],[0,4]],"player":"bot","move":"up","moves":{` +
				`"up":{"legal":true,"value":7,"lost":false,"loss":0},` +
				`"right":{"legal":false,"value":null,"lost":false,"loss":null},` +
				`"down":{"legal":true,"value":9,"lost":false,"loss":null},` +
				`"left":{"legal":false,"value":null,"lost":false,"loss":null}},` +
				`"unit":"heuristic","plies":0,"nodes":0,"elapsed_ms":0,"source":"bot"}`,
		},
	} {
		got, err := json.Marshal(c.d)
		if diff := cmp.Diff(c.want, string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func parsed(t testing.TB, text string) board.Board {
	t.Helper()
	return must.Get(board.Parse(text))(t)
}
