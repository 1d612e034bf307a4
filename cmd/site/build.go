package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/search/solve"
	"github.com/afterstate2048/afterstate/serve"
)

type options struct {
	url      string   // address of the site; empty if unknown
	networks []string // FILE or NAME=FILE
	champion bool
}

// site describes the site to the page. serve/ui/src/engine/site.ts has the same type.
type site struct {
	Version  string    `json:"version"`
	Engine   string    `json:"engine"`
	Worker   string    `json:"worker"`
	Networks []network `json:"networks"`
	// Endings is the ending network, loaded after the first network; nil: none.
	Endings *network `json:"endings,omitempty"`
	// Samples are the sample files of solved endings, which the page loads last.
	Samples []network `json:"samples"`
}

// network is a downloadable file: a network or the samples of a solved ending. The page is shown before it loads
// these files.
type network struct {
	Name  string `json:"name"`
	File  string `json:"file"`
	Bytes int    `json:"bytes"`
}

// The page adds its version to the URLs of these files, so that it never uses the files of another version.
const (
	engineName = "engine.wasm"
	workerName = "worker.js"
)

// build writes the site into a folder.
func (o *options) build(out string) error {
	engine, err := compile()
	if err != nil {
		return err
	}
	files, version, err := o.files(engine)
	if err != nil {
		return err
	}
	if err := write(out, files); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "site: %d files in %s, version %s\n", len(files), out, version)
	return nil
}

// files returns the files of a site that uses the given engine, by name, and the site's version.
func (o *options) files(engine []byte) (files map[string][]byte, version string, err error) {
	files, sw, err := pageFiles(engine)
	if err != nil {
		return nil, "", err
	}
	s := site{Networks: []network{}}
	networks, err := o.readNetworks(&s)
	if err != nil {
		return nil, "", err
	}
	described, err := json.Marshal(s)
	if err != nil {
		return nil, "", err
	}
	s.Version = versionOf(files, sw, described)
	s.Engine, s.Worker = engineName+"?v="+s.Version, workerName+"?v="+s.Version
	if files["index.html"], err = o.index(&s, files["index.html"]); err != nil {
		return nil, "", err
	}
	files["sw.js"] = s.serviceWorker(files, sw)
	maps.Copy(files, networks)
	return files, s.Version, nil
}

// pageFiles returns the files of the page and the engine, and the service worker's script.
func pageFiles(engine []byte) (files map[string][]byte, sw []byte, err error) {
	page, err := serve.Site()
	if err != nil {
		return nil, nil, err
	}
	root, err := goEnv("GOROOT")
	if err != nil {
		return nil, nil, err
	}
	start, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, nil, err
	}
	licence, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return nil, nil, err
	}
	files = page.Page
	files[engineName] = engine
	files[workerName] = bytes.Join([][]byte{start, page.Worker}, []byte("\n"))
	files["licences.txt"] = fmt.Appendf(files["licences.txt"], "\n\nGo\n\n%s\n", bytes.TrimSpace(licence))
	return files, page.SW, nil
}

// versionOf returns a hash of the names and contents of files.
func versionOf(files map[string][]byte, contents ...[]byte) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s %d\n", name, len(files[name]))
		sum.Write(files[name])
	}
	for _, data := range contents {
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

// readNetworks adds the networks and the samples of solved endings to the description of the site,
// and returns their files. The name of such a file contains a hash of its contents.
func (o *options) readNetworks(s *site) (map[string][]byte, error) {
	files := map[string][]byte{}
	// keep adds a file and returns its description.
	keep := func(kind, name, suffix string, data []byte) network {
		file := kind + "-" + versionOf(nil, data) + suffix
		files[file] = data
		return network{name, file, len(data)}
	}
	add := func(name string, data []byte) error {
		info, err := quant.ReadSummary(bytes.NewReader(data))
		if err != nil {
			return err
		}
		if info.Size.String() != "4x4" {
			return fmt.Errorf("the network is for %s: must be for 4x4", info.Size)
		}
		s.Networks = append(s.Networks, keep("network", name, ".model", data))
		return nil
	}
	for _, text := range o.networks {
		name, path, named := strings.Cut(text, "=")
		if !named {
			name, path = "small", text
		}
		data, err := os.ReadFile(path)
		if err == nil {
			err = add(name, data)
		}
		if err != nil {
			return nil, fmt.Errorf("-network %s: %w", text, err)
		}
	}
	if data, err := champion.Endings().File(); err == nil {
		endings := keep("endings", "endings", ".model", data)
		s.Endings = &endings
	}
	samples, err := solve.SampleFiles()
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		s.Samples = append(s.Samples, keep("sample", strings.TrimSuffix(name, ".sample"), ".sample", samples[name]))
	}
	if o.champion {
		data, err := champion.Main().File()
		if err == nil {
			err = add("champion", data)
		}
		if err != nil && !errors.Is(err, champion.ErrNone) {
			return nil, err
		}
	}
	return files, nil
}

// index returns the page's HTML with the description of the site in it.
func (o *options) index(s *site, page []byte) ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	const end = "</head>"
	if !bytes.Contains(page, []byte(end)) {
		return nil, fmt.Errorf("index.html has no %s", end)
	}
	if o.url != "" { // other sites need the absolute address of the page's picture
		image := []byte(`<meta property="og:image" content="`)
		page = bytes.Replace(page, image, append(image, html.EscapeString(o.url)...), 1)
	}
	description := fmt.Sprintf("<script type=\"application/json\" id=\"site\">%s</script>\n%s", text, end)
	return bytes.Replace(page, []byte(end), []byte(description), 1), nil
}

// serviceWorker returns the service worker's script with the list of files that it caches. The list
// excludes the networks, which the page caches when it uses them, and the page's picture, which the
// page does not show.
func (s *site) serviceWorker(files map[string][]byte, script []byte) []byte {
	names := []string{"./"}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		switch name {
		case "index.html", "preview.png":
		case engineName:
			names = append(names, s.Engine)
		case workerName:
			names = append(names, s.Worker)
		default:
			names = append(names, name)
		}
	}
	list, _ := json.Marshal(map[string]any{"version": s.Version, "names": names}) // cannot fail: all values are text
	return fmt.Appendf(nil, "const files = %s\n%s", list, script)
}

// write writes the files, and the service worker last: a browser that finds a new service worker fetches the other
// files.
func write(out string, files map[string][]byte) error {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool { return name == "sw.js" })
	for _, name := range append(names, "sw.js") {
		path := filepath.Join(out, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := atomicfile.Write(path, files[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}
