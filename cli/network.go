package cli

import (
	"errors"
	"os"
	"path/filepath"

	"afterstate/ntuple"
)

// findNetwork is what specs name by model: a run's checkpoint, or a file. It is read
// when it is needed.
func findNetwork(name string, file bool) (func() (*ntuple.Network, error), error) {
	if name == "" {
		return nil, errors.New(`no network comes with this build: want model=RUN, the name of a run of train, or model="FILE"`)
	}
	path := name
	if !file {
		var err error
		if path, err = checkpointOf(name); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(path); err != nil {
		return nil, rootCause(err)
	}
	return func() (*ntuple.Network, error) {
		m, err := loadModel(path)
		if err != nil {
			return nil, err
		}
		defer m.Close()
		return m.Network.Short()
	}, nil
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
