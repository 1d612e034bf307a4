package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// playedGame is a game whose moves go round the directions.
func playedGame(t *testing.T, seed uint64, moves int) *formats.AnnotatedRecord {
	t.Helper()
	g := must.Get(game.New(game.Options{Spawner: game.NewRandom(seed, 0, game.P4)}))(t)
	for i := 0; g.Moves() < moves && !g.Over(); i++ {
		_ = g.Move(board.Directions[i%4])
	}
	return &formats.AnnotatedRecord{Record: record.Of(g, record.Meta{P4: game.P4, Seed: seed, Player: "me"})}
}

// greedyClient returns a client of a host whose player is greedy.
func greedyClient(t *testing.T) *Client {
	t.Helper()
	maker := must.Get(catalog.Parse("greedy", catalog.Capabilities{}))(t)
	return newClient(t, startHost(t, Options{Name: "test", Player: maker}), nil)
}

func readGames(t *testing.T, c *Client, data []byte, number int) (protocol.FileGame, error) {
	t.Helper()
	params := must.Get(json.Marshal(protocol.ReadGames{Data: data, Game: number}))(t)
	answer, err := c.Call(t.Context(), protocol.MethodReviewRead, params)
	if err != nil {
		return protocol.FileGame{}, err
	}
	return answer.(protocol.FileGame), nil
}

// review.read returns a game of a file in any format as a record that review.open takes.
func TestReadReview(t *testing.T) {
	c := greedyClient(t)
	games := []*formats.AnnotatedRecord{playedGame(t, 1, 50), playedGame(t, 2, 40)}
	for _, f := range formats.All() {
		var file bytes.Buffer
		w := formats.NewWriter(&file, f)
		chosen := 0
		for i, g := range games {
			if i == 0 || f.Holds&formats.Many != 0 {
				must.Do(t, w.Write(g))
				chosen = i
			}
		}
		found, err := readGames(t, c, file.Bytes(), chosen)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		opened, err := c.Call(t.Context(), "review.open", quoted(t, found.Record))
		if err != nil {
			t.Fatalf("%s: %v of %s", f.Name, err, found.Record)
		}
		if got := opened.(protocol.ReviewSummary); got.Board != games[chosen].Board || got.Moves != found.Moves || found.Format != f.Name || found.Games != chosen+1 {
			t.Errorf("%s: %+v, %+v", f.Name, found, got)
		}
		if _, err := readGames(t, c, file.Bytes(), chosen+1); err == nil || !strings.Contains(err.Error(), "counted from 0") {
			t.Errorf("%s: game %d: %v", f.Name, chosen+1, err)
		}
	}
}

// Records up to the limit are read, opened and judged; a longer one is refused, with the limit and another
// way to review the game.
func TestLongRecords(t *testing.T) {
	c := greedyClient(t)
	file := func(name int) []byte { return []byte("player,board\n" + strings.Repeat("n", name) + ",2 2/0 0\n") }
	short := must.Get(readGames(t, c, file(1), 0))(t)
	maximum := protocol.MaxRecord - len(short.Record) // of the name, beside its first letter and the line's end
	longest := must.Get(readGames(t, c, file(maximum), 0))(t)
	if len(longest.Record) != protocol.MaxRecord-1 {
		t.Fatalf("a record of %d bytes", len(longest.Record))
	}
	for method, more := range map[string]string{"review.open": "", "review.show": `,"move":0`, "review.values": `,"player":"greedy"`} {
		params := strings.TrimSuffix(string(quoted(t, longest.Record)), "}") + more + "}"
		line := must.Get(protocol.AppendRequest(nil, 1, method, json.RawMessage(params)))(t)
		if r, wrong := protocol.ParsePageRequest(line); wrong != nil || r.Method != method {
			t.Errorf("%s: %v", method, wrong)
		}
		if _, err := c.Call(t.Context(), method, []byte(params)); err != nil {
			t.Errorf("%s: %v", method, err)
		}
	}
	_, err := readGames(t, c, file(maximum+1), 0)
	if want := fmt.Sprintf("a record of %d bytes: must be at most %d bytes; for longer games use afterstate review FILE", protocol.MaxRecord+1, protocol.MaxRecord); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a longer record: %v, want %s", err, want)
	}
}

func quoted(t *testing.T, record string) []byte {
	t.Helper()
	out := must.Get(json.Marshal(map[string]string{"record": record}))(t)
	return out
}
