//go:build !js

package solve

import (
	"bytes"
	"compress/flate"
	"embed"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed endings/*.sample
var samples embed.FS

// SampleFiles returns the sample files that are embedded in the binary, by name. They are raw
// deflate streams.
func SampleFiles() (map[string][]byte, error) {
	files, err := samples.ReadDir("endings")
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for _, file := range files {
		if all[file.Name()], err = samples.ReadFile(path.Join("endings", file.Name())); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// embeddedSamples returns the samples that are embedded in the binary, those with free walls first.
var embeddedSamples = sync.OnceValue(func() (all []sample) {
	files, err := SampleFiles()
	if err != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if p, ok := endingOf(strings.TrimSuffix(name, ".sample") + ".table"); ok {
			all = append(all, sample{p, sync.OnceValues(func() (*Table, error) { return openSample(files[name]) })})
		}
	}
	return all
})

// openSample decompresses and opens a sample file.
func openSample(data []byte) (*Table, error) {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, errors.Join(errDamaged, err)
	}
	return newTable(&inMemory{data}, sampleWidth)
}
