package arena_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// hostileRules are the spawn rules of the chunks for which workers deliver here.
var hostileRules = []string{"random", "adversary", "friendly(eval=empty,share=0.5)"}

// hostileChunk is a chunk of some games of greedy.
func hostileChunk(rule string) arena.Chunk {
	setup := arena.Setup{Size: board.Size{Rows: 2, Cols: 3}, Spawn: rule, SpawnIdentity: rule, Seed: 7, Stop: game.Stop{Tile: 64}}
	return arena.Chunk{Setup: setup, Player: "greedy", Identity: "greedy", Version: "1", First: 3, Games: 5}
}

// gamesOf returns the games of a chunk.
func gamesOf(t testing.TB, c arena.Chunk, factory func(*arena.Chunk) (arena.PlayerFactory, error)) (games []arena.Recorded) {
	t.Helper()
	q := arena.NewLocalQueue()
	plan := &arena.Planner{}
	plan.Add(c, []arena.Range{{First: c.First, Games: c.Games}}, 0, 0)
	s := arena.Scheduler{Queue: q, Plan: plan, Keep: func(_ *arena.Chunk, more []arena.Recorded) error {
		games = append(games, more...)
		return nil
	}}
	if err := s.RunHere(t.Context(), arena.Worker{Queue: q, Factory: factory}, 1); err != nil {
		t.Fatal(err)
	}
	for i := range games {
		games[i].Elapsed = time.Millisecond
	}
	slices.SortFunc(games, func(a, b arena.Recorded) int { return cmp.Compare(a.Index, b.Index) })
	return games
}

// hostileQueue answers each chunk with the delivery of a hostile worker, the first few times, and with the games of an
// honest one.
type hostileQueue struct {
	hostile arena.Delivery
	times   int
	honest  map[uint64]arena.Recorded
	waiting []arena.Delivery
	unacked int
}

func (q *hostileQueue) Put(_ context.Context, c arena.Chunk) error {
	if q.times > 0 {
		q.times--
		d := q.hostile
		d.Chunk, d.Worker, d.Games = c, "hostile", slices.Clone(d.Games)
		q.waiting = append(q.waiting, d)
	}
	d := arena.Delivery{Chunk: c, Worker: "honest", Done: true}
	for i := range uint64(c.Games) {
		d.Games = append(d.Games, q.honest[c.First+i])
	}
	q.waiting = append(q.waiting, d)
	return nil
}

func (q *hostileQueue) Collect(ctx context.Context) (d arena.Delivery, ack func(), err error) {
	if len(q.waiting) == 0 {
		<-ctx.Done()
		return d, nil, ctx.Err()
	}
	d, q.waiting = q.waiting[0], q.waiting[1:]
	q.unacked++
	return d, func() { q.unacked-- }, nil
}

func (q *hostileQueue) Ready() bool { return len(q.waiting) > 0 }

// inspectHostile runs a scheduler for the games of a chunk with a hostile worker, which answers some times. Whatever it
// delivers, the work ends, every delivery is acknowledged, and the games that are kept are the honest ones. It returns why the worker was rejected, "" if
// it was not.
func inspectHostile(t *testing.T, inspect *arena.Inspector, c arena.Chunk, honest []arena.Recorded, hostile arena.Delivery, times int) (rejected string) {
	t.Helper()
	q := &hostileQueue{hostile: hostile, times: times, honest: map[uint64]arena.Recorded{}}
	for _, g := range honest {
		q.honest[g.Index] = g
	}
	kept := map[uint64]arena.Recorded{}
	inspect.OnFalse = func(_ context.Context, d *arena.Delivery, reason string, former map[string][]arena.Range) error {
		if rejected = reason; d.Worker != "hostile" {
			t.Errorf("worker %s was rejected: %s", d.Worker, reason)
		}
		maps.DeleteFunc(kept, func(index uint64, _ arena.Recorded) bool { return arena.InRanges(former[c.Identity], index) })
		return nil
	}
	plan := &arena.Planner{}
	plan.Add(c, []arena.Range{{First: c.First, Games: c.Games}}, 0, 0)
	s := arena.Scheduler{Queue: q, Plan: plan, Inspect: inspect, Keep: func(_ *arena.Chunk, games []arena.Recorded) error {
		for _, g := range games {
			g.Elapsed = time.Millisecond
			kept[g.Index] = g
		}
		return nil
	}}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if q.unacked != 0 {
		t.Errorf("%d deliveries were not acknowledged", q.unacked)
	}
	if !reflect.DeepEqual(kept, q.honest) {
		t.Errorf("kept %+v, want %+v", kept, q.honest)
	}
	return rejected
}

