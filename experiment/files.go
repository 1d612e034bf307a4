package experiment

import (
	"afterstate/arena"
)

// Files returns the files that a spec names besides those of commands, as paths by the hash that
// represents them in the spec's identity ("sha256:..."). checkpoint is as for Identity.
func Files(spec string, checkpoint func(run string) (path string, err error)) (map[string]string, error) {
	all := map[string]string{}
	_, err := arena.Identity(spec, func(key, value string) (string, bool, error) {
		path, hash, err := identified(key, value, checkpoint)
		if hash != "" && key != "cmd" {
			all[hash] = path
		}
		return hash, hash != "", err
	})
	return all, err
}
