package session

import (
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"afterstate/board"
	"afterstate/ntuple"
	"afterstate/player/catalog"
	"afterstate/wire"
)

// slowNetworks takes half a minute to load a network for 2x2.
type slowNetworks struct{ loads *int }

func (s slowNetworks) Find(string, bool) (func() (*ntuple.Network, error), error) {
	return func() (*ntuple.Network, error) {
		*s.loads++
		time.Sleep(30 * time.Second)
		l, err := ntuple.ParseLayout(board.Size{Rows: 2, Cols: 2}, "01 012")
		if err != nil {
			return nil, err
		}
		return ntuple.New(l)
	}, nil
}

// Loading a network is no part of the time of a request, nor of elapsed_ms. A board without a
// legal move is answered without it.
func TestLoadingIsNoSearchTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loads := 0
		caps := catalog.Capabilities{Networks: slowNetworks{&loads}}
		maker, err := catalog.Parse("ntuple(plies=1)", caps)
		if err != nil {
			t.Fatal(err)
		}
		h, err := NewHost(HostOptions{Name: "test", Player: maker, Capabilities: caps, SearchTime: 10 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		c := h.NewClient(nil)
		defer c.Close()
		for _, method := range []string{wire.MethodAnalyze, wire.MethodBestMove} {
			if _, err := c.Call(t.Context(), method, []byte(`{"board":[[2,4],[4,2]]}`)); err != nil || loads != 0 {
				t.Errorf("%s of a board without a move: %v, %d loads", method, err, loads)
			}
		}
		start := time.Now()
		result, err := c.Call(t.Context(), wire.MethodAnalyze, []byte(`{"board":[[2,2],[0,0]]}`))
		var late *wire.Error
		if errors.As(err, &late) || err != nil || time.Since(start) != 30*time.Second {
			t.Fatalf("%v after %v", err, time.Since(start))
		}
		text, err := json.Marshal(result)
		var d struct {
			ElapsedMS float64 `json:"elapsed_ms"`
		}
		if err != nil || json.Unmarshal(text, &d) != nil || d.ElapsedMS != 0 {
			t.Errorf("%s, %v", text, err)
		}
	})
}
