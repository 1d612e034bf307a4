package catalog_test

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

func TestParseSpawner(t *testing.T) {
	random := func(p4 float64) func() game.Spawner {
		return func() game.Spawner { return game.NewRandom(3, 1, p4) }
	}
	adversary := func(a search.Adversary) func() game.Spawner {
		return func() game.Spawner { return &a }
	}
	for text, c := range map[string]struct {
		random bool
		p4     float64
		byHand func() game.Spawner
	}{
		"random":                        {true, 0.1, random(0.1)},
		"random(p4=0.5)":                {true, 0.5, random(0.5)},
		"random(p4=0)":                  {true, 0, random(0)},
		"adversary":                     {false, 0.1, adversary(search.Adversary{})},
		"adversary(eval=snake,plies=2)": {false, 0.1, adversary(search.Adversary{Eval: evaluator(t, "snake"), Plies: 2})},
		"friendly":                      {false, 0.1, adversary(search.Adversary{Friendly: true})},
	} {
		rule := must.Get(catalog.ParseSpawner(text, catalog.Capabilities{}))(t)
		if rule.Spec != text || rule.Random != c.random || rule.P4 != c.p4 {
			t.Errorf("%s is %+v", text, rule)
		}
		a, b := spawned(t, rule.New(3, 1)), spawned(t, c.byHand())
		must.Equal(t, a, b, text, "comes to")
		must.Equal(t, spawned(t, rule.New(3, 1)), a, text, "comes to")
	}
}

// spawned is the board after a few moves among a spawner's tiles.
func spawned(t *testing.T, s game.Spawner) board.Board {
	t.Helper()
	g := must.Get(game.New(game.Options{Size: board.Size{Rows: 3, Cols: 3}, Spawner: s}))(t)
	for n := 0; n < 12 && !g.Over(); n++ {
		for _, d := range board.Directions {
			if g.Move(d) == nil {
				break
			}
		}
	}
	return g.Board()
}

func TestParseSpawnerErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "empty spawn rule: must be random, adversary or friendly",
		"advesary":                 `no spawn rule is called "advesary": did you mean adversary?`,
		"uniform":                  `no spawn rule is called "uniform": must be adversary, friendly, random`,
		"random(seed=1)":           `random has no key "seed": must be p4`,
		"friendly(eval=snak)":      `friendly: eval=snak: no evaluator is called "snak": did you mean snake?`,
		"friendly(evl=snake)":      `friendly has no key "evl": did you mean eval?`,
		"adversary(eval=sum(a=1))": `adversary: eval=sum(a=1): sum: no evaluator is called "a": must be ` + everyEvaluator("file"),
	} {
		_, err := catalog.ParseSpawner(text, catalog.Capabilities{})
		must.Equal(t, fmt.Sprint(err), want, text, "gives")
	}
	if _, err := catalog.ParseSpawner("adversary(plies=8)", catalog.Capabilities{Trusted: true}); err != nil {
		t.Errorf("the machine's owner may not search 8 plies: %v", err)
	}
}

// A share of the spawns is the adversary's, and the same board gets the same tile
// however often it is met.
func TestSpawnerShare(t *testing.T) {
	whole := must.Get(catalog.ParseSpawner("adversary", catalog.Capabilities{}))(t)
	for text, share := range map[string]float64{"adversary(share=0)": 0, "adversary(share=0.5)": 0.5, "adversary(share=1)": 1} {
		rule, err := catalog.ParseSpawner(text, catalog.Capabilities{})
		if err != nil || rule.Random {
			t.Fatal(rule, err)
		}
		const boards = 400
		same := 0
		for i := range boards {
			b := board.New(board.Size{Rows: 6, Cols: 6})
			b.Set(i%36, uint8(1+i%5))
			b.Set((i+7)%36, uint8(1+i%7))
			mixed := rule.New(1, 2)
			got := must.Get(mixed.Spawn(&b))(t)
			if again, _ := mixed.Spawn(&b); again != got {
				t.Fatalf("%s: %v, then %v on %v", text, got, again, b)
			}
			if worst, _ := whole.New(1, 2).Spawn(&b); worst == got {
				same++
			}
		}
		// Chance alone hits one of 34 cells; intervals are five standard errors wide.
		low, high := share*boards-5*10, (share+(1-share)/20)*boards+5*10
		if float64(same) < low || float64(same) > high {
			t.Errorf("%s: %d of %d tiles are the adversary's", text, same, boards)
		}
	}
}
