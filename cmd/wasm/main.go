//go:build js && wasm

// Command wasm is the engine of the static site: package session behind the messages of a Web
// Worker, as package serve is session behind a WebSocket. make site builds it; docs/site.md
// describes the site.
//
// The worker's script (serve/ui/src/worker.ts) calls the functions that [exports] lists, and the
// engine calls functions of the global object afterstate that the script has set before.
package main

import (
	"context"
	"runtime/debug"
	"syscall/js"
	"time"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/solo"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/serve/session"
)

func main() {
	debug.SetGCPercent(50)
	page := js.Global().Get("afterstate")
	e, err := newEngine(page)
	if err != nil {
		page.Call("failed", err.Error())
		return
	}
	e.export()
	page.Call("started")
	e.serve()
}

// defaultPlayer answers requests that name no player.
const defaultPlayer = "auto"

// engine is a session of one page.
type engine struct {
	page     js.Value // what the worker's script provides
	host     *session.Host
	peer     *session.Peer
	networks *networks
	messages *inbox
}

func newEngine(page js.Value) (*engine, error) {
	e := &engine{page: page, networks: &networks{roomy: page.Get("roomy").Truthy()}, messages: newInbox()}
	maker, err := catalog.Parse(defaultPlayer, e.capabilities())
	if err != nil {
		return nil, err
	}
	o := session.HostOptions{Name: "afterstate", Version: version.Version, Player: maker, Capabilities: e.capabilities()}
	if page.Get("save").Truthy() { // this worker has the experiments
		if o.Experiments, err = e.newExperiments(keeper{page}); err != nil { // the browser refuses, or a value is damaged
			o.Experiments, err = e.newExperiments(noKeeper{err})
		}
		if err != nil {
			return nil, err
		}
	}
	if e.host, err = session.NewHost(o); err != nil {
		return nil, err
	}
	e.peer = e.host.NewPeer()
	return e, nil
}

// capabilities of specs: the networks of the site, and neither files nor programs.
func (e *engine) capabilities() catalog.Capabilities {
	return catalog.Capabilities{Networks: e.networks.Find}
}

// setNetwork decodes a network and lets players use it, the default player among them.
func (e *engine) setNetwork(file []byte) error {
	if err := e.networks.set(file); err != nil {
		return err
	}
	maker, err := catalog.Parse(defaultPlayer, e.capabilities())
	if err != nil {
		return err
	}
	return e.host.SetPlayer(maker)
}

// thinkTime is the limit of one decision in experiments.
const thinkTime = 10 * time.Second

// maxExperiments is the limit of stored experiments.
const maxExperiments = 200

// newExperiments returns what plays experiments and keeps them in the browser.
func (e *engine) newExperiments(k solo.Keeper) (*experiment.Runner, error) {
	var shared solo.Locker
	if e.page.Get("lock").Truthy() { // browsers have locks only for pages of HTTPS or of the same machine
		shared = locks{e.page}
	}
	s, err := solo.Open(k, shared)
	if err != nil {
		return nil, err
	}
	return experiment.NewRunner(experiment.RunnerOptions{
		Config: experiment.Config{Capabilities: e.capabilities(), Identity: func(spec string) (string, error) { return spec, nil }}, // it names no files
		Open:   func(bool) (experiment.Store, error) { return s, nil }, Browser: true, MaxRunning: 1, MaxExperiments: maxExperiments,
		Version: func(ctx context.Context) (string, error) {
			name, err := e.networks.wait(ctx)
			if ctx.Err() != nil {
				return "", err
			}
			if name == "" { // players that need a network report the error
				return version.Version, nil
			}
			return version.Version + " with the network " + name, nil
		},
		Wrap: func(p player.Player) player.Player { return session.LimitTime(p, thinkTime) },
	}), nil
}
