// Package models opens networks from every source: the embedded champion, a training run's
// checkpoint, or a model file, raw or quantized.
//
//	model, err := models.Open("small.model") // with its metadata
//	defer model.Close()
//
// [Library] finds the networks that player specs name, and loads each once for all players of the
// process.
package models

import (
	"sync"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Source is a network that can be loaded.
type Source struct {
	// Load loads the network, or returns the network that was loaded before. Failures are not
	// cached.
	Load func() (*ntuple.Network, error)
	// Loaded reports whether the network is in memory already, so Load returns immediately. It is nil if that is not
	// known.
	Loaded func() bool
	// Coming reports whether Load would wait for a download. It is nil if Load never does. During
	// the download, players such as auto play without a network.
	Coming func() bool
	// Size returns the board size of the network without loading it. It is nil, or ok is false, if
	// the size is not known.
	Size func() (size board.Size, ok bool)
	// Of returns the network for boards of a size if the source contains several networks, as the
	// embedded ones do. It is nil if there is only one network. ok is false for sizes without a
	// network.
	Of func(board.Size) (s Source, ok bool)
	// Endings is the ending network that belongs to this network, or nil for a network without endings.
	Endings *Source
}

// For returns the network for boards of a size: s itself if s has this size, or if Of has no network for it.
func (s Source) For(size board.Size) Source {
	if s.Of == nil {
		return s
	}
	if s.Size != nil {
		if fits, ok := s.Size(); ok && fits == size {
			return s
		}
	}
	if other, ok := s.Of(size); ok {
		return other
	}
	return s
}

// Shared opens a network when it is first needed, and shares it among all callers of Load. Failures are not
// cached, since the cause, such as a lack of memory, may be temporary.
type Shared struct {
	Open func() (*ntuple.Network, error)

	mu      sync.Mutex                     // held while the network is opened
	network atomic.Pointer[ntuple.Network] // nil: not opened yet
}

// Loaded reports whether the network is in memory already, so Load returns immediately.
func (s *Shared) Loaded() bool { return s.network.Load() != nil }

// Load returns the network. The first call opens it.
func (s *Shared) Load() (*ntuple.Network, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.network.Load(); n != nil {
		return n, nil
	}
	n, err := s.Open()
	if err != nil {
		return nil, err
	}
	s.network.Store(n)
	return n, nil
}
