//go:build browser

package main_test

import (
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/browserstore"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/serve/session"
)

func maker(t testing.TB, spec string, caps catalog.Capabilities) catalog.Maker {
	t.Helper()
	return must.Get(catalog.Parse(spec, caps))(t)
}

// runner returns a runner like that of the engine, which stores nothing.
func runner(t testing.TB, caps catalog.Capabilities) *experiment.Runner {
	t.Helper()
	r := experiment.NewRunner(experiment.RunnerOptions{
		Config:  experiment.Config{Capabilities: caps, Identity: func(spec string) (string, error) { return spec, nil }},
		Open:    func(bool) (experiment.Store, error) { return browserstore.Open(shelf{}) },
		Wrap:    func(p player.Player) player.Player { return session.LimitTime(p, 10*time.Second) },
		Browser: true, MaxRunning: 1,
	})
	t.Cleanup(r.Close)
	return r
}

// shelf is a keeper that stores nothing.
type shelf struct{}

func (shelf) Save(string, []byte) error              { return nil }
func (shelf) Remove(string, string) error            { return nil }
func (shelf) Load(string) (map[string][]byte, error) { return nil, nil }
