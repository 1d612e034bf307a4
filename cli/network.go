package cli

import (
	"path/filepath"

	"afterstate/models"
	"afterstate/ntuple"
)

// networks finds what specs on the command line name by model. A model that cannot be loaded
// is the fault of who named it.
var networks = models.Library{Run: checkpointOf, Files: true, Load: func(path string) (*ntuple.Network, error) {
	n, err := models.OpenShort(path)
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
	if err := checkRunName(run); err != nil {
		return "", err
	}
	runs, err := runsFolder()
	if err != nil {
		return "", err
	}
	r := trainRun{id: run, folder: filepath.Join(runs, run)}
	if !r.begun() {
		return "", usagef("no run is called %s in %s%s", run, runs, otherRuns(runs, run))
	}
	return r.checkpoint(), nil
}
