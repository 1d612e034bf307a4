package session_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/search/solve"
	"github.com/afterstate2048/afterstate/serve/session"
)

func solvingHost(t *testing.T, allowed bool) *session.Client {
	t.Helper()
	maker := must.Get(catalog.Parse("auto", catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	h := must.Get(session.NewHost(session.Options{Name: "afterstate", Version: "1.2.3", Player: maker, Solve: allowed}))(t)
	t.Cleanup(h.Close)
	c := h.NewClient(nil)
	t.Cleanup(c.Close)
	return c
}

// asked returns the result of a request, or its error, as JSON.
func asked(t *testing.T, c interface {
	Call(ctx context.Context, method string, params []byte) (any, error)
}, method, params string) string {
	t.Helper()
	result, err := c.Call(t.Context(), method, []byte(params))
	if err != nil {
		return err.Error()
	}
	text := must.Get(json.Marshal(result))(t)
	return string(text)
}

// A size is offered to players that have a use for its table, solved in the background on demand, and then
// the default player has exact values, although it has answered without before.
func TestSolveInBackground(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c := solvingHost(t, true)
	const board = `{"board":"0,0,2,0/0,2,0,0"}`
	for params, want := range map[string]string{
		`{"size":"2x4"}`:                                `"state":"unsolved","allowed":true,"time_s":1,"bytes":`,
		`{"size":"4x2","player":"perfect"}`:             `{"size":"4x2","state":"unsolved"`,
		`{"size":"3x3","player":"best"}`:                `"state":"unsolved","allowed":true,"time_s":10,"bytes":23`,
		`{"size":"2x3"}`:                                `"state":"solved"`,
		`{"size":"4x4"}`:                                `"state":"none"`,
		`{"size":"3x3","player":"greedy"}`:              `"state":"none"`,
		`{"size":"3x3","player":"perfect(goal=512)"}`:   `"state":"none"`, // the server makes no tables of goals
		`{"size":"3x3","player":"expectimax(plies=0)"}`: `solve.show: player: `,
		`{"size":"7x7"}`:                                `solve.show: size: `,
	} {
		if got := asked(t, c, "solve.show", params); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", params, got, want)
		}
	}
	if got := asked(t, c, "analyze", board); !strings.Contains(got, `"source":"search"`) {
		t.Errorf("without a table: %s", got)
	}
	if got := asked(t, c, "solve.start", `{"size":"4x4"}`); !strings.Contains(got, "size 4x4: must be 2x2, 2x3, 2x4 or 3x3, or one of these rotated") {
		t.Errorf("4x4: %s", got)
	}
	// A second request joins the first one, and another size waits. After a stop it can begin again.
	for range 2 {
		if got := asked(t, c, "solve.start", `{"size":"2x4"}`); !strings.Contains(got, `"state":"solving"`) {
			t.Fatalf("start: %s", got)
		}
	}
	if got := asked(t, c, "solve.start", `{"size":"3x3"}`); got != "solve.start: 2x4 is being solved, and only one size can be solved at a time: try again later" {
		t.Errorf("a second size at once: %s", got)
	}
	asked(t, c, "solve.stop", `{"size":"4x2"}`)
	if got := asked(t, c, "solve.show", `{"size":"2x4"}`); !strings.Contains(got, `"state":"unsolved"`) || strings.Contains(got, "error") {
		t.Errorf("after a stop: %s", got)
	}
	asked(t, c, "solve.start", `{"size":"4x2"}`)
	awaitSolved(t, c)
	if got := asked(t, c, "analyze", board); !strings.Contains(got, `"source":"exact"`) {
		t.Errorf("with a table: %s", got)
	}
	if got := asked(t, c, "solve", `{"size":"2x4"}`); !strings.Contains(got, `"expected_score":2641.87303569224`) {
		t.Errorf("the value of the start: %s", got)
	}
}

// The solved endings are listed, and those that have a board give the chance of each move; null: it shifts a wall.
func TestEndings(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c := solvingHost(t, false)
	const walls = "8192,4096,2048,1024/512,256,128,64/"
	if got := asked(t, c, "endings.ask", `{"board":"`+walls+`0,0,0,2/0,0,2,0"}`); got != `{"endings":[]}` {
		t.Errorf("unsolved: %s", got)
	}
	p := solve.Problem{Walls: "####/####", Goal: 32, P4: 0.1}
	must.Do(t, catalog.Tables.Solve(t.Context(), p, solve.Options{}))
	const ending = `"walls":["####/####/..../...."],`
	if got := asked(t, c, "endings.list", `{}`); !strings.Contains(got, `"goal":32,"probability":0.99`) || !strings.Contains(got, ending+`"best_start":0.99`) {
		t.Errorf("list: %s", got)
	}
	for rest, want := range map[string]string{
		"2,0,0,0/4,0,0,2":  ending + `"free_walls":false,"goal":32,"moves":{"down":null,"left":0.99999`,
		"2,0,32,0/2,0,0,0": `{"endings":[]}`, // the goal is made
	} {
		if got := asked(t, c, "endings.ask", `{"board":"`+walls+rest+`"}`); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", rest, got, want)
		}
	}
	if got := asked(t, c, "endings.ask", `{"board":"2,4/2,0"}`); got != `{"endings":[]}` { // a small board
		t.Errorf("2x2: %s", got)
	}
}

