package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"afterstate/champion"
	"afterstate/ntuple"
)

// findNetwork is what specs name by model: a run's checkpoint, or a file; without a
// name the program's own. It is read when it is needed.
func findNetwork(name string, file bool) (func() (*ntuple.Network, error), error) {
	if name == "" {
		if !champion.Embedded() {
			return nil, fmt.Errorf(`%w: want model=RUN, the name of a run of train, or model="FILE"`, champion.ErrNone)
		}
		return champion.Network, nil
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

// championSpec is what auto plays on 4x4, if there is a network for it.
func championSpec() string {
	if champion.Embedded() {
		return "champion"
	}
	return ""
}
