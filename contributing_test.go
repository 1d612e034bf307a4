package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"afterstate/internal/soak"
)

// paste puts a block of CONTRIBUTING.md into a file: after the line that has the text, at the end of
// the file if it is empty, or into a new file if it does not exist.
type paste struct{ file, after string }

// The recipes of CONTRIBUTING.md work as they are: pasted into the packages, these pass their tests.
func TestRecipes(t *testing.T) {
	for section, c := range map[string]struct {
		blocks []paste
		test   []string
	}{
		"Add an evaluator": {
			[]paste{{"eval/terms.go", ""}, {"eval/names.go", "var infos = []Info{"}, {"eval/formula_test.go", "var formulas = map["}},
			[]string{"./eval"},
		},
		"Add a player": {
			[]paste{{"player/catalog/tidy.go", ""}, {"player/catalog/kinds.go", "return []kind{"}, {"player/catalog/tidy_test.go", ""}},
			[]string{"-run", "^(TestTidy|TestKeysAreDescribed|TestEveryNamePlays|TestErrors.*)$", "./player/catalog"},
		},
		"Add a spec key": {
			[]paste{
				{"search/adversary.go", "type Adversary struct {"}, {"search/adversary.go", "exponent <= 2; exponent++ {"},
				{"player/catalog/keys.go", "var searchRuleKeys = []key{"}, {"player/catalog/spawner_test.go", `"friendly":  `},
			},
			[]string{"-run", "^(TestParseSpawner|TestKeysAreDescribed|TestDefaultsHold)$", "./player/catalog"},
		},
	} {
		t.Run(section, func(t *testing.T) {
			if section != "Add an evaluator" {
				soak.Full(t, "the first section is pasted in the same way")
			}
			_, text, _ := strings.Cut(page(t, "CONTRIBUTING.md"), "\n## "+section+"\n")
			text, _, _ = strings.Cut(text, "\n## ")
			blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(text, -1)
			if len(blocks) != len(c.blocks) {
				t.Fatalf("%d blocks, want %d", len(blocks), len(c.blocks))
			}
			folder, replaced := t.TempDir(), map[string]string{}
			for i, p := range c.blocks {
				from, err := filepath.Abs(p.file)
				if err != nil {
					t.Fatal(err)
				}
				to := filepath.Join(folder, filepath.Base(p.file))
				if replaced[from] != "" { // with another block
					p.file = to
				}
				replaced[from] = to
				if err := os.WriteFile(to, []byte(pasted(t, p, blocks[i][1])), 0o600); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command("gofmt", "-l", to).CombinedOutput(); err != nil || len(out) > 0 {
					t.Errorf("%s with the block: gofmt: %v %s", p.file, err, out)
				}
			}
			overlay, err := json.Marshal(map[string]any{"Replace": replaced})
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(folder, "overlay.json")
			if err := os.WriteFile(file, overlay, 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("go", append([]string{"test", "-overlay", file, "-v"}, c.test...)...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "--- PASS") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func pasted(t *testing.T, p paste, block string) string {
	t.Helper()
	data, err := os.ReadFile(p.file)
	if os.IsNotExist(err) {
		return block
	}
	if err != nil {
		t.Fatal(err)
	}
	if p.after == "" {
		return string(data) + "\n" + block
	}
	at := strings.Index(string(data), p.after)
	if at < 0 {
		t.Fatalf("%s has no %q", p.file, p.after)
	}
	at += strings.IndexByte(string(data)[at:], '\n') + 1
	return string(data[:at]) + block + string(data[at:])
}