// awaitSolved waits until 2x4 is solved.
func awaitSolved(t *testing.T, c *session.Client) {
	t.Helper()
	var got string
	testenv.WaitFor(t, func() bool {
		got = asked(t, c, "solve.show", `{"size":"2x4"}`)
		return !strings.Contains(got, `"state":"solving"`)
	})
	if !strings.Contains(got, `"state":"solved"`) || strings.Contains(got, "error") {
		t.Fatalf("it ended with %s", got)
	}
}

// Without the cache nothing can be solved, so nothing is offered or called solved.
func TestSolveWithoutCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv(models.NoCache, "1")
	c := solvingHost(t, true)
	for params, want := range map[string]string{`{"size":"2x4"}`: "none", `{"size":"2x3"}`: "solved"} {
		if got := asked(t, c, "solve.show", params); !strings.Contains(got, `"state":"`+want+`"`) {
			t.Errorf("%s: %s, want %s", params, got, want)
		}
	}
}

// A server may refuse to solve. Small sizes need no permission.
func TestSolveRefused(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c := solvingHost(t, false)
	for method, want := range map[string]string{
		"solve.show":  `"state":"unsolved","allowed":false`,
		"solve.start": `solve.start: this server does not solve for clients: run afterstate solve 2x4 on its machine (about 1 s, `,
		"solve.stop":  `{}`,
		"solve":       `solve: 2x4 is not solved yet: use afterstate solve 2x4`,
	} {
		if got := asked(t, c, method, `{"size":"2x4"}`); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", method, got, want)
		}
	}
	if got := asked(t, c, "solve", `{"size":"2x2","goal":32}`); got != `{"size":"2x2","spawn":"random","p4":0.1,"states":75,"goal":32,"probability":0.08288728907155413}` {
		t.Errorf("2x2: %s", got)
	}
	if entries, _ := os.ReadDir(os.Getenv("XDG_CACHE_HOME")); len(entries) > 0 {
		t.Errorf("something is written: %v", entries)
	}
}

// A session with the permission makes a table when it is asked for its values, and plays by it then.
func TestSolveInSession(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	maker := must.Get(catalog.Parse("perfect(goal=16)", catalog.Capabilities{}))(t)
	s := must.Get(session.New(session.Options{Name: "afterstate", Version: "1.2.3", Player: maker, Solve: true}))(t)
	defer s.Close()
	const board = `{"board":"0,0,2,0/0,2,0,0"}`
	if got := asked(t, s, "analyze", board); !strings.Contains(got, "2x4 is not solved yet") {
		t.Errorf("without a table: %s", got)
	}
	for params, want := range map[string]string{
		`{"size":"2x4","goal":16}`:           `"goal":16,"probability":1}`,
		`{"size":"2x3","spawn":"adversary"}`: `"spawn":"adversary","p4":null,"states":`,
		`{"size":"2x2","p4":1}`:              `"p4":1,`,
		`{"size":"2x2","goal":64}`:           `solve: goal 64: must be a tile from 8 to 32, the largest solvable on 2x2`,
		`{"size":"2x2","p4":2}`:              `solve: p4 2: must be a number from 0 to 1`,
		`{"size":"2x2","spawn":"rare"}`:      `solve: spawn "rare": must be random, adversary or friendly`,
	} {
		if got := asked(t, s, "solve", params); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", params, got, want)
		}
	}
	if got := asked(t, s, "analyze", board); !strings.Contains(got, `"source":"exact"`) {
		t.Errorf("with a table: %s", got)
	}
}
