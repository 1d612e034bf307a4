package bot

import "errors"

// startProcess fails: browsers have no programs.
func startProcess([]string) (connection, error) {
	return nil, errors.New("a browser starts no programs")
}
