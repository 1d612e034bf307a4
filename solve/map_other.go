//go:build !unix

package solve

import "os"

// mapFile reads a file into memory.
func mapFile(path string) (data []byte, release func(), err error) {
	data, err = os.ReadFile(path)
	return data, func() {}, err
}
