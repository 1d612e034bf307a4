package serve

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/serve/session"
)

// The network's cache file is truncated while a server uses it: the request gets an error, and the server goes on.
func TestCutOffCache(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	n := must.Get(ntuple.New(must.Get(ntuple.ParseLayout(bitboard.Size, "01234 12345 45678 56789"))(t)))(t)
	defer n.Close()
	n.Table(0, 0)[1] = 7
	model := filepath.Join(t.TempDir(), "own.model")
	must.Do(t, ntuple.Save(model, n, ntuple.Info{}))
	serving := func() (c *client, ask func() string) {
		with := catalog.Capabilities{ReadFile: catalog.ReadFile, Networks: (&models.Library{Files: true}).Find, Trusted: true}
		maker := must.Get(catalog.Parse("ntuple(plies=2,model="+strconv.Quote(model)+")", with))(t)
		c = start(t, Options{Options: session.Options{Player: maker}})
		return c, func() string {
			_, answer := c.postTo("/api", requestText(1, protocol.MethodBestMove, `{"board":"2,4,8,16/0,0,2,4/0,0,0,2/0,0,0,0"}`))
			return answer
		}
	}
	_, fill := serving() // decodes the network and writes the file that the other server maps
	outcome(t, []byte(fill()))
	c, ask := serving()
	outcome(t, []byte(ask()))
	files := must.Get(filepath.Glob(filepath.Join(cache, "afterstate", "network-*.int16")))(t)
	if len(files) != 1 {
		t.Fatalf("the cache has %v", files)
	}
	must.Do(t, os.Chmod(files[0], 0o600))
	must.Do(t, os.Truncate(files[0], 1))
	refused(t, "a truncated network", 0, 0, ask(), files[0]+" was truncated while it was in use: start the program again")
	c.healthy()
}
