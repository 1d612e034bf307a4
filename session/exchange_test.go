package session

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"afterstate/exchange"
	"afterstate/game"
	"afterstate/game/record"
	"afterstate/wire"
)

// review.read returns a game of a file in any format as a record that review.open takes.
func TestReadReview(t *testing.T) {
	var games []*exchange.Game
	for seed := range uint64(2) {
		g, err := game.New(game.Options{Spawner: game.NewRandom(seed, 0, game.P4), Endless: true})
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; g.Moves() < 50 && !g.Over(); i++ {
			_ = g.Move([4]int8ToDirection{0, 3, 1, 2}[i%4].direction())
		}
		games = append(games, &exchange.Game{Record: record.Of(g, record.Meta{P4: game.P4, Seed: seed, Player: "me"})})
	}
	h := NewHost(HostOptions{})
	defer h.Close()
	c := h.NewClient(nil)
	defer c.Close()
	for _, f := range exchange.All() {
		var file bytes.Buffer
		w := exchange.NewWriter(&file, f)
		for _, g := range games[:1] {
			if err := w.Write(g); err != nil {
				t.Fatal(err)
			}
		}
		_ = w.Close()
		_ = strings.Contains
		params, _ := json.Marshal(wire.ReadGames{Data: file.Bytes()})
		answer, err := c.Call(t.Context(), wire.MethodReviewRead, params)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer
	}
}
