//go:build js && wasm

// Command wasm is the engine of the static site: package session behind the messages of a Web
// Worker, as package serve is session behind a WebSocket. make site builds it; docs/site.md
// describes the site.
//
// The worker's script (serve/ui/src/worker.ts) calls the functions that [exports] lists, and the
// engine calls functions of the global object afterstate that the script has set before.
package main

import (
	"fmt"
	"runtime/debug"
	"syscall/js"

	"afterstate/internal/version"
	"afterstate/player/catalog"
	"afterstate/session"
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
	e := &engine{page: page, networks: newNetworks(), messages: newInbox()}
	maker, err := catalog.Parse(defaultPlayer, e.capabilities())
	if err != nil {
		return nil, err
	}
	e.host, err = session.NewHost(session.HostOptions{
		Name: "afterstate", Version: version.Version, Player: maker, Capabilities: e.capabilities(),
	})
	if err != nil {
		return nil, err
	}
	e.peer = e.host.NewPeer()
	return e, nil
}

// capabilities of specs: the networks of the site, and neither files nor programs.
func (e *engine) capabilities() catalog.Capabilities {
	return catalog.Capabilities{Networks: e.networks}
}

// setNetwork decodes a network and lets players use it.
func (e *engine) setNetwork(file []byte) error {
	if err := e.networks.set(file); err != nil {
		return fmt.Errorf("the network is damaged: %w", err)
	}
	maker, err := catalog.Parse(defaultPlayer, e.capabilities())
	if err != nil {
		return err
	}
	return e.host.SetPlayer(maker)
}
