package catalog_test

import (
	"encoding/json"
	"testing"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Real decisions can be encoded as JSON, with any values.
func TestEveryDecisionIsJSON(t *testing.T) {
	for _, text := range []string{"2,2/2,4", "2,4/4,2", "2,4,8/16,32,64/2,4,4", "2,16,2/64,32,16/4,4,2"} {
		for _, entry := range everyPlayer() {
			if entry.Name == "foresight" {
				continue // needs a game
			}
			d := decide(t, maker(t, specOf(entry.Name)).New(), search.NewQuery(parse(t, text), 0))
			data, err := json.Marshal(d)
			if err != nil {
				t.Fatalf("%s on %s: %v", entry.Name, text, err)
			}
			var read struct {
				Move  *board.Direction
				Moves map[board.Direction]struct{ Legal, Lost bool }
			}
			if err := json.Unmarshal(data, &read); err != nil || len(read.Moves) != 4 || (read.Move != nil) != d.OK || d.OK && *read.Move != d.Move {
				t.Errorf("%s on %s: %s, %v", entry.Name, text, data, err)
			}
			for dir, m := range read.Moves {
				if m.Legal != d.Moves[dir].Legal || m.Lost != d.Moves[dir].Lost() {
					t.Errorf("%s on %s: %s", entry.Name, text, data)
				}
			}
		}
	}
}
