package store

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

func TestMain(m *testing.M) {
	// The default of 100 random sequences takes too long; the command line may say more.
	checks := "10"
	if soak.Wanted() {
		checks = "30"
	}
	_ = flag.Set("rapid.checks", checks)
	_ = flag.Set("rapid.seed", strconv.Itoa(soak.Count(1, 0))) // fixed, except under SOAK=1
	flag.Parse()
	testenv.Main(m)
}

func testExperiment(name string, players ...string) *arena.Plan {
	e := &arena.Plan{Name: name, Games: 100, Setup: arena.Setup{
		Size: board.Size{Rows: 3, Cols: 4}, Spawn: "random", SpawnIdentity: "random", Seed: 1<<64 - 1, Stop: game.Stop{Tile: 512},
	}}
	for _, p := range players {
		e.Players = append(e.Players, arena.Player{Spec: p, Identity: p + "!", Versions: []string{"1.0"}, Signatures: []string{""}, TimeLimited: p == "slow", Foresees: p == "seer"})
	}
	return e
}

func opened(t testing.TB, path string) *Store {
	t.Helper()
	s := must.Get(Open(path))(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// begun is a new store with the experiment a.
func begun(t *testing.T, path string, players ...string) (*Store, *arena.Plan) {
	t.Helper()
	s, e := opened(t, path), testExperiment("a", players...)
	must.Do(t, s.Create(t.Context(), e))
	return s, e
}

// made returns an invented game with the number index; if other is true, another game with that number.
func made(seed, index uint64, other bool) arena.Recorded {
	chance := rand.New(rand.NewPCG(index, 3))
	g := arena.Recorded{Outcome: arena.Outcome{
		Seed: seed, Index: index, Score: 4 * chance.Int64N(100_000), Largest: uint8(chance.IntN(18)),
		Moves: chance.IntN(4000), Elapsed: time.Duration(chance.Int64N(1e7)) * time.Microsecond,
	}}
	if chance.IntN(20) == 0 {
		g.Forfeit.Reason, g.Forfeit.Detail = "a fault", fmt.Sprint(chance.IntN(3))
	}
	g.Trace = make([]byte, (g.Moves+3)/4)
	for i := range g.Trace {
		g.Trace[i] = byte(chance.Uint32())
	}
	if other {
		g.Score++
		g.Trace = append(g.Trace, 1)
	}
	return g
}

// Games that are kept in any order, also repeatedly, are read back as they were kept first, also after
// the store was closed. Experiments do not affect each other.
func TestWhatIsKeptComesBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		path := filepath.Join(t.TempDir(), "x.db")
		s, err := open(path, "OFF") // faster, and safe without a power cut
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		ctx := context.Background()
		model := map[string]*arena.Plan{}
		games := map[string]map[int64]map[uint64]arena.Recorded{}
		name := rapid.SampledFrom([]string{"a", "b", "c d"})
		rt.Repeat(map[string]func(*rapid.T){
			"create": func(rt *rapid.T) {
				e := testExperiment(name.Draw(rt, "name"), "greedy", "slow", "seer")
				err := s.Create(ctx, e)
				if _, exists := model[e.Name]; exists != errors.Is(err, arena.ErrExists) || !exists && err != nil {
					rt.Fatal(err)
				} else if !exists {
					model[e.Name], games[e.Name] = e, map[int64]map[uint64]arena.Recorded{}
				}
			},
			"extend": func(rt *rapid.T) {
				if e := model[name.Draw(rt, "name")]; e != nil {
					players := testExperiment("", fmt.Sprint("new", len(e.Players))).Players
					must.Do(rt, s.Extend(ctx, e, rapid.IntRange(0, 200).Draw(rt, "games"), players))
				}
			},
			"keep": func(rt *rapid.T) {
				e := model[name.Draw(rt, "name")]
				if e == nil {
					return
				}
				p := rapid.SampledFrom(e.Players).Draw(rt, "player")
				var some []arena.Recorded
				for _, i := range rapid.SliceOfN(rapid.Uint64Range(0, 50), 1, 20).Draw(rt, "indices") {
					some = append(some, made(e.Setup.Seed, i, rapid.Bool().Draw(rt, "other")))
				}
				fresh := must.Get(s.Keep(ctx, e, &p, some))(rt)
				before := len(games[e.Name][p.ID])
				defer func() {
					if got := len(games[e.Name][p.ID]) - before; fresh != got {
						rt.Fatalf("%d games were new, want %d", got, fresh)
					}
				}()
				for _, g := range some {
					kept := games[e.Name][p.ID]
					if kept == nil {
						kept = map[uint64]arena.Recorded{}
						games[e.Name][p.ID] = kept
					}
					if _, exists := kept[g.Index]; !exists {
						kept[g.Index] = g
					}
				}
			},
			"remove": func(rt *rapid.T) {
				if e := model[name.Draw(rt, "name")]; e != nil {
					must.Do(rt, s.Remove(ctx, e))
					delete(model, e.Name)
				}
			},
			"reopen": func(rt *rapid.T) {
				must.Do(rt, s.Close())
				if s, err = open(path, "OFF"); err != nil {
					rt.Fatal(err)
				}
				compare(rt, s, model, games)
			},
		})
		compare(rt, s, model, games)
	})
}

