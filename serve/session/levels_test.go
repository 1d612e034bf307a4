package session

import (
	"bytes"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/record"
)

// A game on 4x4 is judged for a player of the level nearest to its score, or of a given one, and its
// ledger is by the same level.
func TestReviewAtLevels(t *testing.T) {
	c := newClient(t, newTestHost(t), new(shown))
	const moves = 3
	var line bytes.Buffer
	must.Do(t, record.Write(&line, playedGame(t, 5, moves).Record))
	params := strings.TrimSuffix(string(quoted(t, strings.TrimSpace(line.String()))), "}")
	for more, want := range map[string]string{"": "1000", `,"level":"8000"`: "8000"} {
		values := does[protocol.ReviewValues](t, c, "review.values", params+more+"}")
		report := does[protocol.ReviewReport](t, c, "review.report", params+more+"}")
		account := does[protocol.LuckAccount](t, c, "review.luck", params+more+"}")
		want = "level(mean=" + want + ")"
		if values.Judge != want || report.Judge != want || account.Player != want || report.Ledger.Player != want {
			t.Errorf("%s: %s, %s, %s, %s", want, values.Judge, report.Judge, account.Player, report.Ledger.Player)
		}
		if report.Judged != moves || report.Ledger.Expected != account.Expected[0] {
			t.Errorf("%s: %+v", want, report)
		}
	}
	board := does[protocol.ReviewValues](t, c, "review.board", `{"board":"4,2,2,2/4,64,8,8/32,128,256,4/4,4,8,2","level":"3000"}`)
	if board.Judge != "level(mean=3000)" || len(board.Moves) != 4 {
		t.Errorf("%+v", board)
	}
	for params, want := range map[string]string{
		params + `,"level":"9"}`:                                                   `level "9": must be 1000, 3000, 8000, 20000 or strong`,
		strings.TrimSuffix(ofRecord, "}") + `,"level":"3000"}`:                     "2x2 boards have no levels: must be 4x4 or strong",
		strings.TrimSuffix(ofRecord, "}") + `,"level":"strong","player":"expert"}`: "both level and player are given: give one of them",
	} {
		if _, err := c.Call(t.Context(), "review.values", []byte(params)); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
