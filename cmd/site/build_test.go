package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

const smallNetwork = "../wasm/network.model"

func built(t *testing.T, o options, engine string) (map[string][]byte, string) {
	t.Helper()
	files, version, err := o.files([]byte(engine))
	if err != nil {
		t.Fatal(err)
	}
	return files, version
}

// The site consists of the files that its page names, by relative addresses. The service worker caches all of
// them except the networks and the samples.
func TestFiles(t *testing.T) {
	files, version := built(t, options{networks: []string{smallNetwork}}, "engine")
	page := string(files["index.html"])
	_, text, _ := strings.Cut(page, `id="site">`)
	text, _, _ = strings.Cut(text, "</script>")
	var s site
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatalf("%v: %s", err, page)
	}
	if s.Version != version || len(s.Networks) != 1 || s.Networks[0].Name != "small" || len(files[s.Networks[0].File]) != s.Networks[0].Bytes {
		t.Errorf("%+v", s)
	}
	for _, m := range regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if len(files[m[1]]) == 0 && !strings.HasSuffix(m[1], ".js") {
			t.Errorf("the page refers to %s, which the site lacks", m[1])
		}
	}
	line, _, _ := strings.Cut(strings.TrimPrefix(string(files["sw.js"]), "const files = "), "\n")
	var kept struct {
		Version string
		Names   []string
	}
	if err := json.Unmarshal([]byte(line), &kept); err != nil || kept.Version != version {
		t.Fatalf("%v: %s", err, line)
	}
	for name := range files {
		_, loaded := map[string]bool{"network": true, "endings": true, "sample": true}[strings.Split(name, "-")[0]]
		want := name != "index.html" && name != "sw.js" && name != "preview.png" && !loaded
		if got := slices.ContainsFunc(kept.Names, func(k string) bool { k, _, _ = strings.Cut(k, "?"); return k == name }); got != want {
			t.Errorf("%s is cached: %v", name, got)
		}
	}
	if !bytes.Contains(files["worker.js"], []byte("class {")) || !bytes.Contains(files["licences.txt"], []byte("The Go Authors")) {
		t.Error("Go's script or its licence is missing")
	}
}

// The address of the page's picture for other sites is absolute.
func TestAddress(t *testing.T) {
	for address, want := range map[string]string{"": "preview.png", "https://example.com/2048/": "https://example.com/2048/preview.png"} {
		files, _ := built(t, options{url: address}, "engine")
		if tag := `<meta property="og:image" content="` + want + `">`; !bytes.Contains(files["index.html"], []byte(tag)) {
			t.Errorf("the page for %q lacks %s", address, tag)
		}
		if len(files["preview.png"]) == 0 {
			t.Error("the site lacks the picture")
		}
	}
}

// The version changes with everything that visitors get, and with nothing else.
func TestVersion(t *testing.T) {
	_, first := built(t, options{networks: []string{smallNetwork}}, "engine")
	_, same := built(t, options{networks: []string{smallNetwork}}, "engine")
	_, engine := built(t, options{networks: []string{smallNetwork}}, "other")
	_, network := built(t, options{}, "engine")
	if first != same || first == engine || first == network || engine == network {
		t.Error(first, same, engine, network)
	}
}

// The engine does not import packages that would make it much larger. Code that needs them has a build tag.
func TestEngineImports(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "github.com/afterstate2048/afterstate/cmd/wasm")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out := must.Get(list.Output())(t)
	all := strings.Fields(string(out))
	if !slices.Contains(all, "github.com/afterstate2048/afterstate/serve/session") {
		t.Fatalf("the %d packages do not include session", len(all))
	}
	for _, name := range []string{"crypto/sha256", "crypto/rand", "image", "log", "net", "net/http", "os/exec", "regexp", "text/template"} {
		if slices.Contains(all, name) {
			t.Errorf("the engine contains %s", name)
		}
	}
}

// Networks that the site cannot use are refused by name.
func TestNetworks(t *testing.T) {
	damaged := filepath.Join(t.TempDir(), "damaged.model")
	must.Do(t, os.WriteFile(damaged, []byte("no network"), 0o666))
	for _, file := range []string{damaged, "missing.model"} {
		o := options{networks: []string{file}}
		if _, _, err := o.files(nil); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
