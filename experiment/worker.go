package experiment

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"afterstate/arena"
	"afterstate/player"
	"afterstate/player/catalog"
)

// RemotePlayers builds the players of chunks that another machine scheduled, for arena.Worker.Factory.
// It plays a chunk only if its player and spawn rule have the identities here that they have there.
type RemotePlayers struct {
	Config Config
	// File returns the path of a file by the SHA-256 of its contents, such as GetFile of a
	// jetstream.Client.
	File func(ctx context.Context, sum string) (path string, err error)
	// AllowExec permits players that run other programs or connect to them, with Config's
	// Capabilities. Without it no spec may name a path of this machine.
	AllowExec bool

	mu    sync.Mutex
	known map[string]*remotePlayer
}

// remotePlayer is what the chunks of a player have in common.
type remotePlayer struct {
	once    sync.Once
	factory arena.PlayerFactory
	err     error
}

// Factory returns player and spawn rule of a chunk. An error that another machine may not have is an
// arena.UnableError. Files are downloaded once.
func (r *RemotePlayers) Factory(ctx context.Context, c *arena.Chunk) (arena.PlayerFactory, error) {
	key := strings.Join([]string{c.Identity, c.Setup.SpawnIdentity, c.Setup.Size.String()}, "\n")
	r.mu.Lock()
	if r.known == nil {
		r.known = map[string]*remotePlayer{}
	}
	p := r.known[key]
	if p == nil {
		p = &remotePlayer{}
		r.known[key] = p
	}
	r.mu.Unlock()
	p.once.Do(func() { p.factory, p.err = r.build(ctx, c) })
	if p.err != nil {
		r.mu.Lock()
		if r.known[key] == p {
			delete(r.known, key) // it may succeed later
		}
		r.mu.Unlock()
		return p.factory, &arena.UnableError{Err: p.err}
	}
	return p.factory, nil
}

func (r *RemotePlayers) build(ctx context.Context, c *arena.Chunk) (f arena.PlayerFactory, err error) {
	for _, text := range []string{c.Player, c.Identity, c.Setup.Spawn} {
		if !r.AllowExec && arena.RunsOthers(text) {
			return f, fmt.Errorf("%s runs another program or connects to one: start the worker with --allow-exec to permit that", text)
		}
	}
	files := map[string]bool{}
	file := func(sum string) (string, error) {
		path, err := r.File(ctx, sum)
		files[path] = err == nil
		return path, err
	}
	capabilities := r.Config.Capabilities
	read := capabilities.ReadFile
	capabilities.ReadFile = func(path string) ([]byte, error) {
		if !files[path] && !r.AllowExec {
			return nil, fmt.Errorf("%s is a path of this machine, which specs from elsewhere may not name", path)
		}
		return read(path)
	}
	text, err := arena.Localize(c.Player, c.Identity, file)
	if err != nil {
		return f, err
	}
	if !r.AllowExec {
		capabilities.Exec, capabilities.Connect = false, nil
	}
	m, err := catalog.Parse(text, capabilities)
	if err != nil {
		return f, err
	}
	identity, err := r.Config.identity(ctx, m, c.Setup.Size)
	if err != nil {
		return f, err
	}
	if identity != c.Identity {
		return f, fmt.Errorf("%s is another player on this machine: %s, where the experiment has %s", c.Player, identity, c.Identity)
	}
	spawn, err := arena.Localize(c.Setup.Spawn, c.Setup.SpawnIdentity, file)
	if err != nil {
		return f, err
	}
	if f.Spawn, err = catalog.ParseSpawner(spawn, capabilities); err != nil {
		return f, err
	}
	if identity, err = r.Config.Identity(spawn); err != nil {
		return f, err
	}
	if identity != c.Setup.SpawnIdentity {
		return f, fmt.Errorf("%s is another spawn rule on this machine: %s, where the experiment has %s", c.Setup.Spawn, identity, c.Setup.SpawnIdentity)
	}
	f.New = func() (player.Player, error) { return m.New(), nil }
	return f, nil
}
