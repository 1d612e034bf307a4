package disk

import (
	"os"
	"path/filepath"
)

// Existing returns folder if it exists, otherwise its nearest ancestor that exists.
func Existing(folder string) string {
	for folder != filepath.Dir(folder) {
		if _, err := os.Stat(folder); err == nil {
			break
		}
		folder = filepath.Dir(folder)
	}
	return folder
}
