package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/serve/session"
)

// A table that does not fit is refused before it is made; players of other specs are closed first.
func TestTablesThatDoNotFit(t *testing.T) {
	const free = 20 << 20
	var requested []int64
	m := must.Get(catalog.Parse("greedy", catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	s := must.Get(session.New(session.Options{Player: m, Capabilities: catalog.Capabilities{Networks: catalog.NoNetworks}, Fits: func(bytes int64) error {
		requested = append(requested, bytes>>20)
		if bytes > free {
			return &memory.Error{Needed: bytes, Free: free}
		}
		return nil
	}}))(t)
	defer s.Close()
	best := func(spec string) string {
		return call(t, s, "best_move", fmt.Sprintf(`{"board":"2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2","player":%q}`, spec))
	}
	for _, c := range []struct {
		spec, want string
		requested  []int64
	}{
		{"expectimax(plies=1,tt=16MB)", `{"move":`, []int64{16}},
		{"expectimax(plies=1,tt=4MB)", `{"move":`, []int64{20}},
		{"expectimax(plies=1,tt=4MB)", `{"move":`, nil},
		{"auto", `{"move":`, []int64{24, 4}}, // the two before are let go
		{"expectimax(plies=1,tt=32MB)", `-32003 best_move: 32.0 MiB of memory is needed, 20.0 MiB is free`, []int64{36, 32}},
		{"greedy", `{"move":`, []int64{0}},
	} {
		requested = nil
		if got := best(c.spec); !strings.HasPrefix(got, c.want) || !slices.Equal(requested, c.requested) {
			t.Errorf("%s: %s after %d, want %s after %d", c.spec, got, requested, c.want, c.requested)
		}
	}
}