// compare compares a store with its expected contents.
func compare(t *rapid.T, s *Store, model map[string]*arena.Plan, games map[string]map[int64]map[uint64]arena.Recorded) {
	ctx := context.Background()
	all, err := s.Experiments(ctx)
	if err != nil || len(all) != len(model) {
		t.Fatalf("%d experiments, want %d: %v", len(all), len(model), err)
	}
	for _, got := range all {
		want := *model[got.Name]
		counts := must.Get(s.Count(ctx, &got))(t)
		if diff := cmp.Diff(want, got, cmpopts.EquateComparable(board.Size{})); diff != "" {
			t.Fatalf("experiment (-want +got):\n%s", diff)
		}
		figures := must.Get(allGames(ctx, s, &got))(t)
		for i := range got.Players {
			p := &got.Players[i]
			kept := games[got.Name][p.ID]
			if counts[i] != len(kept) || len(figures[i]) != len(kept) || !slices.IsSortedFunc(figures[i], func(a, b arena.Outcome) int { return int(a.Index) - int(b.Index) }) {
				t.Fatalf("%d games, want %d, ascending", len(figures[i]), len(kept))
			}
			for _, g := range figures[i] {
				want := kept[g.Index].Outcome
				if g != want {
					t.Fatalf("game %+v, want %+v", g, want)
				}
				again, err := s.Recorded(ctx, &got, p, g.Index)
				if err != nil || !cmp.Equal(*again, kept[g.Index]) {
					t.Fatalf("recorded: %v\n%s", err, cmp.Diff(kept[g.Index], *again))
				}
			}
			n := 0
			for r, err := range s.AllRecorded(ctx, &got, p) {
				if err != nil || !cmp.Equal(*r, kept[r.Index]) {
					t.Fatalf("all recorded: %v", err)
				}
				n++
			}
			if n != len(kept) {
				t.Fatalf("%d recorded games, want %d", n, len(kept))
			}
		}
	}
}

