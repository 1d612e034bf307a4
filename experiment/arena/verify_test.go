package arena_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// verifiedRules are the spawn rules of the chunks that are verified here.
var verifiedRules = []string{"random", "adversary", "friendly(eval=empty,share=0.5)"}

// verifiedChunk is a chunk of some games of greedy.
func verifiedChunk(rule string) arena.Chunk {
	setup := arena.Setup{Size: board.Size{Rows: 2, Cols: 3}, Spawn: rule, SpawnIdentity: rule, Seed: 7, Stop: game.Stop{Tile: 64}}
	return arena.Chunk{Setup: setup, Player: "greedy", Identity: "greedy", Version: "1", First: 3, Games: 5}
}

// gamesOf returns the games of a chunk.
func gamesOf(t testing.TB, c arena.Chunk) []arena.Recorded {
	t.Helper()
	p := arena.ChunkPlayer{Factory: factory}
	defer p.Close()
	games := must.Get(p.Play(t.Context(), &c))(t)
	for i := range games {
		games[i].Elapsed = time.Millisecond
	}
	slices.SortFunc(games, func(a, b arena.Recorded) int { return cmp.Compare(a.Index, b.Index) })
	return games
}

// faults are ways in which a delivered game can be wrong, and the error that each causes.
var faults = map[string]struct {
	change func(g *arena.Recorded)
	found  string
}{
	"score":       {func(g *arena.Recorded) { g.Score += 4 }, "cannot be replayed"},
	"tile":        {func(g *arena.Recorded) { g.Largest++ }, "cannot be replayed"},
	"sum":         {func(g *arena.Recorded) { g.Sum += 2 }, "its tiles add up to"},
	"other game":  {func(g *arena.Recorded) { g.Index += 1000 }, ": must be game"},
	"other seed":  {func(g *arena.Recorded) { g.Seed++ }, ": must be game"},
	"too short":   {func(g *arena.Recorded) { g.Trace = g.Trace[:len(g.Trace)-1] }, "game"},
	"most moves":  {func(g *arena.Recorded) { g.Moves = math.MaxInt }, "bytes do not hold 9223372036854775807 moves"},
	"no moves":    {func(g *arena.Recorded) { g.Moves = math.MinInt }, "bytes do not hold -9223372036854775808 moves"},
	"most points": {func(g *arena.Recorded) { g.Score, g.Largest = math.MaxInt64, math.MaxUint8 }, "cannot be replayed"},
}

// Valid games pass; the error for an invalid one names the game.
func TestVerify(t *testing.T) {
	for _, rule := range verifiedRules {
		c := verifiedChunk(rule)
		games := gamesOf(t, c)
		must.Do(t, arena.Verify(&c, games))
		for name, fault := range faults {
			bad := slices.Clone(games)
			bad[2].Trace = bytes.Clone(bad[2].Trace)
			fault.change(&bad[2])
			must.Contains(t, fmt.Sprint(arena.Verify(&c, bad)), fault.found, rule, name)
		}
		for name, bad := range map[string][]arena.Recorded{"missing": games[:4], "more": append(slices.Clone(games), games[4])} {
			must.Contains(t, fmt.Sprint(arena.Verify(&c, bad)), "must be 5, as in the chunk", rule, name)
		}
	}
	c := verifiedChunk("random")
	short := c
	short.Setup.Stop = game.Stop{Tile: 16}
	must.Contains(t, fmt.Sprint(arena.Verify(&c, gamesOf(t, short))), "its moves end before the game is over")
}

// FuzzVerify verifies arbitrary games in JSON. Playing the moves of a game that passes gives the same outcome.
func FuzzVerify(f *testing.F) {
	for i, rule := range verifiedRules {
		c := verifiedChunk(rule)
		games := gamesOf(f, c)
		add := func(games []arena.Recorded) {
			text := must.Get(json.Marshal(games))(f)
			f.Add(text, uint8(i))
		}
		add(games)
		for _, fault := range faults {
			bad := slices.Clone(games)
			bad[0].Trace = bytes.Clone(bad[0].Trace)
			fault.change(&bad[0])
			add(bad)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, choice uint8) {
		var games []arena.Recorded
		if json.Unmarshal(text, &games) != nil {
			return
		}
		c := verifiedChunk(verifiedRules[int(choice)%len(verifiedRules)])
		if arena.Verify(&c, games) != nil {
			return
		}
		rule := must.Get(factory(&c))(t)
		for i := range games {
			if rule.Spawn.Random {
				playMoves(t, &c, &games[i], rule.Spawn)
			}
		}
	})
}

// playMoves plays the moves of a verified game with the spawn rule, and compares the outcome.
func playMoves(t *testing.T, c *arena.Chunk, r *arena.Recorded, rule player.SpawnRule) {
	t.Helper()
	g := must.Get(game.New(game.Options{Size: c.Setup.Size, Spawner: rule.New(r.Seed, r.Index)}))(t)
	for i := range r.Moves {
		must.Do(t, g.Move(board.Direction(r.Trace[i/4]>>(i%4*2)&3)))
	}
	b := g.Board()
	if g.Score() != r.Score || b.Largest() != r.Largest || b.Sum() != r.Sum {
		t.Errorf("verified %+v, want score %d, largest %d and sum %d", r.Outcome, g.Score(), b.Largest(), b.Sum())
	}
	if until := b.Largest() >= 6; r.Forfeit.Reason == "" && !until && !b.Terminal() {
		t.Errorf("verified a game that ended on %v", b)
	}
}

// A spec gets local copies of its files by the hashes of its identity, and no other paths.
func TestLocated(t *testing.T) {
	for _, c := range []struct{ spec, identity, want, failure string }{
		{"greedy", "greedy", "greedy", ""},
		{`ntuple(model=first,plies=2)`, `ntuple(model="sha256:ab",plies=2)`, `ntuple(model="/copy/ab",plies=2)`, ""},
		{`expectimax(eval=sum(file="w.json"))`, `expectimax(eval=sum(file="sha256:cd"))`, `expectimax(eval=sum(file="/copy/cd"))`, ""},
		{`exec(cmd="python3 bot.py")`, `exec(cmd="python3 sha256:ef",name=b)`, `exec(cmd="python3 /lab/bot.py")`, ""},
		{`exec(cmd="./bot --model=m.bin -v")`, `exec(cmd="sha256:ef --model=sha256:01 -v",name=b)`, `exec(cmd="/lab/./bot --model=/lab/m.bin -v")`, ""},
		{`exec(cmd="bot play")`, `exec(cmd="bot play")`, `exec(cmd="bot play")`, ""},
		{`ntuple(model="/etc/passwd")`, `ntuple(model="/etc/passwd")`, "", "was not shared"},
		{`ntuple(model="/etc/passwd")`, "ntuple", "", "was not shared"},
		{`expectimax(eval=sum(file="w.json"))`, "expectimax", "", "does not fit the player's identity"},
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
