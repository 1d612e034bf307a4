//go:build js && wasm

package main

import (
	"errors"
	"runtime"
	"sync"

	"afterstate/board"
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/ntuple/quant"
)

// networks holds the network that the page has downloaded, in the place of the embedded one. It
// implements catalog.Networks.
type networks struct {
	mu      sync.Mutex
	network *ntuple.Network
	arrived chan struct{} // closed when there is one
}

func newNetworks() *networks { return &networks{arrived: make(chan struct{})} }

// set decodes a model file and makes it the network that players use from now on.
func (n *networks) set(file []byte) error {
	decoded, err := quant.DequantizeSparse(file)
	if err != nil {
		return err
	}
	n.mu.Lock()
	if n.network == nil {
		close(n.arrived)
	}
	n.network = decoded
	n.mu.Unlock()
	runtime.GC() // a browser never gets memory back, so the next network may use that of unpacking
	return nil
}

func (n *networks) get() *ntuple.Network {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.network
}

// Find implements catalog.Networks. Until the network has arrived, Load waits for it.
func (n *networks) Find(name string, file bool) (models.Source, error) {
	if name != "" {
		return models.Source{}, errors.New("networks of runs and files may not be named in a browser: want afterstate serve")
	}
	return models.Source{
		Load: func() (*ntuple.Network, error) {
			<-n.arrived
			return n.get(), nil
		},
		Loaded: func() bool { return n.get() != nil },
		Coming: func() bool { return n.get() == nil },
		Size: func() (board.Size, bool) {
			if now := n.get(); now != nil {
				return now.Size, true
			}
			return board.Size{}, false
		},
	}, nil
}
