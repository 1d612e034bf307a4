package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/bot"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Capabilities restrict what a spec may use. The zero value is for untrusted specs, such as specs
// received over a network: it permits only the embedded network.
type Capabilities struct {
	// ReadFile reads a file that a spec names; nil: files are refused.
	ReadFile func(path string) ([]byte, error)
	// Exec permits specs that start programs (exec).
	Exec bool
	// Connect connects to programs that are already running (remote); nil: such specs are refused.
	// Package player/bot/remote implements it for WebSocket and HTTP.
	Connect bot.Connector
	// Networks finds the networks that specs name; nil: only the embedded network.
	Networks Networks
	// Trusted lifts the limits on memory, threads and depth. Without it, tables are limited to 64
	// MB, threads to 2, foresight to depth 8 or beams of 4096, and searching spawn rules to 2 plies.
	Trusted bool
}

// Networks finds the network that a spec names: a training run, a file (file is true if the name
// was in quotes), or, if name is empty, the embedded network. It fails if the network does not exist.
// The network is loaded on first use. [models.Library.Find] is an implementation.
type Networks func(name string, file bool) (models.Source, error)

// NoNetworks provides no network, for programs that cannot spare the memory (about 270 MB for the
// champion); auto then plays expert on 4x4.
func NoNetworks(string, bool) (models.Source, error) {
	return models.Source{}, errors.New("networks may not be used here")
}

// champions is the default of Capabilities.Networks.
var champions models.Library

func (c *Capabilities) findNetwork(name string, file bool) (models.Source, error) {
	if c.Networks == nil {
		return champions.Find(name, file)
	}
	return c.Networks(name, file)
}

// Program is an external program that plays, a [bot.Program]. It is an interface so that builds that cannot
// start programs do not link its implementation.
type Program interface {
	Introduce(ctx context.Context, size board.Size) (name, version string, err error)
	Known() (name, version string)
	Folder() string
}

// Maker creates players of one validated spec. Several goroutines may use it.
type Maker struct {
	Spec        string // the spec in its shortest notation
	Foresees    bool   // the players see future spawns (see player.Seer)
	TimeLimited bool   // the players have a time limit, so they are not deterministic
	New         func() player.Player
	Memory      int64 // bytes of the table that each player allocates on first use
	// NewRollout creates players of the same kind for rollouts, which decide in well under a
	// millisecond; nil: New does. RolloutLimits describes the reduced search limits.
	NewRollout    func() player.Player
	RolloutLimits string
	// Exact reports whether the players have exact values on a size; nil: on no size. The result does not
	// change during the lifetime of the Maker.
	Exact func(board.Size) bool
	// Table returns the problem whose table would give the players exact values on a size; nil: no size
	// has one. See Offer.
	Table func(board.Size) (p solve.Problem, ok bool)
	// Network loads the network with which the players' rollouts can be played at 1 ply, with the tile
	// downgrading of the players. It is nil for players without a network, and returns nil for sizes
	// that they play without one.
	Network func(context.Context, board.Size) (*ntuple.Network, error)
	// External is the external program that the players run, for its name and version; nil for
	// built-in players.
	External Program
	// Evaluator returns the name and a new instance of the players' evaluator for a size; nil for
	// players without one.
	Evaluator func(board.Size) (name string, e eval.Evaluator)

	decided *decisions            // of auto; nil for other players
	again   func() (Maker, error) // of auto: builds the Maker again
}

// Renewed returns a Maker of the same spec that also uses tables that were solved after m was first used on
// their size. If nothing has changed it returns m. Use it for single decisions; all players of a game or an
// experiment should come from one Maker.
func (m Maker) Renewed() Maker {
	if m.decided == nil || !m.decided.outdated() {
		return m
	}
	fresh, err := m.again()
	if err != nil {
		return m
	}
	fresh.Spec = m.Spec
	return fresh
}

// Rollout creates a player for rollouts.
func (m *Maker) Rollout() player.Player {
	if m.NewRollout != nil {
		return m.NewRollout()
	}
	return m.New()
}

// Limits describes the reduced search limits of rollouts on a size; "" if there are none.
func (m *Maker) Limits(size board.Size) string {
	if m.Exact != nil && m.Exact(size) {
		return ""
	}
	return m.RolloutLimits
}

// kind describes and builds the players with a name that is not a preset.
type kind struct {
	name    string
	spec    string // the name with its most important keys
	keys    []*option.Option
	origin  string // the program that the player comes from, or ""
	summary string
	build   func(b *builder, s *spec.Spec) (Maker, error)
}

