//go:build !js

package solve

import (
	"embed"
	"strings"
	"sync"
)

//go:embed samples
var samples embed.FS

// embeddedSamples returns the samples in the binary, those with free walls first.
var embeddedSamples = sync.OnceValue(func() (all []embedded) {
	files, err := samples.ReadDir("samples")
	if err != nil {
		return nil
	}
	for _, file := range files {
		p, ok := endingOf(strings.TrimSuffix(file.Name(), ".sample") + ".table")
		if !ok {
			continue
		}
		all = append(all, embedded{p, sync.OnceValues(func() (*Table, error) {
			data, err := samples.ReadFile("samples/" + file.Name())
			if err != nil {
				return nil, err
			}
			return openSample(data)
		})})
	}
	return all
})
