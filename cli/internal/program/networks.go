package program

import (
	"fmt"
	"io"

	"afterstate/cli/internal/usage"
	"afterstate/experiment"
	"afterstate/internal/inputfile"
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/player/catalog"
	"afterstate/runs"
)

// networks finds what specs on the command line name by model. A model that cannot be loaded
// is the fault of who named it.
var networks = models.Library{Run: Checkpoint, Files: true, Load: func(path string) (*ntuple.Network, error) {
	n, err := models.OpenShort(path)
	return n, usage.Wrap(err)
}}

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
var Capabilities = catalog.Capabilities{ReadFile: readSpecFile, Networks: &networks, Exec: true, Trusted: true}

// maxSpecFile is the largest file that a spec may name; weights take a few lines.
const maxSpecFile = 1 << 20

// readSpecFile reads a file that a spec names.
func readSpecFile(path string) ([]byte, error) {
	f, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSpecFile+1))
	if err == nil && len(data) > maxSpecFile {
		err = fmt.Errorf("%s has more than %d bytes: want a small file of weights", path, maxSpecFile)
	}
	return data, err
}

// Identity is what a spec stands for now: files by their contents.
func Identity(spec string) (string, error) { return experiment.Identity(spec, Checkpoint) }
