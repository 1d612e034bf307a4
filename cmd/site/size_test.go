//go:build browser

package main

import (
	"bytes"
	"compress/gzip"
	"regexp"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// Limits of what a visitor downloads, in bytes, compressed as by gzip -9.
const (
	maxPaint  = 99_000    // before the first paint
	maxEngine = 3_370_000 // after the first paint
)

// The site stays small.
func TestSize(t *testing.T) {
	engine := must.Get(compile())(t)
	files, _ := built(t, options{networks: []string{smallNetwork}}, string(engine))
	first := append([]string{"index.html", "app.css", "favicon.svg", "figtree.woff2", "manifest.webmanifest"}, scripts(files, "app.js")...)
	paint := 0
	for name, data := range files {
		size := compressed(t, data)
		if slices.Contains(first, name) {
			paint += size
		}
		if name == engineName {
			t.Logf("the engine: %d bytes", size)
			if size > maxEngine {
				t.Errorf("the engine takes %d bytes, more than %d", size, maxEngine)
			}
		}
	}
	t.Logf("first paint: %d bytes", paint)
	if paint > maxPaint {
		t.Errorf("the first paint takes %d bytes, more than %d", paint, maxPaint)
	}
}

// staticImport is an import that a browser follows before it runs the script, not one of import().
var staticImport = regexp.MustCompile(`(?:from|import)"\./([\w-]+\.js)"`)

// scripts returns a script and the scripts that it imports.
func scripts(files map[string][]byte, name string) []string {
	all := []string{name}
	for i := 0; i < len(all); i++ {
		for _, m := range staticImport.FindAllSubmatch(files[all[i]], -1) {
			if of := string(m[1]); !slices.Contains(all, of) {
				all = append(all, of)
			}
		}
	}
	return all
}

func compressed(t *testing.T, data []byte) int {
	t.Helper()
	var b bytes.Buffer
	z := must.Get(gzip.NewWriterLevel(&b, gzip.BestCompression))(t)
	must.Get(z.Write(data))(t)
	must.Do(t, z.Close())
	return b.Len()
}
