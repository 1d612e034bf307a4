package serve

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/afterstate2048/afterstate/internal/palette"
	"github.com/afterstate2048/afterstate/protocol"
)

//go:embed dist
var dist embed.FS

// page serves the files of dist from memory, plain and compressed.
type page struct{ files map[string]*file }

type file struct {
	kind, tag   string
	whole, gzip []byte // gzip is nil if it is not smaller
}

func newPage() *page {
	p := &page{files: map[string]*file{}}
	paths, err := fs.Glob(dist, "dist/*.*") // not siteFolder
	for _, file := range paths {
		var data []byte
		if data, err = dist.ReadFile(file); err != nil {
			break
		}
		name := path.Base(file)
		if name == "app.css" {
			data = append(tileColours(), data...)
		}
		p.files["/"+name] = newFile(name, data)
	}
	if err != nil {
		panic(err) // cannot fail: dist is embedded
	}
	p.files["/"] = p.files["/index.html"]
	return p
}

// siteFolder has the scripts that only static sites have.
const siteFolder = "site"

func newFile(name string, data []byte) *file {
	sum := sha256.Sum256(data)
	f := &file{kind: kinds[path.Ext(name)], tag: `"` + hex.EncodeToString(sum[:12]) + `"`, whole: data}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // cannot fail: the level is valid
	_, _ = w.Write(data)
	_ = w.Close()
	if packed.Len() < len(data)*9/10 {
		f.gzip = packed.Bytes()
	}
	return f
}

// kinds are the media types of the page's files. The system's own table may lack some or override them.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2",
	".webmanifest": "application/manifest+json",
}

// tileColours returns the colours of package palette as CSS variables.
func tileColours() []byte {
	css := []byte(":root{")
	for e := uint8(1); e <= 18; e++ {
		fill, ink := palette.Tile(e)
		css = fmt.Appendf(css, "--t%d:%s;--i%d:%s;", e, fill, e, ink)
	}
	return append(css, '}')
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.files[r.URL.Path].serve(w, r) }

// serve answers with a file, or with 404 if it is nil.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "method "+protocol.Quote(r.Method)+": want GET, or POST to /api")
		return
	}
	if f == nil {
		refuse(w, http.StatusNotFound, "nothing is at "+protocol.Quote(r.URL.Path)+": want /, /api or /ws")
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache") // the browser must revalidate
	h.Set("ETag", f.tag)
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.whole
	if f.gzip != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.gzip
	}
	h.Set("Content-Length", fmt.Sprint(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}
