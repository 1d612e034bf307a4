package record_test

import (
	"fmt"
	"os"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

func Example() {
	g, _ := game.New(game.Options{Spawner: game.NewRandom(7, 0, game.P4)})
	_ = g.Move(board.Left)
	r := record.Of(g, record.Meta{P4: game.P4, Seed: 7, Player: "human"})
	_ = record.Write(os.Stdout, r)

	again, err := r.Replay()
	fmt.Println(again.Board() == g.Board(), err)

	r.Score = 8
	_, err = r.Replay()
	fmt.Println(err)
	// Output:
	// {"afterstate_record":1,"size":"4x4","spawn":"random","p4":0.1,"seed":7,"game":0,"player":"human","move_count":1,"moves":"Aw==","board":[[0,2,0,0],[4,0,0,0],[0,0,0,0],[0,0,0,0]],"score":4}
	// true <nil>
	// score is 8, but the moves give 4
}
