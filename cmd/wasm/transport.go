//go:build js && wasm

package main

import (
	"context"
	"errors"
	"sync"
	"syscall/js"

	"github.com/afterstate2048/afterstate/protocol"
)

// inbox holds the messages that have not been handled. Callbacks of JavaScript may not block, so it
// has no limit; the page waits for answers.
type inbox struct {
	mu    sync.Mutex
	lines [][]byte
	some  chan struct{}
}

func newInbox() *inbox { return &inbox{some: make(chan struct{}, 1)} }

func (i *inbox) put(line []byte) {
	i.mu.Lock()
	i.lines = append(i.lines, line)
	i.mu.Unlock()
	select {
	case i.some <- struct{}{}:
	default:
	}
}

func (i *inbox) take() (lines [][]byte) {
	<-i.some
	i.mu.Lock()
	defer i.mu.Unlock()
	lines, i.lines = i.lines, nil
	return lines
}

// export sets the functions that the worker's script calls. Their texts are JSON-RPC messages.
//
//	receive(text)       a message of the page's connection; answers go to afterstate.send
//	alone(text, done)   a request without a connection; done gets the answer
//	expect()            a network is being loaded
//	fail(text)          it will not come
//	network(bytes, done) a model file to play with; done gets an error's text, or ""
func (e *engine) export() {
	exports := map[string]func(args []js.Value){
		"receive": func(args []js.Value) { e.messages.put([]byte(args[0].String())) },
		"alone": func(args []js.Value) {
			text, done := []byte(args[0].String()), args[1]
			go func() { done.Invoke(string(e.alone(text))) }()
		},
		"expect": func([]js.Value) { e.networks.expect() },
		"fail":   func(args []js.Value) { e.networks.fail(errors.New(args[0].String())) },
		"network": func(args []js.Value) {
			file, done := make([]byte, args[0].Length()), args[1]
			js.CopyBytesToGo(file, args[0])
			go func() {
				problem := ""
				if err := e.setNetwork(file); err != nil {
					problem = err.Error()
				}
				done.Invoke(problem)
			}()
		},
	}
	for name, f := range exports {
		e.page.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			f(args)
			return nil
		}))
	}
}

// serve answers the page's connection. It never returns: the browser ends workers.
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

// send passes answers and frames to the page.
func (e *engine) send() {
	for {
		select {
		case line := <-e.peer.Answers():
			e.page.Call("send", string(line))
			e.peer.Sent(line)
		case <-e.peer.News():
			for _, line := range e.peer.Frames() {
				e.page.Call("send", string(line))
			}
		}
	}
}

// alone answers a request without a connection, which may contain a picture.
func (e *engine) alone(text []byte) []byte {
	request, wrong := protocol.ParseRequest(text)
	if len(text) > protocol.MaxLine {
		request, wrong = protocol.ParseFileRequest(text)
	}
	return e.host.Answer(context.Background(), request, wrong)
}
