package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// text is an entry of the page's texts.
type text struct {
	EN string `json:"en"`
	DE string `json:"de"`
	ZH string `json:"zh"`
}

const textsFile = "ui/src/texts.json"

var (
	call     = regexp.MustCompile(`\b(?:t|rich)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|.)`)
	bare     = regexp.MustCompile(`>\s*([A-Z]\w*(?: [a-z0-9]+)+[^<>{}]*)</`)
	ofEngine = regexp.MustCompile(`"([^"]*\{(?:played|better)\}[^"]*|(?:top|bottom) row|(?:left|right) column)"`) // reasons
	notCall  = regexp.MustCompile(`(?:[.?]|function )$`)
	hole     = regexp.MustCompile(`\{(\w+)((?:\|[^}]*)?)\}`)
	resolved = strings.NewReplacer(`\'`, `'`, `\"`, `"`, `\u00a0`, "\u00a0")
)

// usedTexts returns the English texts of the page's sources, the reasons and the names of players, and where each is used.
func usedTexts(t *testing.T) map[string]string {
	t.Helper()
	used := map[string]string{}
	err := filepath.WalkDir("ui/src", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(filepath.Ext(path), ".ts") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range bare.FindAllSubmatch(source, -1) {
			t.Errorf("%s: %q is not translated: write {t('...')}", path, found[1])
		}
		for _, at := range call.FindAllSubmatchIndex(source, -1) {
			switch {
			case notCall.Match(source[max(0, at[0]-10):at[0]]):
			case at[2] >= 0:
				used[resolved.Replace(string(source[at[2]:at[3]]))] = path
			case at[4] >= 0:
				used[resolved.Replace(string(source[at[4]:at[5]]))] = path
			default:
				t.Errorf("%s: %q: the text must stand there", path, source[at[0]:min(len(source), at[1]+40)])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../advice/review/why.go", "../advice/review/nexttile.go"} {
		for _, found := range ofEngine.FindAllSubmatch(must.Get(os.ReadFile(path))(t), -1) {
			used[string(found[1])] = path
		}
	}
	for _, p := range catalog.Players(true) { // the page shows the beginning of a summary as the player's name
		title, _, _ := strings.Cut(p.Summary, ": ")
		used[strings.ToUpper(title[:1])+title[1:]] = "player/catalog"
	}
	return used
}

// Every text of the page is in texts.json, with German and Chinese ones that have the same holes, and there is no other one.
// UPDATE=1 sorts them, adds what is missing and removes what is not used.
func TestTexts(t *testing.T) {
	data := must.Get(os.ReadFile(textsFile))(t)
	var all []text
	must.Do(t, json.Unmarshal(data, &all))
	used := usedTexts(t)
	known := map[string]text{}
	for _, x := range all {
		if _, twice := known[x.EN]; twice {
			t.Errorf("%q is there twice", x.EN)
		}
		known[x.EN] = x
	}
	var want bytes.Buffer
	comma := "[\n"
	for _, en := range slices.Sorted(maps.Keys(used)) {
		x := known[en]
		x.EN = en
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		must.Do(t, e.Encode(x))
		fmt.Fprintf(&want, "%s%s", comma, bytes.TrimSpace(line.Bytes()))
		comma = ",\n"
	}
	want.WriteString("\n]\n")
	if must.Updating() {
		must.Do(t, os.WriteFile(textsFile, want.Bytes(), 0o644))
	} else if want.String() != string(data) {
		t.Errorf("%s is not sorted, or has unused or lacks used texts: UPDATE=1 go test ./serve -run TestTexts", textsFile)
	}
	for en, path := range used {
		x := known[en]
		for language, translated := range map[string]string{"de": x.DE, "zh": x.ZH} {
			if translated == "" {
				t.Errorf("%s: %q has no text in %q", path, en, language)
			} else if got, want := holes(translated), holes(en); !slices.Equal(got, want) {
				t.Errorf("%s: %q has the holes %q in %q: must be %q", path, en, got, language, want)
			}
		}
		if strings.Count(en, "*")%2 != 0 || strings.Count(x.DE, "*") != strings.Count(en, "*") || strings.Count(x.ZH, "*") != strings.Count(en, "*") {
			t.Errorf("%s: %q: the stars differ", path, en)
		}
	}
}

// holes returns the names of a text's values.
func holes(text string) []string {
	names := map[string]bool{}
	for _, m := range hole.FindAllStringSubmatch(text, -1) {
		if m[2] == "" || strings.Contains(m[2], "#") {
			names[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
