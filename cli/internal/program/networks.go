package program

import (
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/player/bot/remote"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// networks resolves the key model of specs on the command line. A model that cannot be loaded is
// reported as bad input.
var networks = models.Library{Run: Checkpoint, Files: true, Load: func(path string) (*ntuple.Network, error) {
	n, err := models.OpenInt16(path)
	return n, usage.Wrap(err)
}}

// RunNetworks resolves the networks for untrusted specs.
var RunNetworks = models.Library{Run: Checkpoint}

// OpenModel opens the model that a user names, a file or a training run, unless it is one of the outputs. It returns
// its path too.
func OpenModel(name string, outputs ...string) (path string, m *models.Model, err error) {
	if path, err = models.Locate(name, Checkpoint); err == nil {
		err = output.Distinct(append([]string{path}, outputs...)...)
	}
	if err == nil {
		m, err = models.Open(path)
	}
	return path, m, usage.Wrap(err)
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
	ReadFile: catalog.ReadFile, Networks: networks.Find, Exec: true, Connect: remote.Connect, Trusted: true,
}

// Identity returns the identity of a spec's player: files are identified by their contents.
func Identity(spec string) (string, error) { return experiment.Identity(spec, Checkpoint) }

// Player parses the spec of a player on the command line.
func Player(spec string) (catalog.Maker, error) { return catalog.Parse(spec, Capabilities) }
