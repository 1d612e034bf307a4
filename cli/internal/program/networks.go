package program

import (
	"afterstate/cli/internal/usage"
	"afterstate/experiment"
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/player/catalog"
	"afterstate/runs"
)

// networks finds what specs on the command line name by model. A model that cannot be loaded
// is the fault of who named it.
var networks = models.Library{Run: Checkpoint, Files: true, Load: func(path string) (*ntuple.Network, error) {
	n, err := models.OpenInt16(path)
	return n, usage.Wrap(err)
}}

// AnnounceDecoding calls announce before the champion is decoded for specs on the command line.
// Call it before any spec is read.
func AnnounceDecoding(announce func()) { networks.Decoding = announce }

// RunNetworks are the networks that specs may name that arrive over a network.
var RunNetworks = models.Library{Run: Checkpoint}

// OpenModel opens the model file that a command is given; see models.Open.
func OpenModel(path string) (*models.Model, error) {
	m, err := models.Open(path)
	return m, usage.Wrap(err)
}

// Checkpoint is the file of a run's network.
func Checkpoint(run string) (string, error) {
	folder, err := runs.Default()
	if err != nil {
		return "", RunError(err)
	}
	path, err := folder.Checkpoint(run)
	return path, RunError(err)
}

// Capabilities is what specs typed on the command line may do.
var Capabilities = catalog.Capabilities{ReadFile: catalog.ReadFile, Networks: &networks, Exec: true, Trusted: true}

// Identity is what a spec stands for now: files by their contents.
func Identity(spec string) (string, error) { return experiment.Identity(spec, Checkpoint) }
