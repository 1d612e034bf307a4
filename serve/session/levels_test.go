package session

import (
	"bytes"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/record"
)

// A game on 4x4 is judged for a player of the level nearest to its score, or of a given one.
func TestReviewAtLevels(t *testing.T) {
	c := newClient(t, newTestHost(t), new(shown))
	var line bytes.Buffer
	must.Do(t, record.Write(&line, playedGame(t, 5, 3).Record))
	params := strings.TrimSuffix(string(quoted(t, strings.TrimSpace(line.String()))), "}")
	for more, want := range map[string]string{"": "1000", `,"level":"8000"`: "8000"} {
		if values := does[protocol.ReviewValues](t, c, "review.values", params+more+"}"); values.Judge != "level(mean="+want+")" {
			t.Errorf("level %s: judged by %s", want, values.Judge)
		}
	}
	graded := does[protocol.Decision](t, c, "analyze", `{"board":"16,2,128,32/4,16,64,128/2,8,16,32/0,4,8,16","player":"greedy","level":"3000"}`)
	if left, down := graded.Moves.Left, graded.Moves.Down; left.Class != protocol.ClassBest || down.Class != protocol.ClassBlunder ||
		left.Level.Points < down.Level.Points+300 || left.Level.CI.Low > left.Level.Points || *left.Value > 100 {
		t.Errorf("%+v, %+v", left, down)
	}
	board := does[protocol.ReviewValues](t, c, "review.board", `{"board":"4,2,2,2/4,64,8,8/32,128,256,4/4,4,8,2","level":"3000"}`)
	if board.Judge != "level(mean=3000)" || len(board.Moves) != 4 {
		t.Errorf("%+v", board)
	}
	for params, want := range map[string]string{
		params + `,"level":"9"}`:                                                   `level "9": must be 400, 1000, 3000, 8000, 20000, 50000, 60000, 150000 or strong`,
		strings.TrimSuffix(ofRecord, "}") + `,"level":"3000"}`:                     "2x2 boards have no levels: must be 3x4, 4x4, 4x5, 5x5 or strong",
		strings.TrimSuffix(ofRecord, "}") + `,"level":"strong","player":"expert"}`: "both level and player are given: give one of them",
	} {
		if _, err := c.Call(t.Context(), "review.values", []byte(params)); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
