package bot

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/draw"
)

// answered is what a bot's answer on a board makes of its decision.
func answered(t *testing.T, text, result string) (player.Decision, *search.TreeNode, error) {
	q := search.NewQuery(must.Get(board.Parse(text))(t), 12)
	d := player.Decision{Board: q.Board}
	for _, dir := range q.Board.Legal() {
		d.Moves[dir] = search.MoveValue{Legal: true, Value: math.NaN()}
	}
	var reply protocol.BotReply
	if err := protocol.ReadResult(protocol.MethodBestMove, []byte(result), &reply); err != nil {
		return d, nil, err
	}
	d.Move, d.OK = *reply.Move, true
	root, err := understand(&d, &q, &reply)
	return d, root, err
}

// The decision has what the answer says, and each board of the tree follows from its parent by the rules.
func TestAnswerBecomesTheDecision(t *testing.T) {
	d, root, err := answered(t, "2,2/2,0", `{"move":"left","values":{"left":7.5,"right":null,"up":-1,"down":8},"unit":"points","depth":1,"nodes":9,"tree":{"children":[
		{"move":"left","value":7.5,"children":[{"spawn":{"row":1,"col":1,"tile":4},"probability":0.05,"value":3,"omitted_children":2},
			{"spawn":{"row":0,"col":1,"tile":2},"value":null,"children":[{"move":"down","lost":true}]}]},
		{"move":"down","value":8,"turn":"opponent"}]},"later":1}`)
	must.Do(t, err)
	want := [4]search.MoveValue{{Legal: true, Value: -1}, {Legal: true, Value: math.NaN()}, {Legal: true, Value: 8}, {Legal: true, Value: 7.5}}
	if fmt.Sprint(d.Moves) != fmt.Sprint(want) || d.Unit != eval.Points || d.Plies != 2 || d.Nodes != 9 {
		t.Errorf("%+v", d)
	}
	left, down := root.Children[0], root.Children[1]
	spawn := left.Children[0]
	must.Equal(t, fmt.Sprintf("%v %d %d %s", left.Board, left.Score, left.Reward, left.Turn), "4,0/2,0 16 4 chance")
	must.Equal(t, fmt.Sprintf("%v %s %v %d", spawn.Board, spawn.Turn, spawn.Probability, spawn.OmittedChildren), "4,0/2,4 player 0.05 2")
	must.Equal(t, fmt.Sprintf("%v %s", left.Children[1].Children[0].Lost(), down.Turn), "true opponent")
}

