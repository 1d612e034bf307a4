package catalog

import (
	"fmt"
	"io"

	"afterstate/internal/inputfile"
)

// maxSpecFile is the largest file that a spec may name; weights take a few lines.
const maxSpecFile = 1 << 20

// ReadFile reads a file that a spec names, for Capabilities. It reads small ones only.
func ReadFile(path string) ([]byte, error) {
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
