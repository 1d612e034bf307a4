//go:build !js

package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// WorkerConfig holds what a worker needs to play chunks from other machines. Fetch is required.
type WorkerConfig struct {
	// Capabilities are used to parse the specs of chunks. Only files that Fetch has returned are read.
	Capabilities catalog.Capabilities
	// Fetch returns the path of a local copy of the file whose contents have this SHA-256.
	Fetch func(ctx context.Context, sum string) (path string, err error)
	// Identity returns the identity of an external program's spec on this machine; see Config.
	Identity func(spec string) (string, error)
}

// Factory returns the function for arena.ChunkPlayer.Factory. That function returns an error for a chunk that
// this machine cannot play, or would play differently from the scheduler's machine.
func (w *WorkerConfig) Factory(ctx context.Context) func(*arena.Chunk) (arena.PlayerFactory, error) {
	var mu sync.Mutex
	factories := map[string]arena.PlayerFactory{} // keys: the player's identity and the setup's hash
	return func(c *arena.Chunk) (arena.PlayerFactory, error) {
		mu.Lock()
		defer mu.Unlock() // also held during downloads: each file is downloaded once
		key := c.Identity + "\n" + c.Setup.Hash()
		if f, ok := factories[key]; ok {
			return f, nil
		}
		f, err := w.playerFactory(ctx, c)
		if err != nil {
			return f, err
		}
		if len(factories) >= maxKnown {
			clear(factories)
		}
		factories[key] = f
		return f, nil
	}
}

// Player returns a function that plays the games of jobs on one core. end closes the players that
// play has created.
func Player(factory func(*arena.Chunk) (arena.PlayerFactory, error)) (play machines.Do, end func()) {
	p := &arena.ChunkPlayer{Factory: factory}
	return func(ctx context.Context, j *machines.Job) (any, int, error) {
		var c arena.Chunk
		if err := json.Unmarshal(j.Payload, &c); err != nil {
			return nil, 0, fmt.Errorf("not a chunk of games: %w", err)
		}
		all, err := p.Play(ctx, &c)
		return gamesPayload{c, all}, len(all), err
	}, p.Close
}

// maxKnown is the maximum number of player factories in the cache of Factory.
const maxKnown = 64

// maker parses the spec of a chunk's player. It returns an error if the player would play differently here than on the
// scheduler's machine.
func (w *WorkerConfig) maker(ctx context.Context, c *arena.Chunk) (m catalog.Maker, err error) {
	spec, err := w.local(ctx, c.Player, c.Identity, c.Folder)
	if err != nil {
		return m, err
	}
	if m, err = catalog.Parse(spec, w.Capabilities); err != nil {
		return m, err
	}
	if m.External != nil {
		config := Config{Identity: w.Identity}
		local, err := config.identity(ctx, m, c.Setup.Size)
		if err == nil && local != c.Identity {
			err = fmt.Errorf("%s is another program on this machine: %s, not %s", c.Player, arena.Short(local), arena.Short(c.Identity))
		}
		return m, err
	}
	if exact := m.Exact != nil && m.Exact(c.Setup.Size); exact != (arena.Argument(c.Identity, "values") == "exact") {
		with, without := "the experiment", "this machine"
		if exact {
			with, without = without, with
		}
		err = fmt.Errorf("%s plays %v differently: %s has its table of exact values, %s does not; see afterstate solve", c.Player, c.Setup.Size, with, without)
	}
	return m, err
}

// local returns a spec in which the files are replaced by local copies. Files of external programs are not
// downloaded: they must be in the scheduler's folder, which may be shared between machines, or else in the
// worker's folder.
func (w *WorkerConfig) local(ctx context.Context, spec, identity, folder string) (string, error) {
	return arena.Located(spec, identity, func(hash string) (string, error) {
		return w.Fetch(ctx, strings.TrimPrefix(hash, "sha256:"))
	}, func(name string) string {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); filepath.IsAbs(name) || err != nil || !info.Mode().IsRegular() {
			return name
		}
		return path
	})
}

// playerFactory builds the player factory for a chunk.
func (w *WorkerConfig) playerFactory(ctx context.Context, c *arena.Chunk) (f arena.PlayerFactory, err error) {
	m, err := w.maker(ctx, c)
	if err != nil {
		return f, err
	}
	spawn, err := w.local(ctx, c.Setup.Spawn, c.Setup.SpawnIdentity, "")
	if err != nil {
		return f, err
	}
	f.New = m.New
	f.Spawn, err = catalog.ParseSpawner(spawn, w.Capabilities)
	return f, err
}
