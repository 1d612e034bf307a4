package serve

import (
	"io/fs"
	"path"
	"strings"
)

// SiteFiles are the parts of a static site that come from the page.
type SiteFiles struct {
	Page   map[string][]byte // the page's files by name, the icons and the manifest among them
	Worker []byte            // the script of the workers, without Go's wasm_exec.js
	SW     []byte            // the service worker, without the list of files
}

// Site returns the parts of a static site, whose addresses are relative.
func Site() (*SiteFiles, error) {
	s := &SiteFiles{Page: map[string][]byte{}}
	for name, f := range newPage().files {
		if name != "/" {
			s.Page[strings.TrimPrefix(name, "/")] = f.whole
		}
	}
	s.Page[manifestName] = newManifest("./").json()
	var err error
	if s.Worker, err = fs.ReadFile(dist, path.Join("dist", siteFolder, "worker.js")); err != nil {
		return nil, err
	}
	s.SW, err = fs.ReadFile(dist, path.Join("dist", siteFolder, "sw.js"))
	return s, err
}
