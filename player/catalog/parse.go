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
	// ReadFile reads a file that a spec names. If it is nil, specs may not name files.
	ReadFile func(path string) ([]byte, error)
	// Exec permits specs that start programs (the player exec).
	Exec bool
	// Connect returns a dialer for the program at a URL (the player remote). If it is nil, such
	// specs are refused. Package player/bot/remote implements it for WebSocket and HTTP.
	Connect func(url string) bot.Dialer
	// Networks finds the networks that specs name. If it is nil, specs may use only the embedded
	// network.
	Networks Networks
	// Trusted lifts the limits on memory and depth. If it is false, tables are limited to 64 MB,
	// foresight to depth 8 or beams of 4096, and searching spawn rules to 2
	// plies.
	Trusted bool
}

// Networks finds the network that a spec names: a training run, a file (file is true if the name
// was in quotes), or, if name is empty, the embedded network. It fails if the network does not
// exist. The network is loaded on first use. [models.Library.Find] implements it.
type Networks func(name string, file bool) (models.Source, error)

// NoNetworks is a function of type [Networks] that finds no network. It is for programs that cannot
// afford the memory (about 270 MB for the champion). The player auto then plays as expert does on
// 4x4.
func NoNetworks(string, bool) (models.Source, error) {
	return models.Source{}, errors.New("networks are not allowed here")
}

// champions finds the networks that specs name if Capabilities.Networks is nil.
var champions models.Library

func (c *Capabilities) findNetwork(name string, file bool) (models.Source, error) {
	if c.Networks == nil {
		return champions.Find(name, file)
	}
	return c.Networks(name, file)
}

// Program is an external program that plays games; [bot.Program] implements it. It is an interface so that builds
// that cannot start programs do not link its implementation.
type Program interface {
	Introduce(ctx context.Context, size board.Size) (name, version string, err error)
	Known() (name, version string)
}

// Maker creates the players of one validated spec. Several goroutines may use it.
type Maker struct {
	Spec        string // the spec in its shortest notation
	Foresees    bool   // the players see future spawns (see player.Seer)
	TimeLimited bool   // the players have a time limit, so they are not deterministic
	New         func() player.Player
	P4          float64 // probability of a 4 that the players assume; see game.ChanceOf4
	Memory      int64   // size in bytes of the transposition table that each player allocates on first use
	// NewRollout creates players of the same kind with reduced search limits, for rollouts. They decide in well under a
	// millisecond. If it is nil, New creates the players for rollouts. RolloutLimits describes the reduced limits.
	NewRollout    func() player.Player
	RolloutLimits string
	// Exact reports whether the players have exact values on a size. If it is nil, they have none on any size. The
	// result does not change during the lifetime of the Maker.
	Exact func(board.Size) bool
	// Table returns the problem whose table would give the players exact values on a size. The field is nil for players
	// that never use tables. See Offer.
	Table func(board.Size) (p solve.Problem, ok bool)
	// Network loads the network that can play the players' rollouts at 1 ply, with the tile downgrading of the
	// players. The field is nil for players without a network. The function returns a nil network for sizes that the
	// players play without one.
	Network func(context.Context, board.Size) (*ntuple.Network, error)
	// External is the external program that the players run; callers ask it for its name and
	// version. It is nil for built-in players.
	External Program
	// Evaluator returns the name and a new instance of the players' evaluator for a size. The field is nil for players
	// without an evaluator.
	Evaluator func(board.Size) (name string, e eval.Evaluator)

	decided *decisions            // for auto: the sizes that are played with a table of exact values
	rebuild func() (Maker, error) // for auto: builds the Maker again; see Renewed
}

// Renewed returns a Maker for the same spec that also uses tables that were solved after m was first used on their
// size. If nothing has changed, it returns m. Use it for single decisions; all players of a game or an experiment
// should come from one Maker.
func (m Maker) Renewed() Maker {
	if m.decided == nil || !m.decided.outdated() {
		return m
	}
	fresh, err := m.rebuild()
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

// Limits returns a description of the reduced search limits of rollouts on a size, or "" if their
// limits are not reduced.
func (m *Maker) Limits(size board.Size) string {
	if m.Exact != nil && m.Exact(size) {
		return ""
	}
	return m.RolloutLimits
}

// kind describes a player name that is not a preset, and builds the players with this name.
type kind struct {
	name    string
	spec    string // the name with its most important keys
	keys    []*option.Option
	origin  string // the program that the player's algorithm comes from, or ""
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

// builder holds the context for building the Maker of a spec.
type builder struct {
	caps   Capabilities
	spec   string  // name of the players in decisions
	preset *preset // the preset that is being expanded, or nil
}

// args returns a reader for the arguments of a spec with the given keys. Errors about a preset name the preset
// and its keys, not the spec that it expands to.
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

// Parse reads and validates a player spec. Its errors name the invalid part of the spec and what is accepted there.
func Parse(text string, caps Capabilities) (Maker, error) {
	s, err := spec.Parse(text)
	if err != nil {
		if script := strings.ContainsAny(text, `./\`) && !strings.Contains(text, "("); caps.Exec && (script || strings.HasPrefix(text, "exec(")) {
			err = fmt.Errorf("%w; to run a program, write exec(cmd=\"python3 bot.py\"), in single quotes on a command line", err)
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

// names returns the names of all players that the capabilities permit.
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

// ReadFile reads a file that a spec names. It can be used as Capabilities.ReadFile. It fails for
// files of more than 1 MiB.
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

// Players returns descriptions of all player names, presets first. trusted says whether the ranges
// of keys are those for trusted or for untrusted specs; see Capabilities.Trusted.
func Players(trusted bool) (all []protocol.PlayerInfo) {
	for _, p := range presets {
		all = append(all, protocol.PlayerInfo{Name: p.name, Spec: p.base, Keys: infos(p.keys(), trusted), Origin: p.origin, Summary: p.summary})
	}
	for _, k := range kinds() {
		all = append(all, protocol.PlayerInfo{Name: k.name, Spec: k.spec, Keys: infos(k.keys, trusted), Origin: k.origin, Summary: k.summary})
	}
	return all
}

// Evaluators returns descriptions of the evaluators that the key "eval" accepts.
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

// SpawnRules returns descriptions of the spawn rules. trusted has the same meaning as in [Players].
func SpawnRules(trusted bool) []protocol.SpawnRuleInfo {
	return each.Of(spawnRules, func(r spawnRule) protocol.SpawnRuleInfo {
		return protocol.SpawnRuleInfo{Name: r.name, Keys: infos(r.keys, trusted), Summary: r.summary}
	})
}
