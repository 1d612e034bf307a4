package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/player/spec"
)

// preset maps a short name to a player spec. Users may override any key of that spec.
type preset struct {
	name    string
	base    string
	origin  string
	summary string
	// depthIs, if not empty, is a key of the base spec. The preset then has an additional key "depth", which sets
	// depthIs to the value of "depth" plus depthMore, because some presets count depth differently.
	depthIs   string
	depthMore int
}

var presets = []preset{
	{
		name:    "champion",
		base:    "ntuple(nodes=12000,soft_limit=yes,min_prob=3e-3,prune_margin=700,tt=2MB)",
		summary: "strongest on 4x4, and fast: the network that comes with the program, with a node limit, 0.16 ms a move",
	},
	{
		name:    "master",
		base:    "ntuple(nodes=150000,soft_limit=yes,clear_margin=2000,min_prob=1e-3,prune_margin=2000,tt=16MB)",
		summary: "longest search on 4x4: champion with twelve times the nodes, 2.4 ms a move; whole games show no difference in strength",
	},
	{
		name:    "expert",
		base:    "expectimax(eval=expert,death_value=-400000,nodes=300000,soft_limit=yes,min_prob=5e-4,prune_margin=80000,tt=4MB)",
		summary: "strong without a network: a search with a node limit, 1.6 ms a move on 4x4",
	},
	{
		name: "snake", base: "expectimax(eval=snake,leaf=spawn,plies=2)",
		origin: "Borotalcohol/2048-Bot", depthIs: "plies", depthMore: 1,
		summary: "keeps tiles in a snake: expectimax with the evaluator snake; depth d is d+1 moves, each followed by its spawns",
	},
	{
		name: "deepening", base: "expectimax(eval=snake-empty,leaf=spawn,time=200ms,prune=star1)",
		origin: "Duncan Greene's player for COMS 4701", depthIs: "plies",
		summary: "looks ahead for 0.2 s: expectimax with iterative deepening, a time limit and Star1",
	},
	{
		name: "alphabeta", base: "minimax(eval=gradient,depth=4,prune=alphabeta)",
		origin:  "an unnamed minimax program",
		summary: "faster minimax: expects the worst tiles, with alpha-beta pruning; depth counts layers (spawns and moves) below the root's move",
	},
	{
		name: "weighted-snake", base: "expectimax(eval=weighted-snake,plies=3,prune=star1)",
		origin: "an unnamed expectimax program", depthIs: "plies",
		summary: "keeps tiles in a weighted snake: expectimax with the evaluator weighted-snake",
	},
}

// keys returns the keys of the preset's spec, with the preset's values as defaults.
func (p *preset) keys() []*option.Option {
	base := p.parsed()
	k, _ := findKind(base.Name)
	keys := each.Of(k.keys, func(of *option.Option) *option.Option {
		k := *of
		if v, ok := base.Get(k.Name); ok {
			k.Default = v.String()
		}
		if _, limited := base.Get("nodes"); limited && k.Name == "time" {
			k.Default, k.Tag = "", `without:"no limit"`
			k.Help += "; it replaces the default of nodes"
		}
		return &k
	})
	if p.depthIs != "" {
		keys = append([]*option.Option{p.depthKey()}, keys...)
	}
	return keys
}

// depthKey returns the key "depth" of a preset whose depthIs is not empty.
func (p *preset) depthKey() *option.Option {
	tags := fmt.Sprintf(`unit:"moves" range:"%d:%d" without:"no limit"`, 1-p.depthMore, maxPlies-p.depthMore)
	k := option.New(reflect.TypeFor[int](), "depth", reflect.StructTag(tags))
	k.Help = "another name for " + p.depthIs
	if p.depthMore != 0 {
		k.Help = fmt.Sprintf("%s minus %d", p.depthIs, p.depthMore)
	}
	if v, ok := p.parsed().Get(p.depthIs); ok {
		n, err := strconv.Atoi(v.Text)
		if err != nil {
			panic(err) // unreachable: a test parses every preset
		}
		k.Default = strconv.Itoa(n - p.depthMore)
	}
	return k
}

