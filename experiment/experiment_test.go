package experiment_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/board"
)

func TestMain(m *testing.M) { testenv.Main(m) }

var setup = arena.Setup{Size: board.Size{Rows: 3, Cols: 3}, Spawn: "random", Seed: 5}

func open(t *testing.T) *store.Store {
	t.Helper()
	s := must.Get(store.Open(filepath.Join(t.TempDir(), "x.db")))(t)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func itself(spec string) (string, error) { return spec, nil }

func config(p experiment.Program) *experiment.Config {
	return &experiment.Config{Identity: itself, Program: p}
}

// entrants are players of their specs.
func entrants(t *testing.T, specs ...string) []experiment.Entrant {
	t.Helper()
	return must.Get(config(experiment.Program{}).Entrants(t.Context(), specs, setup.Size))(t)
}

func begin(t *testing.T, c *experiment.Config, s *store.Store, games int, specs ...string) *experiment.Experiment {
	t.Helper()
	x, err := c.Begin(t.Context(), s, &arena.Plan{Name: "first", Setup: setup, Games: games}, entrants(t, specs...))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// program has a signature.
func program(version, signature string) experiment.Program {
	return experiment.Program{Version: version, Signature: func(context.Context) (string, error) { return signature, nil }}
}

// An experiment accepts games of other builds if their signatures are equal. Without signatures, the versions must be
// equal. The signature is computed only if games are to be played.
func TestSignatures(t *testing.T) {
	for _, c := range []struct {
		what           string
		began, resumes experiment.Program
		refused        string
	}{
		{"the same program", program("1", "a"), program("1", "a"), ""},
		{"another version that does the same", program("1", "a"), program("2", "a"), ""},
		{"another version", program("1", "a"), program("2", "b"), "first: games of greedy are from version 1 (signature a); this version, 2 (signature b), may choose other moves"},
		{"another build", program("1", "a"), program("1", "b"), "first: games of greedy are from version 1 (signature a); this version, 1 (signature b), may choose other moves"},
		{"no signature", program("1", ""), program("1", ""), ""},
		{"no signature, another version", program("1", ""), program("2", ""), "first: games of greedy are from version 1; this version, 2, may choose other moves"},
	} {
		s := open(t)
		x := begin(t, config(c.began), s, 3, "greedy")
		must.Do(t, x.Play(t.Context(), experiment.PlayOptions{}))
		other, computed := config(c.resumes), 0
		other.Program.Signature = func(ctx context.Context) (string, error) { computed++; return c.resumes.Signature(ctx) }
		x = must.Get(other.Find(t.Context(), s, "first"))(t)
		if err := x.Extend(t.Context(), experiment.Extension{}); err != nil || computed != 0 {
			t.Errorf("%s: without missing games: %v", c.what, err)
		}
		err := x.Extend(t.Context(), experiment.Extension{Games: 5})
		var r *experiment.RefusalError
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%s: %v", c.what, err)
		case c.refused != "" && (!errors.As(err, &r) || !errors.Is(err, experiment.ErrOtherProgram) || r.Error() != c.refused):
			t.Errorf("%s: %v, want %s", c.what, err, c.refused)
		}
		other.AnyVersion = true
		if err := x.Extend(t.Context(), experiment.Extension{Games: 6}); err != nil {
			t.Errorf("%s, with any version: %v", c.what, err)
		}
		p := must.Get(s.Experiment(t.Context(), "first"))(t).Players[0]
		signature, _ := c.resumes.Signature(t.Context())
		if !p.Played(c.resumes.Version, signature) || p.Versions[0] != c.began.Version {
			t.Errorf("%s: kept %q with signatures %q", c.what, p.Versions, p.Signatures)
		}
	}
}

// The identity of auto changes once a size is solved.
func TestExactIdentity(t *testing.T) {
	c := config(program("1", "s"))
	for size, want := range map[board.Size]string{
		{Rows: 2, Cols: 3}: "auto(values=exact)", // solved in memory
		{Rows: 2, Cols: 5}: "auto",               // not solved
	} {
		all := must.Get(c.Entrants(t.Context(), []string{"auto"}, size))(t)
		must.Equal(t, all[0].Identity, want, size, "identity")
	}
}

// Stopping, extending and continuing an experiment yields the same games as one call of arena.Run.
func TestPlay(t *testing.T) {
	s := open(t)
	c := config(experiment.Program{Version: "1"})
	x := begin(t, c, s, 60, "greedy", "random")
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	err := x.Play(ctx, experiment.PlayOptions{Workers: 2, OnGames: func(_ *arena.Player, games []arena.Recorded) error {
		if seen += len(games); seen > 20 {
			cancel()
		}
		return nil
	}})
	cancel()
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if x, err = c.Find(t.Context(), s, "first"); err != nil {
		t.Fatal(err)
	}
	must.Do(t, x.Extend(t.Context(), experiment.Extension{Games: 80, Entrants: entrants(t, "snake(depth=0)")}))
	had := -1
	if err := x.Play(t.Context(), experiment.PlayOptions{Workers: 2, OnStart: func(have [][]arena.Outcome) {
		had = len(have[0]) + len(have[1]) + len(have[2])
	}}); err != nil {
		t.Fatal(err)
	}
	must.Equal(t, had, seen, "games it went on from")
	exp := arena.RunOptions{Size: setup.Size, Seed: setup.Seed, Games: 80}
	for _, n := range entrants(t, "greedy", "random", "snake(depth=0)") {
		exp.Players = append(exp.Players, n.Maker)
	}
	want := must.Get(arena.Run(t.Context(), exp, nil))(t)
	got := must.Get(x.Results(t.Context()))(t)
	for i, p := range got.Players {
		// The store keeps no sums: they follow from the seed.
		if diff := cmp.Diff(want.Players[i].Games, p.Games, cmpopts.IgnoreFields(arena.Outcome{}, "Elapsed", "Sum")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", p.Name, diff)
		}
	}
}

// An invalid beginning or extension is a RefusalError, and leaves the store unchanged.
func TestRefusals(t *testing.T) {
	s := open(t)
	contents := "1"
	c := config(experiment.Program{Version: "1"})
	c.Identity = func(spec string) (string, error) { return spec + contents, nil }
	refused := func(err error) {
		t.Helper()
		if !errors.As(err, new(*experiment.RefusalError)) {
			t.Error(err)
		}
	}
	_, err := c.Entrants(t.Context(), []string{"greedy", "greedy()"}, setup.Size)
	refused(err)
	all := must.Get(c.Entrants(t.Context(), []string{"greedy", "foresight"}, setup.Size))(t)
	e := func(spawn string) *arena.Plan {
		return &arena.Plan{Name: "first", Games: 2, Setup: arena.Setup{Size: setup.Size, Spawn: spawn}}
	}
	_, err = c.Begin(t.Context(), s, e("random"), nil)
	if refused(err); !errors.Is(err, experiment.ErrNoPlayers) {
		t.Error(err)
	}
	_, err = c.Begin(t.Context(), s, e("adversary"), all)
	refused(err)
	_, err = c.Begin(t.Context(), s, e("nothing"), all)
	refused(err)
	if _, err := c.Find(t.Context(), s, "first"); !errors.Is(err, arena.ErrUnknown) {
		t.Errorf("an experiment was created: %v", err)
	}
	must.Get(c.Begin(t.Context(), s, e("random"), all))(t)
	contents = "2"
	x := must.Get(c.Find(t.Context(), s, "first"))(t)
	refused(x.Extend(t.Context(), experiment.Extension{Games: 9}))
	if again, err := s.Experiment(t.Context(), "first"); err != nil || again.Games != 2 {
		t.Errorf("after a refusal the experiment requests %d games, %v", again.Games, err)
	}
}

// A match ends once one player is clearly better, and resumes from stored games.
func TestMatch(t *testing.T) {
	s := open(t)
	c := config(experiment.Program{Version: "1"})
	pair := entrants(t, "expectimax(eval=gradient,plies=1)", "random")
	x := must.Get(c.Begin(t.Context(), s, &arena.Plan{Name: "match", Setup: setup}, pair))(t)
	r := must.Get(x.Rank(t.Context(), []string{pair[0].Identity, pair[1].Identity}, 0.95))(t)
	must.Do(t, r.Play(t.Context(), experiment.PlayOptions{Workers: 2, Games: 5000}))
	m := r.Match(2)
	if m.Winner() <= 0 || m.Pairs() == 0 {
		t.Fatalf("winner %d after %d pairs", m.Winner(), m.Pairs())
	}
	again, err := c.Find(t.Context(), s, "match")
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, again.Extend(t.Context(), experiment.Extension{Entrants: pair, Games: 5000, Match: true}))
	r, err = again.Rank(t.Context(), []string{pair[0].Identity, pair[1].Identity}, 0.95)
	m2 := r.Match(2)
	if err != nil || m2.Winner() != m.Winner() || m2.DecidedAfter() != m.DecidedAfter() || again.Plan.Games != 0 {
		t.Errorf("the games that were kept give winner %d after %d pairs, want %d after %d: %v", m2.Winner(), m2.DecidedAfter(), m.Winner(), m.DecidedAfter(), err)
	}
}

