package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// spawnRule describes a spawn rule and its keys.
type spawnRule struct {
	name    string
	keys    []*option.Option
	summary string
}

var spawnRules = []spawnRule{
	{"random", keysOf[randomRuleArgs](), "a random empty cell, a 4 with probability p4, as in the original game"},
	{"adversary", keysOf[searchRuleArgs](), "the spawn that is worst for the player"},
	{"friendly", keysOf[searchRuleArgs](), "the spawn that is best for the player"},
}

// ParseSpawner reads a spawn rule:
//
//	random(p4=0.1)                    the rule of the original game
//	adversary(eval=gradient,plies=1)  the worst spawn for the player
//	friendly(eval=gradient,plies=1)   the best spawn for the player
//	adversary(share=0.3)              the worst spawn with probability 0.3, otherwise a random one
func ParseSpawner(text string, caps Capabilities) (player.SpawnRule, error) {
	if strings.TrimSpace(text) == "" {
		return player.SpawnRule{}, errors.New("empty spawn rule: must be random, adversary or friendly")
	}
	s, err := spec.Parse(text)
	if err != nil {
		return player.SpawnRule{}, err
	}
	b := &builder{caps: caps}
	i := slices.IndexFunc(spawnRules, func(r spawnRule) bool { return r.name == s.Name })
	if i < 0 {
		return player.SpawnRule{}, unknown(fmt.Sprintf("no spawn rule is called %q", s.Name), s.Name, []string{"random", "adversary", "friendly"})
	}
	a := b.args(s, spawnRules[i].keys)
	rule := player.SpawnRule{Spec: s.String(), P4: game.P4}
	switch s.Name {
	case "random":
		rule.Random = true
		var read randomRuleArgs
		a.read(&read)
		rule.P4 = read.P4
		rule.New = func(seed, index uint64) game.Spawner { return game.NewRandom(seed, index, rule.P4) }
	case "adversary", "friendly":
		makeEval, _ := b.evaluator(&a)
		read := searchRuleArgs{Adversary: search.Adversary{Friendly: s.Name == "friendly"}}
		a.read(&read)
		o, share := read.Adversary, read.Share
		rule.Plies = o.Plies
		rule.New = func(seed, index uint64) game.Spawner {
			searching := o
			if searching.Eval = makeEval(); share == 1 {
				return &searching
			}
			return &mixedSpawner{&searching, share, seed, index}
		}
	}
	return rule, a.finish()
}

// mixedSpawner uses the embedded spawner with probability share, and a random spawner otherwise. The choice depends
// only on the seed, the game's number and the board, so the spawner has no state: the same board gets the same spawn
// after an undo and in a resumed game.
type mixedSpawner struct {
	game.Spawner
	share       float64
	seed, index uint64
}

func (s *mixedSpawner) Spawn(b *board.Board) (game.Spawn, error) {
	at := s.seed
	for r := range b.Size().Rows {
		at = (at ^ b.Row(r)) * 0x9e3779b97f4a7c15 // Fibonacci hashing: 2^64 over the golden ratio
		at ^= at >> 32
	}
	random := game.NewRandom(at, s.index, game.P4)
	if float64(random.Draw()>>11)/(1<<53) < s.share {
		return s.Spawner.Spawn(b)
	}
	return random.Spawn(b)
}
