package player

import (
	"strconv"

	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// SpawnRule creates the spawners of games.
type SpawnRule struct {
	Spec   string  // the rule in its shortest notation
	Random bool    // the standard rule: spawns depend on the seed only
	P4     float64 // probability of a 4 under the standard rule
	Plies  int     // depth of the search that chooses a spawn, from seed, game and board alone; 0: no search
	New    func(seed, index uint64) game.Spawner
}

// Meta returns the metadata of a record of a player's game.
func (r SpawnRule) Meta(seed, index uint64, player string) record.Meta {
	m := record.Meta{Spawn: r.Spec, Seed: seed, Game: index, Player: player}
	if r.Random {
		m.Spawn, m.P4 = record.Random, r.P4
	}
	return m
}

// RandomP4 returns the probability of a 4 under the spawn rule random(p4=...); random without keys
// has the default. It returns false for other rules and for invalid text.
func RandomP4(rule string) (p4 float64, ok bool) {
	s, err := spec.Parse(rule)
	if err != nil || s.Name != "random" || len(s.Args) > 1 {
		return 0, false
	}
	p4 = game.P4
	if len(s.Args) == 1 {
		p4, err = strconv.ParseFloat(s.Args[0].Value.Text, 64)
		ok = err == nil && s.Args[0].Key == "p4" && !s.Args[0].Value.Quoted && p4 >= 0 && p4 <= 1
		return p4, ok
	}
	return p4, true
}
