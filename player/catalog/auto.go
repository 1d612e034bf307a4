package catalog

import (
	"cmp"
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

// bySize selects the player's spec for each board size. The specs without a network are the strongest deterministic
// players for their size, as measured in docs/lab/sizes.md. The general search is slower than the search for 4x4, so
// the player expert gets fewer nodes on other sizes.
type bySize struct {
	champion string // spec for 4x4; if empty, no size uses a network
	source   models.Source
	coming   bool // the network is being downloaded
	p4       float64
}

// Specs for those sizes other than 4x4 that have an embedded network. They use the general search and take at most 2
// ms of processor time per move. Boards of 12 cells have few possible spawns and need a deeper search.
const (
	middleSpec = "ntuple(nodes=6000,soft_limit=yes,min_prob=1e-3,prune_margin=1500,tt=4MB)"
	smallSpec  = "ntuple(nodes=15000,soft_limit=yes,min_prob=3e-4,prune_margin=2000,tt=4MB)"
)

func (w bySize) spec(s board.Size) string { return WithP4(w.standard(s), w.p4) }

// standard returns the spec for boards of size s, for games with the original probability of a 4.
func (w bySize) standard(s board.Size) string {
	if s == bitboard.Size {
		return cmp.Or(w.champion, "expert")
	}
	if w.champion != "" && w.source.Of != nil {
		if _, ok := w.source.Of(s); ok && s.Cells() <= 12 {
			return smallSpec
		} else if ok {
			return middleSpec
		}
	}
	return "expert(nodes=30000,min_prob=1e-3)"
}

// auto delegates each board to the player for its size. For sizes with a table of exact values, it chooses the moves
// from the table.
type auto struct {
	spec    string
	choices bySize
	makers  map[string]Maker // the Makers of the players for all sizes, by the players' specs
	exact   func(board.Size) bool
	size    board.Size
	quick   bool
	lazy    // the player for size
}

// lazy is a player that is created and started on first use.
type lazy struct {
	made       player.Player
	seed, game uint64
}

func (l *lazy) Start(seed, game uint64) {
	l.seed, l.game = seed, game
	if l.made != nil {
		l.made.Start(seed, game)
	}
}

func (l *lazy) started(create func() player.Player) player.Player {
	if l.made == nil {
		l.made = create()
		l.made.Start(l.seed, l.game)
	}
	return l.made
}

// buildAuto returns the function that builds the Makers of the players auto and best. On 4x4 these play the given
// preset, which uses the embedded network.
func buildAuto(preset string) func(*builder, *spec.Spec) (Maker, error) {
	return func(b *builder, s *spec.Spec) (Maker, error) {
		a := b.args(s, keysOf[autoArgs]())
		var read autoArgs
		a.read(&read)
		if err := a.finish(); err != nil {
			return Maker{}, err
		}
		source, err := b.caps.findNetwork("", false)
		if err != nil {
			return b.auto(bySize{p4: read.P4})
		}
		if source.Coming != nil && source.Coming() {
			return b.auto(bySize{coming: true, p4: read.P4})
		}
		return b.auto(bySize{champion: preset, source: source, p4: read.P4})
	}
}

func (b *builder) auto(choices bySize) (Maker, error) {
	makers := map[string]Maker{}
	memory := int64(0)
	for r := board.MinSide; r <= board.MaxSide; r++ {
		for c := board.MinSide; c <= board.MaxSide; c++ {
			text := choices.spec(board.Size{Rows: r, Cols: c})
			if _, ok := makers[text]; ok {
				continue
			}
			m, err := Parse(text, b.caps)
			if err != nil {
				return Maker{}, err
			}
			makers[text] = m
			memory = max(memory, m.Memory)
		}
	}
	decided := &decisions{p4: choices.p4}
	build := func(quick bool) player.Player {
		return &auto{spec: b.spec, choices: choices, makers: makers, exact: decided.exact, quick: quick}
	}
	return Maker{
		decided: decided,
		rebuild: func() (Maker, error) { return b.auto(choices) },
		P4:      p4Option(choices.p4),
		Table:   func(s board.Size) (solve.Problem, bool) { return problem(s, choices.p4), solve.HasTable(s) },

		Memory: memory,
		Exact:  decided.exact,
		Evaluator: func(s board.Size) (string, eval.Evaluator) {
			if decided.exact(s) {
				return "", nil
			}
			return makers[choices.spec(s)].Evaluator(s)
		},
		New:           func() player.Player { return build(false) },
		NewRollout:    func() player.Player { return build(true) },
		RolloutLimits: makers[choices.spec(bitboard.Size)].RolloutLimits,
		Network: func(ctx context.Context, size board.Size) (*ntuple.Network, error) {
			if network := makers[choices.spec(size)].Network; network != nil {
				return network(ctx, size)
			}
			return nil, nil
		},
	}, nil
}

// Prepare implements player.Preparer.
func (p *auto) Prepare(ctx context.Context, size board.Size) error {
	return player.Prepare(ctx, p.playerFor(size), size)
}

// Ready implements player.Readier.
func (p *auto) Ready(size board.Size) (bool, error) { return player.Ready(p.playerFor(size), size) }

func (p *auto) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	size := q.Board.Size()
	d, err := p.playerFor(size).Decide(ctx, q)
	if d.Player = p.spec; p.choices.coming && size == bitboard.Size {
		d.Player = p.choices.spec(size) // name the player that plays until the network is downloaded
	}
	return d, err
}

// maker returns the Maker of the player for a size.
func (p *auto) maker(size board.Size) Maker {
	m := p.makers[p.choices.spec(size)]
	if p.quick {
		m.New = m.NewRollout
	}
	if p.exact(size) {
		fallback := m.New
		m.New = func() player.Player {
			return &exactFirst{exact: perfect{spec: p.spec, problem: problem(size, p.choices.p4)}, fallback: fallback}
		}
	}
	return m
}

// playerFor returns the player for a size, started for the current game. It may still have to be prepared.
func (p *auto) playerFor(size board.Size) player.Player {
	if size != p.size {
		p.size, p.made = size, nil
	}
	return p.started(func() player.Player { return p.maker(size).New() })
}

// AsSearcher returns p as a Searcher. If p does not search a tree, the error lists the players that do.
func AsSearcher(p player.Player, spec string) (player.Searcher, error) {
	if s, ok := player.As[player.Searcher](p); ok {
		return s, nil
	}
	return nil, fmt.Errorf("%s does not search a tree: must be a player that does, such as auto, expectimax, minimax or ntuple", spec)
}

// Tree implements player.Searcher.
func (p *searching) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (player.Decision, *search.Tree, error) {
	t, err := p.search.Tree(ctx, q, o)
	if err != nil {
		return player.Decision{}, nil, err
	}
	return player.Decision{Result: t.Result, Board: q.Board, Player: p.spec, Unit: p.unit, Source: "search"}, t, nil
}

// Tree implements player.Searcher with the player for the board's size.
func (p *auto) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (player.Decision, *search.Tree, error) {
	searcher, err := AsSearcher(p.playerFor(q.Board.Size()), p.spec)
	if err != nil {
		return player.Decision{}, nil, err
	}
	d, t, err := searcher.Tree(ctx, q, o)
	d.Player = p.spec
	return d, t, err
}
