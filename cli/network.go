package cli

import (
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/runs"
)

// networks finds what specs on the command line name by model. A model that cannot be loaded
// is the fault of who named it.
var networks = models.Library{Run: checkpointOf, Files: true, Load: func(path string) (*ntuple.Network, error) {
	n, err := models.OpenInt16(path)
	return n, usage(err)
}}

// ofRuns are the networks that specs may name that arrive over a network.
var ofRuns = models.Library{Run: checkpointOf}

// loadModel opens the model file that a command is given; see models.Open.
func loadModel(path string) (*models.Model, error) {
	m, err := models.Open(path)
	return m, usage(err)
}

// checkpointOf is the file of a run's network.
func checkpointOf(run string) (string, error) {
	folder, err := runs.Default()
	if err != nil {
		return "", trainError(err)
	}
	path, err := folder.Checkpoint(run)
	return path, trainError(err)
}
