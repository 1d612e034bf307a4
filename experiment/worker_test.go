package experiment_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// A worker plays a chunk with files by their hashes, and refuses what would play otherwise here.
func TestWorkerConfig(t *testing.T) {
	weights := filepath.Join(t.TempDir(), "w.json")
	must.Do(t, os.WriteFile(weights, []byte(`{"empty":3}`), 0o600))
	fetched := 0
	w := experiment.WorkerConfig{
		Capabilities: catalog.Capabilities{ReadFile: catalog.ReadFile},
		Fetch: func(_ context.Context, sum string) (string, error) {
			fetched++
			if sum != "ab" {
				return "", errors.New("no such file")
			}
			return weights, nil
		},
		Identity: itself,
	}
	factory := w.Factory(t.Context())
	const spec, identity = `expectimax(eval=lines(file="elsewhere.json"),plies=1,death_value=0)`, `expectimax(eval=lines(file="sha256:ab"),plies=1,death_value=0)`
	for _, c := range []struct{ spec, identity, failure string }{
		{"greedy", "greedy", ""},
		{spec, identity, ""},
		{spec, identity, ""}, // not fetched again
		{spec, strings.Replace(identity, "sha256:ab", "sha256:cd", 1), "no such file"},
		{spec, strings.Replace(identity, "sha256:ab", "elsewhere.json", 1), "was not shared"},
		{`exec(cmd="true")`, `exec(cmd="true")`, "exec"},
		{`remote(url="ws://127.0.0.1:1")`, `remote(url="ws://127.0.0.1:1")`, "remote"},
	} {
		chunk := arena.Chunk{Setup: setup, Player: c.spec, Identity: c.identity, Games: 1}
		chunk.Setup.SpawnIdentity = chunk.Setup.Spawn
		f, err := factory(&chunk)
		switch {
		case c.failure == "" && err != nil:
			t.Errorf("%s: %v", c.identity, err)
		case c.failure == "":
			if f.New() == nil {
				t.Errorf("%s has no player", c.identity)
			}
		case err == nil || !strings.Contains(err.Error(), c.failure):
			t.Errorf("%s: %v, want %s", c.identity, err, c.failure)
		}
	}
	if fetched != 2 {
		t.Errorf("fetched %d times, want 2", fetched)
	}
	// 2x3 is always solved, so auto plays it by exact values.
	chunk := arena.Chunk{Setup: setup, Player: "auto", Identity: "auto", Games: 1}
	chunk.Setup.Size.Rows, chunk.Setup.Size.Cols = 2, 3
	if _, err := factory(&chunk); err == nil || !strings.Contains(err.Error(), "this machine has them, the experiment does not") {
		t.Errorf("auto without exact values: %v", err)
	}
}
