//go:build browser

package main

import (
	"bytes"
	"compress/gzip"
	"testing"
)

// Limits of what a visitor downloads, in bytes, compressed as by gzip -9.
const (
	maxPaint  = 120_000   // before the first paint
	maxEngine = 2_000_000 // after it
)

// The site stays small. A size near its limit is a dependency too many.
func TestSize(t *testing.T) {
	engine, err := compile()
	if err != nil {
		t.Fatal(err)
	}
	files, _ := built(t, options{networks: list{smallNetwork}}, string(engine))
	paint := 0
	for name, data := range files {
		switch size := compressed(t, data); name {
		case "index.html", "app.css", "app.js", "favicon.svg", "figtree.woff2", "manifest.webmanifest":
			paint += size
		case engineName:
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

func compressed(t *testing.T, data []byte) int {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}
