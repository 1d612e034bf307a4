package arena

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/board"
)

func testChunk() Chunk {
	return Chunk{
		Setup:  Setup{Size: board.Size{Rows: 4, Cols: 4}, Spawn: "random", SpawnIdentity: "random", Seed: 1},
		Player: "greedy", Identity: "greedy", Version: "1.0", First: 8, Games: 4,
	}
}

// The IDs of setups and chunks must never change: stores and queues on other machines contain
// them.
func TestNamesOfWork(t *testing.T) {
	c := testChunk()
	must.Equal(t, c.ID(), "1e867db7507e3c0c-a897a8dc09c0d781-8-4", "ID")
	names := map[string]string{c.ID(): "plain"}
	for what, change := range map[string]func(*Chunk){
		"size":     func(c *Chunk) { c.Setup.Size.Cols = 5 },
		"spawn":    func(c *Chunk) { c.Setup.SpawnIdentity = "adversary" },
		"seed":     func(c *Chunk) { c.Setup.Seed = 2 },
		"until":    func(c *Chunk) { c.Setup.Stop.Tile = 2048 },
		"identity": func(c *Chunk) { c.Identity = "random" },
		"version":  func(c *Chunk) { c.Version = "1.1" },
		"first":    func(c *Chunk) { c.First = 12 },
		"games":    func(c *Chunk) { c.Games = 5 },
		"parts":    func(c *Chunk) { c.Identity, c.Version = "greedy1", ".0" },
	} {
		other := testChunk()
		change(&other)
		if same, ok := names[other.ID()]; ok {
			t.Errorf("another %s has the name of %s", what, same)
		}
		names[other.ID()] = what
	}
	path := testChunk()
	path.Player, path.Setup.Spawn = "expectimax(eval=sum(file=\"elsewhere.json\"))", "random()"
	must.Equal(t, path.ID(), c.ID(), "the same player and spawn rule, written otherwise:")
}

func TestGaps(t *testing.T) {
	for _, c := range []struct {
		have  []Range
		games int
		want  string
	}{
		{nil, 0, "[]"},
		{nil, 5, "[{0 5}]"},
		{[]Range{{0, 5}}, 5, "[]"},
		{[]Range{{0, 2}, {3, 1}}, 5, "[{2 1} {4 1}]"},
		{[]Range{{0, 2}, {1, 3}}, 6, "[{4 2}]"},
		{[]Range{{7, 3}}, 5, "[{0 5}]"},
		{[]Range{{2, 100}}, 5, "[{0 2}]"},
		{[]Range{{0, 3}, {10, 2}, {3, 2}, {11, 5}}, 18, "[{5 5} {16 2}]"}, // not sorted
		{[]Range{{5, 10}, {0, 2}, {6, 2}}, 15, "[{2 3}]"},
		{[]Range{{2, 1}, {6, 1}, {1, 8}}, 10, "[{0 1} {9 1}]"},
	} {
		must.Equal(t, fmt.Sprint(Gaps(c.have, c.games)), c.want, c.have, "of", c.games, "games")
		for i := range uint64(c.games) {
			if inRanges(c.have, i) == inRanges(Gaps(c.have, c.games), i) {
				t.Errorf("game %d of %v", i, c.have)
			}
		}
	}
}