func TestAnswerErrors(t *testing.T) {
	for result, want := range map[string]string{
		`"values":{"north":1}`:                   `values {"north":1}: must be an object with a number for each legal move, such as {"up":1.5,"left":2}`,
		`"values":[1,2,3,4]`:                     `values [1,2,3,4]: must be an object with a number for each legal move, such as {"up":1.5,"left":2}`,
		`"values":{"left":1}`:                    `values: right is missing: must be a number, or null if it is unknown`,
		`"values":{"up":5}`:                      `values: up 5: must be null, since up changes nothing on 2,2/4,8`,
		`"depth":-1`:                             `depth -1: must be a whole number from 0 to 1000`,
		`"nodes":0.5`:                            `nodes 0.5: must be a whole number from 0 to 2^62`,
		`"tree":[]`:                              `tree: an array: must be an object`,
		`"tree":{"child":[]}`:                    `tree: there is no member "child": must be board, score, turn, value, lost, leaf, terminal, pruned, move, reward, spawn, probability, best, chosen, children, omitted_children`,
		`"tree":{"children":{}}`:                 `tree: children: an object: must be an array of boards`,
		`"tree":{"turn":"chance"}`:               `tree: turn chance: must be player`,
		`"tree":{"board":[[2,2],[4,4]]}`:         `tree: board 2,2/4,4: must be 2,2/4,8`,
		`"tree":` + children(`{"move":"up"}`):    `tree: children: 0: move up: must be a move that changes 2,2/4,8`,
		`"tree":{}`:                              `tree: children: the move left is missing, which is the answer`,
		`"tree":` + children(`{"move":"right"}`): `tree: children: the move left is missing, which is the answer`,
		`"tree":` + children(`{"move":"left"},{"move":"left"}`):                         `tree: children: 1: the step is given twice`,
		`"tree":` + children(`{"value":1}`):                                             `tree: children: 0: must have move and no spawn, since the player is to move`,
		`"tree":` + children(`{"move":"left","value":"1"}`):                             `tree: children: 0: value "1": must be a number or null`,
		`"tree":` + children(`{"move":"left","probability":1.5}`):                       `tree: children: 0: probability 1.5: must be a number from 0 to 1`,
		`"values":{"left":1,"right":2},"tree":` + children(`{"move":"left","value":3}`): `tree: children: 0: value 3: must be the value of left in values, 1`,
		after(`{"move":"down"},{"spawn":{"row":0,"col":1,"tile":2}}`):                   `tree: children: 0: children: 1: must have move and no spawn, since the player is to move`,
		after(`{"spawn":{"row":0,"col":1,"tile":2}},{"move":"down"}`):                   `tree: children: 0: children: 1: must have spawn and no move, since a new tile comes`,
		after(`{"spawn":{"row":0,"col":0,"tile":2}}`):                                   `tree: children: 0: children: 0: spawn: row 0, col 0: must be an empty cell of 4,0/4,8`,
		after(`{"spawn":{"row":0,"col":2,"tile":2}}`):                                   `tree: children: 0: children: 0: spawn: row 0, col 2: must be an empty cell of 4,0/4,8`,
		after(`{"spawn":{"row":0,"col":1,"tile":8}}`):                                   `tree: children: 0: children: 0: spawn: tile 8: must be 2 or 4`,
		after(`{"spawn":{"row":0,"tile":2}}`):                                           `tree: children: 0: children: 0: spawn: col is missing (required: row, col, tile)`,
		after(`{"spawn":5}`):                                                            `tree: children: 0: children: 0: spawn: a number: must be an object`,
	} {
		_, _, err := answered(t, "2,2/4,8", `{"move":"left",`+result+`}`)
		text := fmt.Sprint(err)
		if text != want && text != "the result of best_move: "+want {
			t.Errorf("%s\ngives %s\nwant  %s", result, text, want)
		}
	}
}

func children(of string) string { return `{"children":[` + of + `]}` }

// after is a tree with boards after the move left.
func after(of string) string { return `"tree":` + children(`{"move":"left","children":[`+of+`]}`) }

// The tree of a built-in search, given as a bot's answer, is drawn as the search's own.
func TestTreeOfASearchAsAnAnswer(t *testing.T) {
	for _, text := range []string{"2,2,4/0,4,8/2,0,16", "2,4,2/4,2,4/2,4,4"} {
		for _, o := range []search.TreeOptions{{}, {Depth: 1}, {Width: 2}, {Boards: 20}} {
			q := search.NewQuery(must.Get(board.Parse(text))(t), 12)
			s := search.NewExpectimax(search.ExpectimaxOptions{Eval: must.Get(eval.New("empty"))(t), Plies: 2})
			whole := must.Get(s.Tree(t.Context(), q, search.TreeOptions{}))(t)
			wire := func(tree *search.Tree) string {
				picture := draw.Picture{Tree: tree, Unit: eval.Heuristic}
				return string(must.Get(protocol.AppendJSON(nil, picture.Wire()))(t))
			}
			answer := fmt.Sprintf(`{"move":"%v","nodes":%d,"tree":%s}`, whole.Move, whole.Nodes, must.Get(protocol.AppendJSON(nil, (&draw.Picture{Tree: whole}).Wire().Tree))(t))
			d, root, err := answered(t, text, answer)
			must.Do(t, err)
			got := must.Get(search.GivenTree(t.Context(), root, &d.Result, o))(t)
			want := must.Get(s.Tree(t.Context(), q, o))(t)
			if diff := cmp.Diff(wire(want), wire(got)); diff != "" {
				t.Errorf("%s, %+v (-search +answer)\n%s", text, o, diff)
			}
		}
	}
}