// Players and games are found by EXPERIMENT/PLAYER/NUMBER. For a missing one, the error is a RefusalError that
// lists the existing ones.
func TestLookup(t *testing.T) {
	s := open(t)
	if _, err := experiment.Lookup(t.Context(), s, "first"); err == nil || !strings.HasSuffix(err.Error(), ": there are none") {
		t.Error(err)
	}
	x := begin(t, config(experiment.Program{Version: "1"}), s, 3, "greedy", "random")
	must.Do(t, x.Play(t.Context(), experiment.PlayOptions{}))
	for text, want := range map[string]string{"first/greedy/2": "first/greedy", "first/2/0": "first/random"} {
		m, g, err := experiment.LookupGame(t.Context(), s, text)
		if err != nil || m.String() != want || g.Moves == 0 || !strings.HasSuffix(text, string(rune('0'+g.Index))) {
			t.Errorf("%s is %v, %+v, %v", text, m, g, err)
		}
	}
	for text, want := range map[string]string{
		"frist/1/0":      "did you mean first?",
		"first/3/0":      "first has no player 3: must be 1 (greedy), 2 (random)",
		"first/0":        "first has 2 players: give one of them, as in first/1: 1 (greedy), 2 (random)",
		"first/greedy/x": `game "first/greedy/x": must be EXPERIMENT/PLAYER/NUMBER such as first/greedy/0`,
		"7":              `game "7": must be EXPERIMENT/PLAYER/NUMBER`,
	} {
		_, _, err := experiment.LookupGame(t.Context(), s, text)
		var r *experiment.RefusalError
		if !errors.As(err, &r) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, _, err := experiment.LookupGame(t.Context(), s, "first/1/3"); !errors.Is(err, arena.ErrUnknown) {
		t.Errorf("a game that was not played: %v", err)
	}
}
