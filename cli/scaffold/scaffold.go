// Package scaffold writes new bot repositories: a bot that plays, its tests and a README. The bots
// need Python, Go or Node, and no other packages.
//
//	files, err := scaffold.Bot("corner", "python")
package scaffold

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/disk"
)

//go:embed templates
var templates embed.FS

// Languages lists the languages of bots.
var Languages = []string{"python", "go", "js"}

// renamed maps names in templates to the names of the written files. Under their final names, the
// files would take effect in this repository, for example as Go files of its module.
var renamed = map[string]string{
	"gitignore.txt": ".gitignore", "go.mod.txt": "go.mod",
	"bot.go.txt": "bot.go", "rules.go.txt": "rules.go", "bot_test.go.txt": "bot_test.go",
}

// ErrNotEmpty is the error for a folder that already contains files.
var ErrNotEmpty = errors.New("the folder is not empty: must be new or empty")

// Bot writes a bot repository into a folder, which must be empty or not exist yet. The bot gets the
// name of the folder. Bot returns the names of the files in alphabetical order. After an error it
// removes what it has created.
func Bot(folder, language string) (files []string, err error) {
	if !slices.Contains(Languages, language) {
		return nil, fmt.Errorf("language %q: must be %s", language, strings.Join(Languages, " or "))
	}
	full, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	existing, err := os.ReadDir(full)
	switch {
	case err == nil && len(existing) > 0:
		return nil, fmt.Errorf("%s: %w", folder, ErrNotEmpty)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	var made []string // created folders and files, parents first
	for p := full; p != disk.Existing(p); p = filepath.Dir(p) {
		made = slices.Insert(made, 0, p)
	}
	defer func() {
		if err != nil {
			for _, p := range slices.Backward(made) {
				_ = os.Remove(p) // fails, as it must, for a folder that contains files of somebody else
			}
		}
	}()
	if err := os.MkdirAll(full, 0o755); err != nil {
		return nil, err
	}
	from := "templates/" + language
	entries, _ := templates.ReadDir(from) // reading an embedded folder cannot fail
	name := botName(filepath.Base(full))
	fill := strings.NewReplacer("BOTNAME", name, "MODULENAME", strings.ToLower(name))
	for _, e := range entries {
		text, _ := templates.ReadFile(from + "/" + e.Name())
		file := cmp.Or(renamed[e.Name()], e.Name())
		path := filepath.Join(full, file)
		made, files = append(made, path), append(files, file)
		if err := os.WriteFile(path, []byte(fill.Replace(string(text))), 0o644); err != nil {
			return nil, err
		}
	}
	slices.Sort(files)
	return files, nil
}

// botName turns the name of a folder into a valid name for a bot, an experiment and a module.
func botName(folder string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '-'
	}, folder)
	if name = strings.Trim(name, "-_"); name == "" {
		return "bot"
	}
	return strings.TrimRight(name[:min(len(name), 40)], "-_")
}
