package catalog

import (
	"errors"
	"fmt"
	"slices"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/player"
	"afterstate/player/spec"
	"afterstate/wire"
)

// Capabilities say what a spec may use beyond computing. The zero value is for
// specs that arrive over a network: nothing but the program's own network.
type Capabilities struct {
	// ReadFile reads a file that a spec names; nil: specs may name none.
	ReadFile func(path string) ([]byte, error)
	// Exec allows specs that start programs.
	Exec bool
	// Networks are those that specs may use; nil: the one that comes with the program.
	Networks Networks
	// Trusted allows specs to take what memory and time and how many threads they like, as
	// the machine's owner may. Without it tables end at 64 MB, threads at 2, foresight
	// at depth 8 or beams of 4096, and spawn rules that search at 2 plies.
	Trusted bool
}

// Networks finds the network that a spec names: the run of a name, or a file if it stood
// in quotes, or without a name the one that comes with the program. It says if there is
// none; what it returns loads the network when it is first needed. *[models.Library] is one.
type Networks interface {
	Find(name string, file bool) (load func() (*ntuple.Network, error), err error)
}

// NoNetworks are no networks, for programs that cannot spare the memory, some 270 MB for
// the champion: auto is then expert on 4x4.
var NoNetworks Networks = noNetworks{}

type noNetworks struct{}

func (noNetworks) Find(string, bool) (func() (*ntuple.Network, error), error) {
	return nil, errors.New("networks may not be used here")
}

// champions are the networks of capabilities that name none.
var champions Networks = new(models.Library)

func (c *Capabilities) networks() Networks {
	if c.Networks == nil {
		return champions
	}
	return c.Networks
}

// champion is what auto plays on 4x4: a spec; "" where there is no network for it.
func (c *Capabilities) champion() string {
	if _, err := c.networks().Find("", false); err != nil {
		return ""
	}
	return "champion"
}

// Maker makes players of one spec, which was found to be right.
type Maker struct {
	Spec        string // in its shortest notation
	Foresees    bool   // the players know the tiles to come
	TimeLimited bool   // they are limited by time, so not deterministic
	New         func() player.Player
	Memory      int64 // bytes of the table that each player allocates when it is first needed
	// Quick makes players of the same kind that answer in well under a millisecond,
	// for rollouts; nil: New's are quick. QuickAs says what makes them so.
	Quick   func() player.Player
	QuickAs string
	// Evaluator makes the players' evaluator for a size and says its name; nil for
	// players without one.
	Evaluator func(board.Size) (name string, e eval.Evaluator)
}

// kind builds the players of one name that is no preset.
type kind struct {
	name    string
	spec    string // the name with its most important keys
	keys    []key
	origin  string // the program it comes from, or ""
	summary string
	build   func(b *builder, s *spec.Spec) (Maker, error)
}

func (k *kind) info(own bool) wire.PlayerInfo {
	return wire.PlayerInfo{Name: k.name, Spec: k.spec, Keys: infos(k.keys, own), Origin: k.origin, Summary: k.summary}
}

func findKind(name string) (kind, bool) {
	for _, k := range kinds() {
		if k.name == name {
			return k, true
		}
	}
	return kind{}, false
}

// builder holds what building a spec needs to know.
type builder struct {
	caps   Capabilities
	spec   string  // what the players call themselves
	preset *preset // not nil while its expansion is built
}

// args starts reading the arguments of a spec by a table of keys. What a preset's user
// sees are the preset's name and keys.
func (b *builder) args(s *spec.Spec, keys []key) args {
	a := args{name: s.Name, spec: s, keys: keys, own: b.caps.Trusted}
	if b.preset != nil {
		a.name = b.preset.name
		if b.preset.depthIs != "" {
			a.keys = append(slices.Clip(keys), b.preset.depthKey())
		}
	}
	return a
}

// Parse reads a player spec.
func Parse(text string, caps Capabilities) (Maker, error) {
	s, err := spec.Parse(text)
	if err != nil {
		return Maker{}, err
	}
	b := &builder{caps: caps, spec: s.String()}
	m, err := b.player(s)
	if err != nil {
		return Maker{}, err
	}
	m.Spec = b.spec
	return m, nil
}

func (b *builder) player(s *spec.Spec) (Maker, error) {
	if p, ok := findPreset(s.Name); ok {
		expanded, err := p.expand(s)
		if err != nil {
			return Maker{}, err
		}
		b.preset = &p
		return b.player(expanded)
	}
	if k, ok := findKind(s.Name); ok {
		return k.build(b, s)
	}
	return Maker{}, unknown(fmt.Sprintf("no player is called %q", s.Name), s.Name, b.names())
}

// names are the players that a spec may name.
func (b *builder) names() []string {
	var all []string
	for _, e := range Players(b.caps.Trusted) {
		if e.Name != "exec" || b.caps.Exec {
			all = append(all, e.Name)
		}
	}
	return all
}
