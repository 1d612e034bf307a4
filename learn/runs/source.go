package runs

import (
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/inputfile"
)

// Source is a network that a new run starts from.
type Source struct {
	*ntuple.Network
	History []ntuple.Training
	// Owned means that nothing else uses the network's memory: the run may take it, and then
	// the source is empty.
	Owned bool
}

// source opens the model that Options.From names.
func (f Folder) source(path string) (*Source, error) {
	open := f.OpenSource
	if open == nil {
		open = openRaw
	}
	s, err := open(path)
	return s, inputError(err)
}

// openRaw opens a raw model file.
func openRaw(path string) (*Source, error) {
	file, err := inputfile.Open(path) // opening a pipe itself would wait for a writer
	if err != nil {
		return nil, err
	}
	_ = file.Close()
	m, err := ntuple.Load(path)
	if err != nil {
		return nil, err
	}
	return &Source{Network: m.Network, History: m.Info.History}, nil
}
