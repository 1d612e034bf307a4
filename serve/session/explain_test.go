package session

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/search"
)

// thinking takes a while for each move.
type thinking struct{ player.Player }

func (p thinking) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	time.Sleep(20 * time.Millisecond)
	return p.Player.Decide(ctx, q)
}

// Explanations take a slot and the time limit of a search. Where that is below time_ms, the answer has the
// games that were played until then.
func TestExplainWithinSearchTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		maker := must.Get(catalog.Parse("greedy", catalog.Capabilities{}))(t)
		made := maker.New
		maker.New = func() player.Player { return thinking{made()} }
		maker.NewRollout = nil
		c := newClient(t, startHost(t, Options{Name: "test", Player: maker, SearchTime: 2 * time.Second}), nil)
		begin := time.Now()
		a := does[protocol.Reasons](t, c, "explain", `{"board":"2,4/4,4","time_ms":9000}`)
		if took := time.Since(begin); a.Why.Games == 0 || took < 2*time.Second || took > 2100*time.Millisecond {
			t.Errorf("%+v after %v", a, took)
		}
	})
}

// The chances of one answer agree: no tile has a greater chance than a smaller one, nor have the ends of its interval,
// though larger tiles are counted in an eighth of the games.
func TestChancesAgree(t *testing.T) {
	c := newClient(t, startHost(t, Options{Name: "test"}), nil)
	larger := 0
	for seed := range 20 {
		answer := does[protocol.Reasons](t, c, "explain", fmt.Sprintf(`{"board":"16,8,4/2,0,0/0,0,0","player":"greedy","games":40,"tiles":[32,64],"seed":%d}`, seed))
		for d, m := range answer.Why.Moves {
			for i := 1; i < len(m.Tiles); i++ {
				small, large := m.Tiles[i-1].Value, m.Tiles[i].Value
				if large.Share.Share > small.Share.Share || large.CI.Low > small.CI.Low || large.CI.High > small.CI.High || float64(large.Share.Share) > large.CI.High || float64(large.Share.Share) < large.CI.Low {
					t.Errorf("seed %d, %v: %d with %v in %v, %d with %v in %v", seed, d, m.Tiles[i-1].Tile, small.Share.Share, small.CI, m.Tiles[i].Tile, large.Share.Share, large.CI)
				}
				if large.Games < small.Games && large.Share.Share > 0 {
					larger++
				}
			}
		}
	}
	if larger == 0 {
		t.Error("no game made a larger tile than those that were asked for")
	}
}
