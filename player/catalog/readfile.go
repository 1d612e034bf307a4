package catalog

import (
	"fmt"
	"io"

	"github.com/afterstate2048/afterstate/internal/inputfile"
)

// maxSpecFile is the size limit in bytes of a file that a spec names; files of weights are small.
const maxSpecFile = 1 << 20

// ReadFile reads a file that a spec names, for Capabilities.ReadFile. It fails for files above 1
// MiB.
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
