package arena_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// A spec gets local copies of its files by the hashes of its identity, and no other paths.
func TestLocated(t *testing.T) {
	for _, c := range []struct{ spec, identity, want, failure string }{
		{"greedy", "greedy", "greedy", ""},
		{`ntuple(model=first,plies=2)`, `ntuple(model="sha256:ab",plies=2)`, `ntuple(model="/copy/ab",plies=2)`, ""},
		{`expectimax(eval=lines(file="w.json"))`, `expectimax(eval=lines(file="sha256:cd"))`, `expectimax(eval=lines(file="/copy/cd"))`, ""},
		{`exec(cmd="python3 bot.py")`, `exec(cmd="python3 sha256:ef",name=b)`, `exec(cmd="python3 /lab/bot.py")`, ""},
		{`exec(cmd="./bot --model=m.bin -v")`, `exec(cmd="sha256:ef --model=sha256:01 -v",name=b)`, `exec(cmd="/lab/./bot --model=/lab/m.bin -v")`, ""},
		{`exec(cmd="bot play")`, `exec(cmd="bot play")`, `exec(cmd="bot play")`, ""},
		{`ntuple(model="/etc/passwd")`, `ntuple(model="/etc/passwd")`, "", "was not shared"},
		{`ntuple(model="/etc/passwd")`, "ntuple", "", "was not shared"},
		{`expectimax(eval=lines(file="w.json"))`, "expectimax", "", "another form"},
		{`ntuple(model="x")`, `ntuple(model="sha256:missing")`, "", "no such file"},
		{"greedy(", "greedy", "", "greedy("},
		{"greedy", "greedy(", "", "greedy("},
	} {
		got, err := arena.Located(c.spec, c.identity, func(hash string) (string, error) {
			if hash == "sha256:missing" {
				return "", errors.New("no such file")
			}
			return "/copy/" + strings.TrimPrefix(hash, "sha256:"), nil
		}, func(name string) string { return "/lab/" + name })
		if got != c.want || (err == nil) != (c.failure == "") || err != nil && !strings.Contains(err.Error(), c.failure) {
			t.Errorf("%s with %s: %s, %v; want %s, %s", c.spec, c.identity, got, err, c.want, c.failure)
		}
	}
}
