//go:build js && wasm

// Command wasm is the engine of the static site: it answers the page's requests with package
// session over the messages of a Web Worker, as package serve does over a WebSocket. make site
// builds it; docs/site.md describes the site.
//
// The worker's script (serve/ui/src/engine/worker.ts) calls the functions that export sets. The engine
// calls functions of the global object afterstate, which the script sets before it starts the
// engine.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"syscall/js"
	"time"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/browserstore"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
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

// defaultPlayer is the player for requests that name no player.
const defaultPlayer = "auto"

// engine answers the requests of one page.
type engine struct {
	page     js.Value // the object afterstate that the worker's script provides
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
	o := session.Options{Name: "afterstate", Version: version.Version, Player: maker, Capabilities: e.capabilities()}
	if page.Get("save").Truthy() { // this worker stores experiments
		o.Experiments = e.newExperiments(keeper{page})
	}
	if e.host, err = session.NewHost(o); err != nil {
		return nil, err
	}
	e.peer = e.host.NewPeer()
	return e, nil
}

// capabilities lets specs name the networks of the site, but neither files nor programs.
func (e *engine) capabilities() catalog.Capabilities {
	return catalog.Capabilities{Networks: e.networks.Find}
}

// setNetwork decodes a network and lets players use it, including the default player.
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

// thinkTime is the time limit for one decision in experiments.
const thinkTime = 10 * time.Second

// maxExperiments is the maximum number of stored experiments.
const maxExperiments = 200

// newExperiments returns a runner that plays experiments and stores them in the browser.
func (e *engine) newExperiments(k keeper) *experiment.Runner {
	open := func(bool) (experiment.Store, error) { // open is called at each request until it succeeds
		if err := k.hold(); err != nil {
			return nil, err
		}
		return browserstore.Open(k)
	}
	return experiment.NewRunner(experiment.RunnerOptions{
		// the identity is the spec itself, because specs name no files here
		Config: experiment.Config{Capabilities: e.capabilities(), Identity: func(spec string) (string, error) { return spec, nil }},
		Open:   open, Browser: true, MaxRunning: 1, MaxExperiments: maxExperiments,
		Version: func(ctx context.Context) (string, error) {
			name, err := e.networks.wait(ctx)
			if ctx.Err() != nil {
				return "", err
			}
			if name == "" { // there is no network; players that need one report the error
				return version.Version, nil
			}
			return version.Version + " with the network " + name, nil
		},
		Wrap: func(p player.Player) player.Player { return session.LimitTime(p, thinkTime) },
	})
}

// inbox holds the messages that have not been handled. Its size is not limited, because JavaScript
// callbacks must not block. The page limits it by waiting for answers.
type inbox struct {
	mu    sync.Mutex
	lines [][]byte
	ready chan struct{} // signals that lines has messages
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1)} }

func (i *inbox) put(line []byte) {
	i.mu.Lock()
	i.lines = append(i.lines, line)
	i.mu.Unlock()
	workers.Signal(i.ready)
}

func (i *inbox) take() (lines [][]byte) {
	<-i.ready
	i.mu.Lock()
	defer i.mu.Unlock()
	lines, i.lines = i.lines, nil
	return lines
}

// export sets the functions that the worker's script calls. The parameter text of receive and alone
// is a JSON-RPC message.
//
//	receive(text)        a message on the page's connection; answers go to afterstate.send
//	alone(text, done)    a request without a connection; done gets the answer
//	expect()             a network is being loaded
//	fail(text)           the expected network cannot be loaded; text is the reason
//	network(bytes, done) a model file to play with; done gets the text of an error, or ""
//	sample(bytes)        a sample of a solved ending, decompressed
func (e *engine) export() {
	bytesOf := func(array js.Value) []byte {
		data := make([]byte, array.Length())
		js.CopyBytesToGo(data, array)
		return data
	}
	exports := map[string]func(args []js.Value){
		"receive": func(args []js.Value) { e.messages.put([]byte(args[0].String())) },
		"alone": func(args []js.Value) {
			text, done := []byte(args[0].String()), args[1]
			go func() { done.Invoke(string(e.alone(text))) }()
		},
		"expect": func([]js.Value) { e.networks.expect() },
		"fail":   func(args []js.Value) { e.networks.fail(errors.New(args[0].String())) },
		"network": func(args []js.Value) {
			file, done := bytesOf(args[0]), args[1]
			go func() {
				problem := ""
				if err := e.setNetwork(file); err != nil {
					problem = err.Error()
				}
				done.Invoke(problem)
			}()
		},
		"sample": func(args []js.Value) {
			if err := catalog.Tables.AddSample(bytesOf(args[0])); err != nil {
				// written to the browser's console; without the sample, players search the boards of the ending
				fmt.Fprintln(os.Stderr, err)
			}
		},
	}
	for name, f := range exports {
		e.page.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			f(args)
			return nil
		}))
	}
}

// serve answers the requests on the page's connection. It never returns: the browser terminates
// workers.
func (e *engine) serve() {
	ctx := context.Background()
	go e.peer.Search(ctx)
	go e.send()
	for {
		for _, line := range e.messages.take() {
			request, wrong := protocol.ParsePageRequest(line)
			e.peer.Receive(ctx, request, wrong)
		}
	}
}

// send passes answers, frames of games and notices to the page.
func (e *engine) send() {
	for {
		select {
		case line := <-e.peer.Answers():
			e.page.Call("send", string(line))
		case <-e.peer.News():
			for _, line := range e.peer.Frames() {
				e.page.Call("send", string(line))
			}
		}
	}
}

// alone answers a request that comes without a connection. The request may contain a picture.
func (e *engine) alone(text []byte) []byte {
	request, wrong := protocol.ParseRequest(text)
	if len(text) > protocol.MaxLine {
		request, wrong = protocol.ParseFileRequest(text)
	}
	return e.host.Answer(context.Background(), request, wrong)
}
