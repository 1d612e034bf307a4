package bot

import "errors"

// startProcess fails: a browser cannot start programs.
func startProcess([]string) (line, error) {
	return nil, errors.New("a browser cannot start programs")
}