// hostileNumbers are values for every number of a delivery.
var hostileNumbers = []string{"-1", "0", "1", "255", "2147483648", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e18", "1e400", "NaN", "null", `"1"`, "[]"}

// hostileSeeds returns deliveries of a chunk in JSON: the honest one, every lie about it, and one for each of its values.
func hostileSeeds(t testing.TB, honest arena.Delivery) (all [][]byte) {
	t.Helper()
	add := func(d arena.Delivery) []byte {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
		return text
	}
	whole := add(honest)
	for _, name := range slices.Sorted(maps.Keys(lies)) {
		d := honest
		d.Games = slices.Clone(d.Games)
		for i := range d.Games {
			d.Games[i].Trace = bytes.Clone(d.Games[i].Trace)
		}
		lies[name].tamper(len(d.Games), &d)
		add(d)
	}
	_, games, _ := bytes.Cut(whole, []byte(`"games":[`)) // behind the chunk
	var fields map[string]json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(games)).Decode(&fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		old := fmt.Appendf(nil, "%q:%s", name, fields[name])
		if !bytes.Contains(games, old) {
			t.Fatalf("no %s in %s", old, games)
		}
		for _, value := range hostileNumbers {
			all = append(all, bytes.Replace(whole, old, fmt.Appendf(nil, "%q:%s", name, value), 1))
		}
	}
	failed, none, huge := honest, honest, honest
	failed.Failed, failed.Done, failed.Games = "tired", false, nil
	none.Games = nil
	huge.Games = make([]arena.Recorded, 1000)
	for _, d := range []arena.Delivery{failed, none, huge} {
		add(d)
	}
	return all
}

