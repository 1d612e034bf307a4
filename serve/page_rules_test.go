package serve

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// pageGame is a game that testdata/rules.js plays with the page's rules.
type pageGame struct {
	Size  string       `json:"size"`
	P4    float64      `json:"p4"`
	Seed  string       `json:"seed"`
	Game  string       `json:"game"`
	Start *board.Board `json:"start,omitempty"`
	Moves string       `json:"moves"` // digits, numbers of directions
}

// playedByGo plays at most most moves that next chooses, and returns the game for the page with the hash that the page's rules
// must give: each board, score, win, legal move, end, motion and tile is in it.
func playedByGo(t *testing.T, seed, index uint64, p4 float64, o game.Options, most int, next func(*game.Game) board.Direction) (pageGame, string) {
	t.Helper()
	o.Spawner = game.NewRandom(seed, index, p4)
	g := must.Get(game.New(o))(t)
	b := g.Board()
	task := pageGame{b.Size().String(), p4, strconv.FormatUint(seed, 10), strconv.FormatUint(index, 10), nil, ""}
	if b, ok := g.StartBoard(); ok {
		task.Start = &b
	}
	hash := sha256.New()
	note := func(s *protocol.Step) {
		b := g.Board()
		legal := b.Legal()
		line := must.Get(json.Marshal([]any{b, g.Score(), g.Won(), legal, g.Over(), s}))(t)
		hash.Write(append(line, '\n'))
	}
	note(nil)
	for g.Moves() < most && !g.Over() {
		before, d := g.Board(), next(g)
		task.Moves += strconv.Itoa(int(d))
		must.Do(t, g.Move(d))
		_, reward, _ := before.Slide(d)
		last := g.LastSpawn()
		note(&protocol.Step{
			Move: d, Reward: reward, Motions: before.Motions(d),
			Spawn: protocol.SpawnedTile{Cell: last.Cell, Tile: board.Tile(last.Exponent)},
		})
	}
	return task, hex.EncodeToString(hash.Sum(nil))
}

// The page's rules equal Go's: on the boards of the original game, in the published games, and in 10,000 seeded games of all
// sizes with several shares of 4s, some of which begin with a board that is about to win. It needs node and npm ci, which
// make check has when it sets PAGE_RULES.
func TestPageRules(t *testing.T) {
	if os.Getenv("PAGE_RULES") == "" {
		t.Skip("make check runs this test, in its part page, after npm ci")
	}
	var tasks, want bytes.Buffer
	add := func(task, answer any) {
		tasks.Write(append(must.Get(json.Marshal(task))(t), '\n'))
		want.Write(append(must.Get(json.Marshal(answer))(t), '\n'))
	}
	for _, path := range must.Get(filepath.Glob("../rules/board/testdata/original-rules-*.jsonl"))(t) {
		for line := range bytes.Lines(must.Get(os.ReadFile(path))(t)) {
			var v struct {
				Board board.Board
				Moves map[string]struct {
					Moved  bool
					Reward int64
					After  board.Board
				}
				Over bool
			}
			must.Do(t, json.Unmarshal(line, &v))
			var answer []any
			for _, d := range board.Directions {
				if m := v.Moves[d.String()]; m.Moved {
					answer = append(answer, []any{m.After, m.Reward})
				} else {
					answer = append(answer, nil)
				}
			}
			add(map[string]any{"slide": v.Board}, append(answer, v.Over))
		}
	}
	for line := range bytes.Lines(must.Get(os.ReadFile("../rules/game/testdata/golden.jsonl"))(t)) {
		r := must.Get(record.Parse(line))(t)
		if r.Spawn == record.Random {
			task, hash := playedByGo(t, r.Seed, r.Game, r.P4, game.Options{Size: r.Board.Size()}, len(r.Moves), func(g *game.Game) board.Direction {
				return r.Moves[g.Moves()]
			})
			add(task, hash)
		}
	}
	random := rand.New(rand.NewPCG(2048, 0))
	winning := must.Get(board.Parse("1024,1024,2,4/536870912,536870912,2,2/0,0,0,4/2,4,8,16"))(t)
	for i := range uint64(10_000) {
		o, most := game.Options{Size: board.Size{Rows: int(2 + i%5), Cols: int(2 + i/5%5)}}, 30
		if i%50 == 7 {
			o = game.Options{Board: winning}
		}
		if i%25 == i/25%25 {
			most = 2000 // the whole game, on each size
		}
		add(playedByGo(t, i*i, i%3, []float64{0.1, 0, 1, 0.25, 0.333}[i%7%5], o, most, func(g *game.Game) board.Direction {
			b := g.Board()
			legal := b.Legal()
			return legal[random.IntN(len(legal))]
		}))
	}
	compareRules(t, &tasks, &want)
}

// compareRules compiles the page's rules, lets them answer, and compares.
func compareRules(t *testing.T, tasks, want *bytes.Buffer) {
	t.Helper()
	folder := t.TempDir()
	run := func(c *exec.Cmd) []byte {
		t.Helper()
		c.Stderr = os.Stderr
		return must.Get(c.Output())(t)
	}
	run(exec.Command("ui/node_modules/.bin/tsc", "--ignoreConfig", "--target", "es2022", "--module", "commonjs",
		"--outDir", folder, "ui/src/rules/game.ts"))
	c := exec.Command("node", "testdata/rules.js", folder)
	input := bytes.Clone(tasks.Bytes())
	c.Stdin = tasks
	got := bufio.NewScanner(bytes.NewReader(run(c)))
	lines := bytes.Split(input, []byte("\n"))
	for i, answer := range bytes.Split(bytes.TrimSpace(want.Bytes()), []byte("\n")) {
		if !got.Scan() || got.Text() != string(answer) {
			t.Fatalf("the page answers %s to %s, not %s", got.Text(), lines[i], answer)
		}
	}
	if got.Scan() {
		t.Fatalf("one answer too many: %s", got.Text())
	}
}