func findKind(name string) (kind, bool) {
	for _, k := range kinds() {
		if k.name == name {
			return k, true
		}
	}
	return kind{}, false
}

// builder is the context in which a spec is built.
type builder struct {
	caps   Capabilities
	spec   string  // the name of the players in decisions
	preset *preset // the preset that is being expanded, or nil
}

// args returns a reader for the arguments of a spec with the given keys. Errors about a preset use the
// name and keys of the preset, not of the spec that it expands to.
func (b *builder) args(s *spec.Spec, keys []*option.Option) args {
	a := args{name: s.Name, spec: s, keys: keys, trusted: b.caps.Trusted}
	if b.preset != nil {
		a.name = b.preset.name
		if b.preset.depthIs != "" {
			a.keys = append(slices.Clip(keys), b.preset.depthKey())
		}
	}
	return a
}

// Parse reads and validates a player spec. Its errors name the invalid part and what is accepted there.
func Parse(text string, caps Capabilities) (Maker, error) {
	s, err := spec.Parse(text)
	if err != nil {
		if script := strings.ContainsAny(text, `./\`) && !strings.Contains(text, "("); caps.Exec && (script || strings.HasPrefix(text, "exec(")) {
			err = fmt.Errorf("%w; a program is exec(cmd=\"python3 bot.py\"), in a shell within single quotes", err)
		}
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
	if i := slices.IndexFunc(presets, func(p preset) bool { return p.name == s.Name }); i >= 0 {
		b.preset = &presets[i]
		expanded, err := b.preset.expand(s)
		if err != nil {
			return Maker{}, err
		}
		return b.player(expanded)
	}
	if k, ok := findKind(s.Name); ok {
		return k.build(b, s)
	}
	return Maker{}, unknown(fmt.Sprintf("no player is called %q", s.Name), s.Name, b.names())
}

// names returns the players that a spec may name.
func (b *builder) names() (all []string) {
	for _, e := range Players(b.caps.Trusted) {
		if (e.Name != "exec" || b.caps.Exec) && (e.Name != "remote" || b.caps.Connect != nil) {
			all = append(all, e.Name)
		}
	}
	return all
}

// maxSpecFile is the maximum size in bytes of a file that a spec names; files of weights are small.
const maxSpecFile = 1 << 20

// ReadFile reads a file that a spec names, for Capabilities.ReadFile. It fails for files above 1
// MiB.
func ReadFile(path string) ([]byte, error) {
	f, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSpecFile+1))
	if err == nil && len(data) > maxSpecFile {
		err = fmt.Errorf("%s has more than %d bytes: must be a small file of weights", path, maxSpecFile)
	}
	return data, err
}

// Players lists all player names, presets first. trusted selects the ranges of keys for trusted or
// untrusted specs; see Capabilities.Trusted.
func Players(trusted bool) (all []protocol.PlayerInfo) {
	for _, p := range presets {
		all = append(all, protocol.PlayerInfo{Name: p.name, Spec: p.base, Keys: infos(p.keys(), trusted), Origin: p.origin, Summary: p.summary})
	}
	for _, k := range kinds() {
		all = append(all, protocol.PlayerInfo{Name: k.name, Spec: k.spec, Keys: infos(k.keys, trusted), Origin: k.origin, Summary: k.summary})
	}
	return all
}

// Evaluators lists the values of the key eval.
func Evaluators() (all []protocol.EvaluatorInfo) {
	for _, e := range eval.Infos() {
		info := protocol.EvaluatorInfo{Name: e.Name, Formula: e.Formula, Origin: e.Origin, Unit: string(e.Unit()), Keys: []protocol.KeyInfo{}}
		if e.Name == "lines" {
			info.Keys = infos(linesKeys(), true)
		}
		all = append(all, info)
	}
	return append(all, protocol.EvaluatorInfo{
		Name: "sum", Formula: "sum of other evaluators with weights: sum(empty=2,smoothness=1)",
		Unit: string(eval.Heuristic), Keys: infos(sumKeys(), true),
	})
}

// SpawnRules lists the spawn rules. trusted selects the ranges as in [Players].
func SpawnRules(trusted bool) []protocol.SpawnRuleInfo {
	return each.Of(spawnRules, func(r spawnRule) protocol.SpawnRuleInfo {
		return protocol.SpawnRuleInfo{Name: r.name, Keys: infos(r.keys, trusted), Summary: r.summary}
	})
}