// FuzzInspector delivers any JSON to a scheduler; see inspectHostile. No check of the delivery panics.
func FuzzInspector(f *testing.F) {
	honest := map[string][]arena.Recorded{}
	for i, rule := range hostileRules {
		c := hostileChunk(rule)
		honest[rule] = gamesOf(f, c, factory)
		for k, text := range hostileSeeds(f, arena.Delivery{Chunk: c, Games: honest[rule], Done: true}) {
			if k%len(hostileRules) == i || soak.Wanted() { // the quick suite has each lie under one rule
				f.Add(text, uint8(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		var d arena.Delivery
		if json.Unmarshal(text, &d) != nil {
			return
		}
		rule := hostileRules[int(which)%len(hostileRules)]
		inspect := &arena.Inspector{Factory: factory, Deterministic: always, Share: 1}
		if reason := inspectHostile(t, inspect, hostileChunk(rule), honest[rule], d, 4); strings.Contains(reason, "panics") {
			t.Error(reason)
		}
	})
}

// FuzzVerify verifies any games in JSON. Those that pass are the games of their moves by the rules.
func FuzzVerify(f *testing.F) {
	for i, rule := range hostileRules {
		c := hostileChunk(rule)
		for _, text := range hostileSeeds(f, arena.Delivery{Chunk: c, Games: gamesOf(f, c, factory), Done: true}) {
			f.Add(text, uint8(i), false)
			f.Add(text, uint8(i), true)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8, program bool) {
		var d arena.Delivery
		if json.Unmarshal(text, &d) != nil {
			return
		}
		c := hostileChunk(hostileRules[int(which)%len(hostileRules)])
		made, err := factory(&c)
		if err != nil {
			t.Fatal(err)
		}
		if program { // such players forfeit
			c.Player, c.Identity = `exec(cmd="bot")`, `exec(cmd="bot")`
		}
		if arena.Verify(&c, d.Games, made.Spawn) != nil {
			return
		}
		for i := range d.Games {
			playMoves(t, &c, &d.Games[i], made.Spawn)
		}
	})
}

// playMoves plays the moves of a verified game with the spawn rule, and compares the outcome.
func playMoves(t *testing.T, c *arena.Chunk, r *arena.Recorded, rule player.SpawnRule) {
	t.Helper()
	if !arena.InRanges([]arena.Range{{First: c.First, Games: c.Games}}, r.Index) || r.Seed != c.Setup.Seed || r.Elapsed < 0 {
		t.Errorf("game %d of seed %d took %v", r.Index, r.Seed, r.Elapsed)
	}
	g, err := game.New(game.Options{Size: c.Setup.Size, Spawner: rule.New(r.Seed, r.Index)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Moves {
		if err := g.Move(board.Direction(r.Trace[i/4] >> (i % 4 * 2) & 3)); err != nil {
			t.Fatal(err)
		}
	}
	b := g.Board()
	got := arena.Outcome{Seed: r.Seed, Index: r.Index, Score: g.Score(), Largest: b.Largest(), Moves: g.Moves(), Sum: b.Sum(), Elapsed: r.Elapsed, Forfeit: r.Forfeit}
	if got != r.Outcome {
		t.Errorf("verified %+v, want %+v", r.Outcome, got)
	}
	if until := b.Largest() >= 6; r.Forfeit.Reason == "" && !until && !b.Terminal() {
		t.Errorf("verified a game that ended on %v", b)
	}
}

// panicking is a player that panics.
type panicking struct{ player.Player }

func (panicking) Decide(context.Context, search.Query) (player.Decision, error) { panic("no idea") }

// A check that panics, at once or while a game is played again, rejects the delivery and its worker, and nothing else.
func TestInspectorPanics(t *testing.T) {
	c := hostileChunk("random")
	honest := gamesOf(t, c, factory)
	first := true
	once := func() bool {
		defer func() { first = false }()
		return first
	}
	for name, inspect := range map[string]*arena.Inspector{
		"panics in github.com/afterstate2048/afterstate/experiment/arena_test.TestInspectorPanics.func": {Factory: factory, Deterministic: func(*arena.Chunk) bool {
			if once() {
				panic("no idea")
			}
			return true
		}},
		"panics in github.com/afterstate2048/afterstate/experiment/arena_test.panicking.Decide, line ": {Deterministic: always, Factory: func(c *arena.Chunk) (arena.PlayerFactory, error) {
			f, err := factory(c)
			if usual := f.New; once() {
				f.New = func() player.Player { return panicking{usual()} }
			}
			return f, err
		}},
	} {
		first = true
		reason := inspectHostile(t, inspect, c, honest, arena.Delivery{Games: honest[:1]}, 1)
		if !strings.Contains(reason, name) || !strings.HasSuffix(reason, ": no idea") {
			t.Errorf("rejected for %q, want that a check %s", reason, name)
		}
	}
}

// deviating is a spawn rule that leaves another one at some spawn of each game.
type deviating struct {
	game.Spawner
	at, n int
}

func (d *deviating) Spawn(b *board.Board) (game.Spawn, error) {
	tile, err := d.Spawner.Spawn(b)
	if d.n++; d.n == d.at {
		tile.Exponent = 3 - tile.Exponent
	}
	return tile, err
}

// Every single tile that a worker chose is found, in games of any player.
func TestVerifyFindsTiles(t *testing.T) {
	for _, rule := range hostileRules[1:] {
		c := hostileChunk(rule)
		made, err := factory(&c)
		if err != nil {
			t.Fatal(err)
		}
		if err := arena.Verify(&c, gamesOf(t, c, factory), made.Spawn); err != nil {
			t.Error(err)
		}
		for at := 1; at <= 10; at++ {
			games := gamesOf(t, c, func(c *arena.Chunk) (arena.PlayerFactory, error) {
				f, err := factory(c)
				f.Spawn.New = func(seed, index uint64) game.Spawner { return &deviating{made.Spawn.New(seed, index), at, 0} }
				return f, err
			})
			if err := arena.Verify(&c, games, player.SpawnRule{}); err != nil {
				t.Errorf("without a rule: %v", err)
			}
			if err := arena.Verify(&c, games, made.Spawn); err == nil || !strings.Contains(err.Error(), "where the spawn rule has a") {
				t.Errorf("%s, another tile %d: %v", rule, at, err)
			}
		}
	}
}

// counting counts the spawns that it is asked for.
type counting struct {
	game.Spawner
	n *int
}

func (c counting) Spawn(b *board.Board) (game.Spawn, error) {
	*c.n++
	return c.Spawner.Spawn(b)
}

// The tiles of a delivery that are chosen again do not grow with the number of its games, and are few if that takes long.
func TestVerifyTileBudget(t *testing.T) {
	c := hostileChunk("adversary")
	c.Games = 1000
	games := gamesOf(t, c, factory)
	made, err := factory(&c)
	if err != nil {
		t.Fatal(err)
	}
	for plies, want := range map[int]struct{ minimum, maximum int }{1: {800, 1248}, 2: {1, 100}, 3: {0, 20}} {
		if plies == 3 && !soak.Wanted() {
			continue
		}
		n := 0
		rule := player.SpawnRule{Plies: plies, New: func(seed, index uint64) game.Spawner { return counting{made.Spawn.New(seed, index), &n} }}
		if err := arena.Verify(&c, games, rule); err != nil {
			t.Error(err)
		}
		if n < want.minimum || n > want.maximum {
			t.Errorf("%d plies: %d tiles were compared, want %d to %d", plies, n, want.minimum, want.maximum)
		}
	}
}

// A worker that chooses the tiles of its games is rejected, also where the rule is so slow that only some tiles are
// compared, and where the player's moves are not.
func TestInspectorFindsTiles(t *testing.T) {
	for _, rule := range []string{"adversary", "friendly(eval=empty)", "adversary(plies=2)", "adversary(share=0.5)"} {
		w := newWork(t, 40, "greedy")
		w.setup.Spawn, w.setup.SpawnIdentity, w.setup.Stop = rule, rule, game.Stop{Tile: 256}
		reasons := w.crowd(&arena.Inspector{}, honest, func(c *arena.Chunk) (arena.PlayerFactory, error) {
			f, err := factory(c)
			f.Spawn.New = func(seed, index uint64) game.Spawner { return game.NewRandom(seed+1, index, game.P4) }
			return f, err
		})
		w.check()
		if len(reasons) != 1 || !strings.Contains(reasons[0], "where the spawn rule has a") {
			t.Errorf("%s: rejected for %q", rule, reasons)
		}
	}
}