// Several writers and readers can use one file at once, as separate processes do.
func TestManyWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	first := opened(t, path)
	e := testExperiment("a", "greedy")
	must.Do(t, first.Create(t.Context(), e))
	games, writers := soak.Count(150, 600), 3
	var work sync.WaitGroup
	for n := range writers {
		s := opened(t, path)
		work.Go(func() {
			chance := rand.New(rand.NewPCG(uint64(n), 1))
			for _, i := range chance.Perm(games) {
				if _, err := s.Keep(t.Context(), e, &e.Players[0], []arena.Recorded{made(e.Setup.Seed, uint64(i), false)}); err != nil {
					t.Error(err)
					return
				}
				if i%50 == 0 {
					if _, err := allGames(t.Context(), s, e); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	work.Wait()
	got, err := first.Games(t.Context(), e, &e.Players[0])
	if err != nil || len(got) != games {
		t.Fatalf("%d games, want %d; %v", len(got), games, err)
	}
	for i, g := range got {
		must.Equal(t, g, made(e.Setup.Seed, uint64(i), false).Outcome, "game", i)
	}
}

// A file that is not a store is refused with an error that names it, and is unchanged.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, content, 0o644))
		return path
	}
	foreign := filepath.Join(dir, "foreign.db")
	db := must.Get(sql.Open("sqlite", location(foreign)))(t)
	must.Get(db.Exec("CREATE TABLE mine (x)"))(t)
	_ = db.Close()
	other := must.Get(Open(filepath.Join(dir, "other.db")))(t)
	must.Get(other.writer.ExecContext(t.Context(), "PRAGMA user_version = 1"))(t)
	must.Do(t, other.Close())
	for path, want := range map[string]string{
		other.path: " was made by another version of Afterstate (schema 1, this one reads 3): use that version",
		file("notes.txt", []byte(strings.Repeat("games to play\n", 100))): " is not a store of experiments: must be a file made by afterstate arena run, or a new one",
		foreign: " is a database of another program: must be a store of experiments, or a new file",
	} {
		before, _ := os.ReadFile(path)
		s, err := Open(path)
		if err == nil {
			_ = s.Close()
		}
		if err == nil || err.Error() != path+want || errors.Is(err, ErrVersion) != (path == other.path) || errors.Is(err, ErrNoStore) == (path == other.path) {
			t.Errorf("%v, want %s%s", err, path, want)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s was changed", path)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := OpenExisting(filepath.Join(dir, "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing store: %v", err)
	}
	_, err := Open(filepath.Join(dir, "no", "folder.db"))
	must.Contains(t, fmt.Sprint(err), "folder.db cannot be opened", "a folder that is not there")
}

func TestPages(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "x.db"))
	for pragma, want := range map[string]string{"page_size": "32768", "auto_vacuum": "2", "journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
		var got string
		if err := s.writer.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, want %s; %v", pragma, got, want, err)
		}
	}
}

// Odd file names are names, not options.
func TestNamesOfFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "50%.db", "why?.db", "a#b.db", "ü&x=1.db", "%41.db"} {
		s := opened(t, filepath.Join(dir, name))
		if err := s.Create(t.Context(), testExperiment("a")); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// allGames returns the games of all players.
func allGames(ctx context.Context, s *Store, e *arena.Plan) ([][]arena.Outcome, error) {
	all := make([][]arena.Outcome, len(e.Players))
	for i := range e.Players {
		var err error
		if all[i], err = s.Games(ctx, e, &e.Players[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// The luck of a game is stored once for each hash of values, and removed with the game.
func TestLuck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s, e := begun(t, path, "greedy", "random")
	p := &e.Players[0]
	must.Get(s.Keep(t.Context(), e, p, hundred(e, 0)))(t)
	keep := func(hash string, luck map[uint64]float64) {
		t.Helper()
		must.Do(t, s.KeepLuck(t.Context(), e, p, hash, luck))
	}
	check := func(s *Store, p *arena.Player, hash string, want map[uint64]float64) {
		t.Helper()
		if got, err := s.Luck(t.Context(), e, p, hash); err != nil || !maps.Equal(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	keep("one", map[uint64]float64{0: -12.5, 7: 1e6 + 0.125, 5000: 1}) // there is no game 5000
	keep("other", map[uint64]float64{7: 3})
	keep("other", map[uint64]float64{7: 4, 8: 0})
	check(s, p, "one", map[uint64]float64{0: -12.5, 7: 1e6 + 0.125})
	check(s, p, "other", map[uint64]float64{7: 4, 8: 0})
	check(s, p, "none", map[uint64]float64{})
	check(s, &e.Players[1], "one", map[uint64]float64{})
	none := testExperiment("b", "greedy")
	must.Do(t, s.Create(t.Context(), none))
	for e, want := range map[*arena.Plan]string{e: "one", none: ""} {
		if got, err := s.LuckValues(t.Context(), e); err != nil || got != want {
			t.Errorf("most luck is in values %q, %v, want %q", got, err, want)
		}
	}

	r := must.Get(openReadOnly(path, errors.New("the disk is read-only")))(t)
	defer r.Close()
	if err := r.KeepLuck(t.Context(), e, p, "one", map[uint64]float64{1: 1}); err != nil {
		t.Errorf("a read-only store: %v", err)
	}
	check(r, p, "one", map[uint64]float64{0: -12.5, 7: 1e6 + 0.125})
	check(r, p, "other", map[uint64]float64{7: 4, 8: 0})
}