// Whatever is missing and however long games take, exactly the missing games are handed out,
// each once, in chunks that are not too long.
func TestPlanHandsOutWhatIsMissing(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		games := 1 + chance.IntN(3000)
		p := &Planner{Workers: 1 + chance.IntN(4)}
		missing := map[string][]bool{}
		for n := range 1 + chance.IntN(3) {
			c := testChunk()
			c.Identity = fmt.Sprint(n)
			is := make([]bool, games)
			var have []Range
			for at := uint64(0); chance.IntN(5) > 0 && int(at) < games; {
				at += uint64(chance.IntN(500))
				have = append(have, Range{at, 1 + chance.IntN(200)})
				at = have[len(have)-1].end()
			}
			left := 0
			for _, r := range Gaps(have, games) {
				for i := range r.Games {
					is[int(r.First)+i] = true
					left++
				}
			}
			missing[c.Identity] = is
			p.Add(c, Gaps(have, games), 0, 0)
			if p.players[n].left != left {
				t.Fatalf("%d games left, want %d", p.players[n].left, left)
			}
		}
		each := time.Duration(1+chance.IntN(100)) * time.Millisecond
		for {
			c, ok := p.Next(everywhere)
			if !ok {
				break
			}
			d := Delivery{Chunk: c}
			for i := range c.Games {
				at := int(c.First) + i
				if at >= games || !missing[c.Identity][at] {
					t.Fatalf("game %d was handed out, but it is not missing", at)
				}
				missing[c.Identity][at] = false
				d.Games = append(d.Games, Recorded{Outcome: Outcome{Index: uint64(at), Elapsed: each}})
			}
			if took := each * time.Duration(c.Games); took > 2*time.Second && c.Games > 1 {
				t.Fatalf("chunk %v", took)
			}
			p.RecordTimes(&d)
		}
		for who, is := range missing {
			if i := slices.Index(is, true); i >= 0 || p.Remaining() != 0 {
				t.Fatalf("game %d of player %s was not handed out; %d left", i, who, p.Remaining())
			}
		}
	}
}

// Chunks grow to the time they should take, slowly, and get small at the end.
func TestPlanSizes(t *testing.T) {
	p := &Planner{Workers: 2}
	c := testChunk()
	p.Add(c, []Range{{0, 100_000}}, 0, 0)
	var sizes []int
	for {
		c, ok := p.Next(everywhere)
		if !ok {
			break
		}
		sizes = append(sizes, c.Games)
		d := Delivery{Chunk: c}
		for range c.Games {
			d.Games = append(d.Games, Recorded{Outcome: Outcome{Elapsed: 100 * time.Microsecond}})
		}
		p.RecordTimes(&d)
	}
	// 20,000 games take 2 s: chunks of 16,384 at most. 8 - 1 games come first, since
	// pieces end at multiples of their size.
	must.Equal(t, fmt.Sprint(sizes[:6]), "[1 7 56 448 3584 12288]", "sizes")
	if last := sizes[len(sizes)-1]; last > 4 {
		t.Errorf("the last chunk has %d games", last)
	}
	known := &Planner{Workers: 1}
	known.Add(c, []Range{{0, 100_000}}, 10, 10*500*time.Millisecond)
	if c, _ := known.Next(everywhere); c.Games != 4 {
		t.Errorf("the first chunk has %d games, want 4 games of half a second", c.Games)
	}
	slow := &Planner{Workers: 1}
	slow.Add(c, []Range{{0, 10}}, 1, time.Hour)
	if c, _ := slow.Next(everywhere); c.Games != 1 {
		t.Errorf("%d games of an hour are in one chunk", c.Games)
	}
	endless := &Planner{Workers: 1}
	endless.Add(c, []Range{{0, 1000}}, 0, 0)
	endless.RecordTimes(&Delivery{Chunk: c, Games: slices.Repeat([]Recorded{{Outcome: Outcome{Elapsed: math.MaxInt64}}}, 2)})
	if c, _ := endless.Next(everywhere); c.Games != 1 {
		t.Errorf("%d endless games are in one chunk", c.Games)
	}
}

