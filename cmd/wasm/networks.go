//go:build js && wasm

package main

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/rules/board"
)

// networks holds the main network and the ending network that the page downloads; the program embeds none. Its method
// Find has the type catalog.Networks. Until expect is called, Find reports that the site has no network; from then on,
// loading waits for set or fail.
type networks struct {
	roomy   bool // the device has memory for complete tables
	mu      sync.Mutex
	network *ntuple.Network
	endings *ntuple.Network // nil: not loaded
	name    string          // checksums of the network and the ending network
	settled chan struct{}   // closed when the network is loaded or err is set; nil: no network is expected
	err     error           // why the network is missing
}

// expect announces that the page loads a network. Players wait for it, unless a network is loaded already.
func (n *networks) expect() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.network == nil {
		n.settled, n.err = make(chan struct{}), nil
	}
}

// fail ends the wait that expect started, because the network cannot be loaded.
func (n *networks) fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.network == nil && n.err == nil {
		n.err = err
		close(n.settled)
	}
}

// set decodes a model file and makes it the network, or the ending network, that players use from now on.
func (n *networks) set(file []byte) error {
	decoded, err := n.decode(file)
	if err != nil {
		return fmt.Errorf("the network is damaged: %w", err)
	}
	name := fmt.Sprintf("%08x", crc32.ChecksumIEEE(file))
	n.mu.Lock()
	switch {
	case decoded.Walls > 0: // the ending network is part of the name, because it changes the games
		n.endings, n.name = decoded, n.name+"+"+name
	default:
		if n.network == nil {
			close(n.settled)
		}
		n.network, n.name, n.endings = decoded, name, nil
	}
	n.mu.Unlock()
	// Free the memory that decoding used. The engine can then reuse it, although the browser never gets it back.
	runtime.GC()
	return nil
}

// maxDense is the maximum size of complete tables in bytes. The network of the site takes 268 MB, or 90 MB with
// sparse tables.
const maxDense = 300 << 20

// decode decodes a model file. It uses complete tables, which are read faster, if there is memory for them,
// and otherwise sparse ones.
func (n *networks) decode(file []byte) (*ntuple.Network, error) {
	t, err := quant.OpenInt16(file)
	if err != nil {
		return nil, err
	}
	debug.SetGCPercent(10) // only 10 %, because the heap consists mostly of tables, which are quick to mark
	if n.roomy && 2*t.Layout.StageCount()*t.Layout.Entries() <= maxDense {
		return quant.DequantizeInt16(file)
	}
	return quant.DequantizeSparse(file)
}

// state returns the network, or nil if it is not loaded. It also returns the channel that is closed when loading
// ends, or nil if no network is expected, and the error if loading has failed.
func (n *networks) state() (network *ntuple.Network, settled chan struct{}, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.network, n.settled, n.err
}

// wait waits until the expected network is loaded or has failed to load. It returns the network's name, or the error.
// If no network is expected, it returns an empty name at once.
func (n *networks) wait(ctx context.Context) (name string, err error) {
	if _, settled, _ := n.state(); settled != nil {
		select {
		case <-settled:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.name, n.err
}

// Find has the type catalog.Networks. If the network is expected but not loaded yet, the function Load of the source
// waits for it.
func (n *networks) Find(name string, _ bool) (models.Source, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	settled := n.settled
	switch {
	case name != "":
		return models.Source{}, errors.New("networks of runs and files cannot be used in a browser: use afterstate serve")
	case n.err != nil:
		return models.Source{}, n.err
	case settled == nil:
		return models.Source{}, errors.New("this site has no network")
	}
	var endings *models.Source
	if late := n.endings; late != nil {
		endings = &models.Source{
			Load:   func() (*ntuple.Network, error) { return late, nil },
			Loaded: func() bool { return true },
			Size:   func() (board.Size, bool) { return late.Size, true },
		}
	}
	loaded := func() bool {
		network, _, _ := n.state()
		return network != nil
	}
	return models.Source{
		Endings: endings,
		Load: func() (*ntuple.Network, error) {
			<-settled
			network, _, err := n.state()
			return network, err
		},
		Loaded: loaded,
		Coming: func() bool { return !loaded() },
		Size: func() (board.Size, bool) {
			if network, _, _ := n.state(); network != nil {
				return network.Size, true
			}
			return board.Size{}, false
		},
	}, nil
}
