package frozen_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// commands print or write JSON or CSV. They run in their order, with one data folder; FOLDER is a
// folder for files. The last argument of a command that writes a file is that file.
var commands = []string{
	"inspect 2,2/4,8 --json", "best 2,2,4/4,8,0 --player expectimax(eval=expert,plies=2) --json", "best 2,2,4/4,8,0 --why --tiles 16,32 --games 200 --json", "perft 2,0/0,2 2 --json",
	"tree 2,2/4,8 --player minimax(depth=2) --format json", "solve 2x2 --json", "solve 2x3 --goal 64 --json", "players greedy --json", "players champion --json", "players random --json", "version --json",
	"bench --only search --for 10ms --json",
	"arena greedy random --size 3x3 --games 4 --json", "arena greedy random --size 3x3 --games 4 --csv FOLDER/games.csv",
	"arena greedy random --start 2,4,8/16,0,0/0,0,0 --goal 32 --tries 4 --json", "arena greedy perfect --size 2x2 --games 3 --regret --json",
	"arena run first greedy random --size 3x3 --games 4 --json", "arena list --json", "arena show first --json", "arena compare first/greedy first/random --json", "arena match greedy random --size 2x2 --games 40 --json",
	"arena review first --json", "arena export first -o FOLDER/first.csv",
	"watch greedy --size 3x3 --seed 1 --record FOLDER/game.json", "review FOLDER/game.json --json",
	"train 2x3 --size 3x3 --games 300 --report-every 100 --threads 1 --name one --json", "train 2x3 --size 3x3 --games 300 --report-every 100 --threads 1 --seed 5 --name two --json", "train list --json", "train compare one two --json",
	"train export one -o FOLDER/one.csv",
	"convert FOLDER/game.json --to csv -o FOLDER/game.csv",
}

// The keys of JSON and the columns of CSV stay the same.
func TestKeys(t *testing.T) { checkKeys(t, "keys.txt", commands) }

// The keys of the champion's description stay the same.
func TestKeysOfChampion(t *testing.T) {
	soak.Full(t, "decodes the network; TestScripts/train has the keys of a small network")
	checkKeys(t, "keys-champion.txt", []string{"model info champion --json"})
}

// checkKeys runs commands and compares the keys of their output with a file of testdata.
func checkKeys(t *testing.T, golden string, commands []string) {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	var lines []string
	for _, command := range commands {
		args := strings.Fields(strings.ReplaceAll(command, "FOLDER", folder))
		status, out, errOut := clitest.Run(t.Context(), nil, args...)
		if status != 0 {
			t.Errorf("%s: %d, %s", command, status, errOut)
			continue
		}
		lines = append(lines, command)
		if file := args[len(args)-1]; strings.HasPrefix(file, folder) {
			text := must.Get(os.ReadFile(file))(t)
			if out = string(text); filepath.Ext(file) == ".csv" {
				columns := must.Get(csv.NewReader(strings.NewReader(out)).Read())(t)
				lines = append(lines, "  "+strings.Join(columns, " "))
				continue
			}
		}
		lines = append(lines, paths(t, out)...)
	}
	clitest.Golden(t, golden, lines)
}

// paths returns one line for each key in JSON values, with the type of its value.
func paths(t *testing.T, text string) []string {
	t.Helper()
	found := map[string]bool{}
	decoder := json.NewDecoder(bytes.NewBufferString(text))
	for {
		var v any
		err := decoder.Decode(&v)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		walk("", v, func(line string) { found[line] = true })
	}
	return slices.Sorted(maps.Keys(found))
}

func walk(path string, v any, add func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			walk(path+"."+key, value, add)
		}
	case []any:
		for _, value := range v {
			walk(path+"[]", value, add)
		}
	default:
		add(fmt.Sprintf("  %s %T", strings.TrimPrefix(path, "."), v))
	}
}
