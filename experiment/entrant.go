package experiment

import (
	"afterstate/arena/store"
	"afterstate/player"
	"afterstate/player/catalog"
)

// Config is what the experiments of a process have in common.
type Config struct {
	Capabilities catalog.Capabilities // of the players
	// Identity is what a spec stands for now; see the function Identity.
	Identity   func(spec string) (string, error)
	Program    Program
	AnyVersion bool // go on although another program played before
}

// Entrant is a player that was read from a spec.
type Entrant struct {
	catalog.Maker
	Identity string // see arena.Identity
}

// Entrants reads the specs of players. Each may be named once.
func (c *Config) Entrants(specs []string) ([]Entrant, error) {
	var all []Entrant
	seen := map[string]bool{}
	for _, text := range specs {
		m, err := catalog.Parse(text, c.Capabilities)
		if err != nil {
			return nil, err
		}
		id, err := c.Identity(m.Spec)
		if err != nil {
			return nil, err
		}
		if seen[id] {
			return nil, &Refusal{Reason: NamedTwice, Spec: m.Spec}
		}
		seen[id] = true
		all = append(all, Entrant{m, id})
	}
	return all, nil
}

func (e *Entrant) stored(version, signature string) store.Player {
	return store.Player{
		Spec: e.Spec, Identity: e.Identity, Versions: []string{version}, Signatures: []string{signature},
		Foresees: e.Foresees, TimeLimited: e.TimeLimited,
	}
}

// CheckForesight refuses players that know tiles to come where these are not decided in
// advance.
func CheckForesight(entrants []Entrant, spawn player.SpawnRule) error {
	for _, e := range entrants {
		if e.Foresees && !spawn.Random {
			return &Refusal{Reason: Foresees, Spec: e.Spec, Spawn: spawn.Spec}
		}
	}
	return nil
}
