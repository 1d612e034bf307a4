package arena_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"afterstate/arena"
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

func TestUnion(t *testing.T) {
	r := func(first uint64, games int) arena.Range { return arena.Range{First: first, Games: games} }
	for _, c := range []struct{ a, b, want []arena.Range }{
		{nil, nil, nil},
		{[]arena.Range{r(0, 3)}, nil, []arena.Range{r(0, 3)}},
		{[]arena.Range{r(0, 3), r(10, 2)}, []arena.Range{r(3, 2), r(11, 5)}, []arena.Range{r(0, 5), r(10, 6)}},
		{[]arena.Range{r(5, 10)}, []arena.Range{r(0, 2), r(6, 2)}, []arena.Range{r(0, 2), r(5, 10)}},
	} {
		if got := arena.Union(c.a, c.b); !slices.Equal(got, c.want) {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
		for i := range uint64(20) {
			if arena.InRanges(c.want, i) != (arena.InRanges(c.a, i) || arena.InRanges(c.b, i)) {
				t.Errorf("game %d of %v and %v", i, c.a, c.b)
			}
		}
	}
}
