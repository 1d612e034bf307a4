package serve

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/internal/palette"
	"github.com/afterstate2048/afterstate/protocol"
)

//go:embed dist
var dist embed.FS

// page serves the files of dist from memory, plain or compressed.
type page struct{ files map[string]*file }

type file struct {
	kind, tag   string
	whole, gzip []byte // the contents, plain and compressed; gzip is nil if compression saves less than 10 %
}

// thePage returns the page. All servers share it, because compressing its files takes 50 ms.
var thePage = sync.OnceValue(newPage)

func newPage() *page {
	p := &page{files: map[string]*file{}}
	paths, err := fs.Glob(dist, "dist/*.*") // excludes the files in siteFolder
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

// siteFolder is the folder in dist with the scripts that only static sites use.
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

// kinds maps the extensions of the page's files to media types. It replaces the system's table, which may lack
// some of them or override them.
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

// serve answers a request with f, or with 404 if f is nil.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "method "+protocol.Quote(r.Method)+": use GET, or POST to /api")
		return
	}
	if f == nil {
		refuse(w, http.StatusNotFound, "there is nothing at "+protocol.Quote(r.URL.Path)+": use /, /api or /ws")
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache") // the browser must revalidate
	h.Set("ETag", f.tag)
	h.Set("Vary", "Accept-Encoding")
	body := f.whole
	if f.gzip != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.gzip
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// SiteFiles are the parts of a static site that come from the page.
type SiteFiles struct {
	Page   map[string][]byte // the page's files by name, including the icons and the manifest
	Worker []byte            // the web workers' script, without Go's wasm_exec.js
	SW     []byte            // the service worker, without the list of files that it caches
}

// Site returns the parts of a static site. They contain only relative addresses.
func Site() (_ *SiteFiles, err error) {
	s := &SiteFiles{Page: map[string][]byte{}}
	for name, f := range newPage().files {
		if name != "/" {
			s.Page[strings.TrimPrefix(name, "/")] = f.whole
		}
	}
	s.Page[manifestName] = newManifest("./", sharedTo)
	if s.Worker, err = fs.ReadFile(dist, path.Join("dist", siteFolder, "worker.js")); err != nil {
		return nil, err
	}
	s.SW, err = fs.ReadFile(dist, path.Join("dist", siteFolder, "sw.js"))
	return s, err
}

// pageColour is the page's background in the light scheme.
const pageColour = "#f7f5f0"

// newManifest returns a W3C web application manifest, with which a phone can keep the page on its home screen.
// folder is the path or the relative address of the page's folder, ending in a slash. members are added to
// the manifest.
func newManifest(folder string, members map[string]any) []byte {
	icon := func(name, sizes, purpose string) map[string]string {
		return map[string]string{"src": folder + name, "sizes": sizes, "type": "image/png", "purpose": purpose}
	}
	m := map[string]any{
		"name": "Afterstate", "short_name": "Afterstate", "description": "Play 2048, learn from your games, and find the best move on any board.",
		"start_url": folder, "display": "standalone",
		"theme_color": pageColour, "background_color": pageColour, // a manifest has no colours for the dark scheme
		"icons": []any{icon("icon-192.png", "192x192", "any"), icon("icon-512.png", "512x512", "any"), icon("icon-maskable-512.png", "512x512", "maskable")},
	}
	maps.Copy(m, members)
	data, _ := json.Marshal(m) // cannot fail: all values are text
	return data
}

// sharedTo lets other apps share text, pictures and screen recordings with the installed page. A service worker
// receives them (serve/ui/src/engine/sw.ts), so only the manifest of a static site includes it.
var sharedTo = map[string]any{"share_target": map[string]any{
	"action": "./share", "method": http.MethodPost, "enctype": "multipart/form-data",
	"params": map[string]any{"text": "text", "url": "url", "files": []any{map[string]any{
		"name": "picture", "accept": []string{"image/png", "image/jpeg", "image/webp", "video/webm", "video/mp4", "video/quicktime"},
	}}},
}}

// manifest serves the manifest. The start address contains the token, because an app on a home screen may have
// separate cookies. The id keeps the app's identity independent of the start address.
func (s *Server) manifest(w http.ResponseWriter, r *http.Request) {
	members := map[string]any{"id": "/", "start_url": WithToken("/", s.o.Token)}
	newFile(manifestName, newManifest("/", members)).serve(w, r)
}

const manifestName = "manifest.webmanifest"
