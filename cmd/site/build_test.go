package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
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

// The site consists of what its page names, by relative addresses, and the service worker keeps all of
// it but the networks.
func TestFiles(t *testing.T) {
	files, version := built(t, options{networks: list{smallNetwork}}, "engine")
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
			t.Errorf("the page names %s, which the site lacks", m[1])
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
		want := name != "index.html" && name != "sw.js" && !strings.HasPrefix(name, "network-")
		if got := slices.ContainsFunc(kept.Names, func(k string) bool { k, _, _ = strings.Cut(k, "?"); return k == name }); got != want {
			t.Errorf("%s is kept: %v", name, got)
		}
	}
	if !bytes.Contains(files["worker.js"], []byte("class {")) || !bytes.Contains(files["licences.txt"], []byte("The Go Authors")) {
		t.Error("Go's script or its licence is missing")
	}
}

// The version changes with everything that visitors get, and with nothing else.
func TestVersion(t *testing.T) {
	_, first := built(t, options{networks: list{smallNetwork}}, "engine")
	_, same := built(t, options{networks: list{smallNetwork}}, "engine")
	_, engine := built(t, options{networks: list{smallNetwork}}, "other")
	_, network := built(t, options{}, "engine")
	if first != same || first == engine || first == network || engine == network {
		t.Error(first, same, engine, network)
	}
}

// Networks that the site cannot use are refused by name.
func TestNetworks(t *testing.T) {
	damaged := filepath.Join(t.TempDir(), "damaged.model")
	if err := os.WriteFile(damaged, []byte("no network"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{damaged, "missing.model"} {
		o := options{networks: list{file}}
		if _, _, err := o.files(nil); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
