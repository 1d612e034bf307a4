package repository

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

const modulePath = "github.com/afterstate2048/afterstate"

// Other modules can build on this one: a program uses a module that uses this module, all from a module proxy and
// without a replace directive.
func TestModuleBelowOthers(t *testing.T) {
	soak.Full(t, "builds a program from a copy of the repository; nothing cheaper covers it, and it breaks only if go.mod does")
	proxy := t.TempDir()
	root := must.Get(os.Getwd())(t)
	publish(t, proxy, modulePath, root)

	bot := t.TempDir()
	writeAll(t, bot, map[string]string{
		"go.mod": "module example.com/bot\n\ngo 1.25.0\n\nrequire " + modulePath + " v0.1.0\n",
		"bot.go": `// Package bot chooses moves with Afterstate.
package bot

import (
	"context"

	"` + modulePath + `/eval"
	"` + modulePath + `/rules/board"
	"` + modulePath + `/search"
)

// Move returns the move of a short search on a board.
func Move(text string) (string, error) {
	b, err := board.Parse(text)
	if err != nil {
		return "", err
	}
	snake, err := eval.New("snake")
	if err != nil {
		return "", err
	}
	r, err := search.NewExpectimax(search.ExpectimaxOptions{Eval: snake, Plies: 1}).Search(context.Background(), search.NewQuery(b, 0))
	return r.Move.String(), err
}
`,
	})
	publish(t, proxy, "example.com/bot", bot)

	program := t.TempDir()
	writeAll(t, program, map[string]string{
		"go.mod":  "module example.com/program\n\ngo 1.25.0\n\nrequire example.com/bot v0.1.0\n",
		"main.go": "package main\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/bot\"\n)\n\nfunc main() { fmt.Println(bot.Move(\"2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0\")) }\n",
	})
	modules := must.Get(exec.Command("go", "env", "GOMODCACHE").Output())(t)
	cmd := exec.Command("go", "run", "-mod=mod", ".")
	cmd.Dir = program
	// What this module needs comes from the cache that these tests were built with.
	cmd.Env = append(os.Environ(), "GOFLAGS=-modcacherw", "GOWORK=off", "GONOSUMDB=*", "GOMODCACHE="+t.TempDir(),
		"GOPROXY=file://"+proxy+",file://"+strings.TrimSpace(string(modules))+"/cache/download")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), " <nil>\n") {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// publish puts the module in a folder into a proxy, as version v0.1.0. Modules within the folder are not part of it.
func publish(t *testing.T, proxy, path, folder string) {
	t.Helper()
	at := filepath.Join(proxy, path, "@v")
	must.Do(t, os.MkdirAll(at, 0o755))
	goMod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	writeAll(t, at, map[string]string{"list": "v0.1.0\n", "v0.1.0.info": `{"Version":"v0.1.0"}`, "v0.1.0.mod": string(goMod)})
	file := must.Get(os.Create(filepath.Join(at, "v0.1.0.zip")))(t)
	defer file.Close()
	archive := zip.NewWriter(file)
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir():
			_, nested := os.Stat(filepath.Join(name, "go.mod"))
			if name != folder && (nested == nil || entry.Name() == ".git" || entry.Name() == "node_modules") {
				return fs.SkipDir
			}
			return nil
		case !entry.Type().IsRegular():
			return nil
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: path + "@v0.1.0/" + filepath.ToSlash(rel), Method: zip.Store})
		if err != nil {
			return err
		}
		source, err := os.Open(name)
		if err != nil {
			return err
		}
		defer source.Close()
		_, err = io.Copy(w, source)
		return err
	})
	if err == nil {
		err = archive.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func writeAll(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
}
