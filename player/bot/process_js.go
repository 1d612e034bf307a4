package bot

import "errors"

// startProcess fails: browsers have no programs.
func startProcess([]string) (line, error) {
	return nil, errors.New("a browser starts no programs")
}
