package serve

import (
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/advice/explain"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

// HTTP answers as a session on stdin does.
func TestSameMethods(t *testing.T) {
	c := start(t, Options{})
	maker, err := catalog.Parse("auto", catalog.Capabilities{Networks: catalog.NoNetworks})
	if err != nil {
		t.Fatal(err)
	}
	answering, err := session.New(session.Options{Name: "afterstate", Version: "1.2.3", Player: maker, Capabilities: catalog.Capabilities{Networks: catalog.NoNetworks}})
	if err != nil {
		t.Fatal(err)
	}
	defer answering.Close()
	for _, request := range []string{
		requestText(1, protocol.MethodHello, `{"name":"test","protocol":1}`),
		requestText(2, "players.list", ""),
		requestText(3, "rules.inspect", `{"board":[[2,2],[4,8]]}`),
		requestText(4, protocol.MethodBestMove, `{"board":"2,2/0,4","player":"expectimax(eval=gradient,plies=2)"}`),
		requestText(5, protocol.MethodBestMove, `{"board":"2,2/0,3"}`),
		requestText(6, "analyze", `{"board":[[2,2],[0,4]],"player":"greeedy"}`),
		requestText(7, "analyze", `{"board":[[2,2],[0,4]],"player":"foresight"}`),
		requestText(8, protocol.MethodBye, ""),
		`{"jsonrpc":"2.0","id":9`,
		`[]`,
	} {
		want, _ := protocol.Answer(t.Context(), answering, nil, []byte(request))
		status, got := c.post(request)
		if status != 200 || got != string(want) {
			t.Errorf("%s\n gives %d %s want %s", request, status, got, want)
		}
	}
	if status, got := c.post(`{"jsonrpc":"2.0","method":"hello"}`); status != 204 || got != "" {
		t.Errorf("a notification is answered by %d %s", status, got)
	}
}

func TestParseBoard(t *testing.T) {
	c := start(t, Options{})
	const original = `{\"grid\":{\"size\":3,\"cells\":[[{\"position\":{\"x\":0,\"y\":0},\"value\":2},null,{\"position\":{\"x\":0,\"y\":2},\"value\":16}],[null,null,null],[{\"position\":{\"x\":2,\"y\":0},\"value\":4},null,null]]},\"score\":48,\"over\":false,\"won\":false,\"keepPlaying\":false}`
	for text, want := range map[string]string{
		`2,0,4/0,0,0/16,0,0`:   `{"board":[[2,0,4],[0,0,0],[16,0,0]],"score":null,"text":"2,0,4/0,0,0/16,0,0"}`,
		`2 . 4\n. . .\n16 . .`: `{"board":[[2,0,4],[0,0,0],[16,0,0]],"score":null,"text":"2,0,4/0,0,0/16,0,0"}`,
		`[[2,0],[0,4]]`:        `{"board":[[2,0],[0,4]],"score":null,"text":"2,0/0,4"}`,
		`012300000000000H`:     `{"board":[[0,2,4,8],[0,0,0,0],[0,0,0,0],[0,0,0,131072]],"score":null,"text":"0,2,4,8/0,0,0,0/0,0,0,0/0,0,0,131072"}`,
		`ff00000000000001`:     `{"board":[[32768,32768,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]],"score":null,"text":"32768,32768,0,0/0,0,0,0/0,0,0,0/0,0,0,2","readings":[[[32768,32768,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]],[[32768,16384,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]]]}`,
		original:               `{"board":[[2,0,4],[0,0,0],[16,0,0]],"score":48,"text":"2,0,4/0,0,0/16,0,0"}`,
		`'` + original + `'`:   `{"board":[[2,0,4],[0,0,0],[16,0,0]],"score":48,"text":"2,0,4/0,0,0/16,0,0"}`,
		`\"{\\\"grid\\\":{\\\"size\\\":2,\\\"cells\\\":[[null,{\\\"value\\\":8}],[null,null]]}}\"`: `{"board":[[0,0],[8,0]],"score":0,"text":"0,0/8,0"}`,
		`'2,4/0,2'`: `{"board":[[2,4],[0,2]],"score":null,"text":"2,4/0,2"}`,
		``:          `-32602 board.parse: text: empty board: must be tile values such as 2,0,0,4/0,0,8,0/0,0,0,0/0,0,0,2`,
		`{}`:        `-32602 board.parse: text: the original page's state: size 0: must be from 2 to 6`,
		`{\"grid\":{\"size\":2,\"cells\":[[null,null]]}}`:             `-32602 board.parse: text: the original page's state: 1 columns: must be 2`,
		`{\"grid\":{\"size\":2,\"cells\":[[null],[null,null]]}}`:      `-32602 board.parse: text: the original page's state: column 1 has 1 cells: must be 2`,
		`{\"grid\":{\"size\":2,\"cells\":[[null,{\"value\":3}],[]]}}`: `-32602 board.parse: text: the original page's state: column 1, cell 2: 3 is not a tile`,
		`{\"grid\":{\"size\":2,\"cells\":[[],[]]},\"score\":-4}`:      `-32602 board.parse: text: the original page's state: score -4: must be 0 or more`,
	} {
		if got := c.ask("board.parse", `{"text":"`+text+`"}`); got != want {
			t.Errorf("%s\n gives %s\n want  %s", text, got, want)
		}
	}
}

func TestExplainAndTree(t *testing.T) {
	c := start(t, Options{})
	got := decode[struct {
		Move string
		Why  struct {
			Horizon int `json:"horizon_moves"`
			Moves   map[string]any
			Line    []any
		}
	}](t, c.ask("explain", `{"board":"2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2","time_ms":200,"player":"expectimax(eval=gradient,plies=1)"}`))
	if got.Move == "" || len(got.Why.Moves) != 2 || got.Why.Horizon != explain.Horizon || got.Why.Line == nil {
		t.Errorf("explained by %+v", got)
	}
	tree := c.ask("tree", `{"board":"2,4/2,0","player":"expectimax(eval=gradient,plies=2)","depth":1,"boards":50}`)
	if parsed := decode[struct {
		Boards int
		Tree   struct{ Children []any }
	}](t, tree); parsed.Boards < 4 || len(parsed.Tree.Children) == 0 {
		t.Errorf("tree %s", tree)
	}
	if svg := decode[protocol.TreePicture](t, c.ask("tree", `{"board":"2,4/2,0","player":"minimax(depth=2)","format":"svg"}`)).SVG; !strings.HasPrefix(svg, "<svg") && !strings.HasPrefix(svg, "<?xml") {
		t.Errorf("picture %.80s", svg)
	}
	if got := c.ask("tree", `{"board":"2,4/2,0","player":"greedy"}`); !strings.HasPrefix(got, "-32602 tree: player: greedy searches no tree; must be one of ") {
		t.Error(got)
	}
}
