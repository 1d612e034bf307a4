package champion

import (
	"io/fs"

	"afterstate/ntuple"
	"afterstate/ntuple/quant"
)

// MaxEndings is the most bytes that the ending network may add to the executable.
const MaxEndings = 3_000_000

const endingsName = "parts/endings.model"

// HasEndings reports whether this build has an ending network. It reads none of it.
func HasEndings() bool {
	info, err := fs.Stat(embedded, endingsName)
	return err == nil && !info.IsDir()
}

// EndingsFile returns the file of the ending network.
func EndingsFile() ([]byte, error) {
	if !HasEndings() {
		return nil, ErrNone
	}
	return fs.ReadFile(embedded, endingsName)
}

// DecodeEndings decodes the ending network for the caller, who closes it. Its tables are sparse: nearly all contents of
// its patterns are impossible, and complete tables would take more than a gigabyte.
func DecodeEndings() (*ntuple.Network, error) {
	file, err := EndingsFile()
	if err != nil {
		return nil, err
	}
	return quant.DequantizeSparse(file)
}
