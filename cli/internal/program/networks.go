package program

import (
	"afterstate/cli/internal/usage"
	"afterstate/experiment"
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/player/bot/remote"
	"afterstate/player/catalog"
	"afterstate/runs"
)

// networks resolves the key model of specs on the command line. A model that cannot be loaded is
// reported as bad input.
var networks = models.Library{Run: Checkpoint, Files: true, Load: func(path string) (*ntuple.Network, error) {
	n, err := models.OpenInt16(path)
	return n, usage.Wrap(err)
}}

// RunNetworks resolves the networks for untrusted specs.
var RunNetworks = models.Library{Run: Checkpoint}

// ModelPath returns the path of the model that a command was given, a file or the name of a run; see
// models.Locate.
func ModelPath(name string) (string, error) {
	path, err := models.Locate(name, Checkpoint)
	return path, usage.Wrap(err)
}

// OpenModel opens a model that ModelPath found; see models.Open.
func OpenModel(path string) (*models.Model, error) {
	m, err := models.Open(path)
	return m, usage.Wrap(err)
}

// Checkpoint returns the file of a run's network.
func Checkpoint(run string) (string, error) {
	folder, err := runs.Default()
	if err != nil {
		return "", RunError(err)
	}
	path, err := folder.Checkpoint(run)
	return path, RunError(err)
}

// Capabilities are those of specs on the command line.
var Capabilities = catalog.Capabilities{
	ReadFile: catalog.ReadFile, Networks: &networks, Exec: true, Connect: remote.Connect, Trusted: true,
}

// Identity returns the identity of a spec's player: files are identified by their contents.
func Identity(spec string) (string, error) { return experiment.Identity(spec, Checkpoint) }
