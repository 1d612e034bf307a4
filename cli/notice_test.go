package cli

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/tui"
)

// Loading that takes longer than 0.3 s is reported once.
func TestLoadingNotice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		ctx := player.WithNotice(t.Context(), tui.LoadingNotice(&out))
		for _, c := range []struct {
			takes time.Duration
			want  string
		}{{200 * time.Millisecond, ""}, {4 * time.Second, "loading the network\n"}} {
			loaded := player.Loading(ctx)
			time.Sleep(c.takes)
			loaded()
			if out.String() != c.want {
				t.Errorf("after %v: %q, want %q", c.takes, &out, c.want)
			}
		}
	})
}