func (p *preset) parsed() *spec.Spec {
	s, err := spec.Parse(p.base)
	if err != nil {
		panic(err) // unreachable: a test parses every preset
	}
	return s
}

// expand returns the preset's spec with the user's keys applied. A time limit that the user gives replaces the
// preset's node limit.
func (p *preset) expand(user *spec.Spec) (*spec.Spec, error) {
	full := p.parsed()
	if _, timed := user.Get("time"); timed {
		full.Args = slices.DeleteFunc(full.Args, func(a spec.Arg) bool { return a.Key == "nodes" })
	}
	depth := args{name: p.name, spec: user, keys: []*option.Option{p.depthKey()}, trusted: true}
	for _, arg := range user.Args {
		if arg.Key == "depth" && p.depthIs != "" {
			if _, both := user.Get(p.depthIs); both {
				return nil, fmt.Errorf("%s: depth and %s both set the depth: give one", p.name, p.depthIs)
			}
			var n int
			depth.set(option.Field{Option: depth.keys[0], Value: reflect.ValueOf(&n).Elem()})
			if depth.err != nil {
				return nil, depth.err
			}
			arg = spec.Arg{Key: p.depthIs, Value: spec.Value{Text: strconv.Itoa(n + p.depthMore)}}
		}
		if i := slices.IndexFunc(full.Args, func(a spec.Arg) bool { return a.Key == arg.Key }); i >= 0 {
			full.Args[i] = arg
		} else {
			full.Args = append(full.Args, arg)
		}
	}
	return full, nil
}

// kinds returns the kinds of players. It is a function, not a variable, because the build functions refer to it
// indirectly; a variable would cause an initialization cycle.
func kinds() []kind {
	return []kind{
		{"auto", "auto", keysOf[autoArgs](), "", "strong and fast: perfect on 2x2 and 2x3, and on 2x4 and 3x3 once they are solved; champion on 4x4, the embedded networks on 3x4, 3x5 (also rotated) and 5x5, otherwise expert; for games that are watched", buildAuto("champion")},
		{"best", "best", keysOf[autoArgs](), "", "longest search: as auto, but with master on 4x4; for single answers", buildAuto("master")},
		{"foresight", "foresight(eval=product,depth=4,beam=0)", keysOf[foresightArgs](), "2048 AI", "knows the coming tiles: searches with the actual future spawns, so it is not comparable with other players", buildForesight},
		{"minimax", "minimax(eval=gradient,depth=4)", keysOf[minimaxArgs](), "an unnamed minimax program", "expects the worst tiles: assumes the worst spawn; depth counts layers (spawns and moves) below the root's move", buildMinimax},
		{"expectimax", "expectimax(eval=weighted-snake,plies=3)", keysOf[expectimaxArgs](), "", "looks ahead: maximizes over moves and averages over spawns, with any evaluator", buildExpectimax},
		{"ntuple", "ntuple(plies=3)", networkKeys(), "", `a network: expectimax with the embedded network, or with model=RUN or model="FILE"`, buildNetwork},
		{"perfect", "perfect", keysOf[perfectArgs](), "", "perfect on small boards: looks up exact values of 2x2 and 2x3, and of 2x4 and 3x3 once they are solved (afterstate solve SIZE)", buildPerfect},
		{"level", "level(mean=3000)", keysOf[levelArgs](), "", "plays like a person: a reference player with this mean score, which slips; reviews use it to measure moves", buildLevel},
		{"greedy", "greedy", nil, "", "most points now: maximizes the immediate reward", buildGreedy},
		{"exec", "exec", keysOf[execArgs](), "", `your own program: in any language, as in exec(cmd="python3 bot.py"); see docs/protocol.md`, buildExec},
		{"remote", "remote", keysOf[remoteArgs](), "", `your own running program: here or on another machine, as in remote(url="ws://host:8080/bot"); see docs/protocol.md`, buildRemote},
		{"random", "random", nil, "", "random moves: plays a uniformly random legal move", buildRandom},
	}
}