func TestIdentity(t *testing.T) {
	sum := func(key, value string) (string, bool, error) {
		switch {
		case value == "gone":
			return "", false, errors.New("gone cannot be read")
		case key == "model" && !strings.Contains(value, "/"), key == "cmd" && (!strings.Contains(value, ".") || strings.Contains(value, "=")):
			return "", false, nil
		}
		return "sha256:" + value + "!", true, nil
	}
	for text, want := range map[string]string{
		"greedy":          "greedy",
		"snake( depth=2)": "snake(depth=2)",
		`expectimax(eval=sum(file="a.json"),plies=2)`: `expectimax(eval=sum(file="sha256:a.json!"),plies=2)`,
		`expectimax(eval=sum(file=a))`:                `expectimax(eval=sum(file="sha256:a!"))`,
		`ntuple(model="m/x",plies=2)`:                 `ntuple(model="sha256:m/x!",plies=2)`,
		`ntuple(model=champion)`:                      `ntuple(model=champion)`,
		`exec(cmd="bot --file=x  'a b'")`:             `exec(cmd="bot --file=x  'a b'")`,
		`exec(cmd="python3 bot.py --m=m.bin 'a b'")`:  `exec(cmd="python3 sha256:bot.py! --m=sha256:m.bin! 'a b'")`,
		`remote(url="ws://host/bot.py")`:              `remote(url="ws://host/bot.py")`,
	} {
		if got, err := Identity(text, sum); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{`sum(file="gone")`, "snake("} {
		if got, err := Identity(text, sum); err == nil {
			t.Errorf("%s: %q, want an error", text, got)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ identity, name, version, introduced, want string }{
		{`exec(cmd="b")`, "corner", "1.2", `exec(cmd="b",name="corner",version="1.2")`, "corner 1.2"},
		{`exec(cmd="b",name=mine)`, "corner", "", `exec(cmd="b",name=mine)`, "mine"},
		{`remote(url="ws://h",name="corner 2",time=1s)`, "x", "3", `remote(url="ws://h",name="corner 2",time=1s,version="3")`, "corner 2 3"},
		{`exec(cmd="b")`, `a "quoted" one`, "", `exec(cmd="b",name="a \"quoted\" one")`, `a "quoted" one`},
		{`exec(cmd="b")`, "", "", `exec(cmd="b")`, ""},
	} {
		got, err := With(c.identity, spec.Arg{Key: "name", Value: spec.Value{Text: c.name, Quoted: true}}, spec.Arg{Key: "version", Value: spec.Value{Text: c.version, Quoted: true}})
		if err != nil || got != c.introduced || Name(got) != c.want {
			t.Errorf("%s: %s, %v, named %q", c.identity, got, err, Name(got))
		}
	}
	must.Equal(t, Name("ntuple(model=name)"), "", "name")
	want := []string{"a #1", "b", "a #4"}
	if got := DistinctNames([]string{"a", "b", "a"}, []int{1, 2, 4}); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// everywhere is the room of planners that are not limited.
func everywhere(string) bool { return true }

// inRanges reports whether a game is in one of the ranges.
func inRanges(ranges []Range, game uint64) bool {
	return slices.ContainsFunc(ranges, func(r Range) bool { return game >= r.First && game < r.end() })
}

// putQueue counts the chunks that are put, by player.
type putQueue struct {
	Queue
	put map[string]int
}

func (q putQueue) Put(_ context.Context, c Chunk) error {
	q.put[c.Identity]++
	return nil
}

// Chunks of players that few or no workers can play do not fill the queue: there are two for each worker that can play
// them, and two for players that no worker can play.
func TestRoom(t *testing.T) {
	for name, c := range map[string]struct {
		can, want map[string]int
	}{
		"all play all":     {map[string]int{"a": 10, "b": 10}, map[string]int{"a": 10, "b": 10}},
		"one plays b":      {map[string]int{"a": 10, "b": 1}, map[string]int{"a": 18, "b": 2}},
		"one plays b, c":   {map[string]int{"a": 10, "b": 1, "c": 1}, map[string]int{"a": 18, "b": 1, "c": 1}},
		"nobody plays b":   {map[string]int{"a": 10, "b": 0}, map[string]int{"a": 20, "b": 2}},
		"nobody plays any": {map[string]int{"a": 0, "b": 0}, map[string]int{"a": 1, "b": 1}},
	} {
		q := putQueue{put: map[string]int{}}
		s := &Scheduler{Queue: q, Plan: &Planner{MaxGames: 1}, Capacity: func(identity string) int {
			if identity == "" {
				return 10
			}
			return c.can[identity]
		}}
		for _, identity := range []string{"a", "b", "c"} {
			if _, ok := c.can[identity]; ok {
				s.Plan.Add(Chunk{Identity: identity}, []Range{{0, 100}}, 0, 0)
			}
		}
		s.inFlight, s.queued = map[string]*chunkInFlight{}, map[string]int{}
		s.fill(t.Context())
		must.Do(t, s.err)
		if diff := cmp.Diff(c.want, q.put); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
