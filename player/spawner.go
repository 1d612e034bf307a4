package player

import (
	"errors"
	"fmt"
	"strings"

	"afterstate/game"
	"afterstate/player/spec"
	"afterstate/search"
)

// SpawnRule makes the spawners of games.
type SpawnRule struct {
	Spec   string  // in its shortest notation
	Random bool    // the usual rule: spawns follow from the seed
	P4     float64 // its probability of a 4
	New    func(seed, index uint64) game.Spawner
}

// ParseSpawner reads a spawn rule:
//
//	random(p4=0.1)                    the original game's
//	adversary(eval=gradient,plies=1)  the worst tile for the player
//	friendly(eval=gradient,plies=1)   the best one
func ParseSpawner(text string, caps Capabilities) (SpawnRule, error) {
	if strings.TrimSpace(text) == "" {
		return SpawnRule{}, errors.New("empty spawn rule: want random, adversary or friendly")
	}
	s, err := spec.Parse(text)
	if err != nil {
		return SpawnRule{}, err
	}
	b := &builder{caps: caps}
	a := b.args(s)
	rule := SpawnRule{Spec: s.String()}
	switch s.Name {
	case "random":
		rule.Random = true
		rule.P4 = a.float("p4", game.P4, 0, 1)
		rule.New = func(seed, index uint64) game.Spawner { return game.NewRandom(seed, index, rule.P4) }
	case "adversary", "friendly":
		makeEval := b.evaluator(&a, "gradient")
		plies := a.int("plies", 1, 1, 8)
		rule.New = func(_, _ uint64) game.Spawner {
			return &search.Adversary{Eval: makeEval(), Plies: plies, Friendly: s.Name == "friendly"}
		}
	default:
		return SpawnRule{}, unknown(fmt.Sprintf("no spawn rule is called %q", s.Name), s.Name, []string{"random", "adversary", "friendly"})
	}
	return rule, a.finish()
}
