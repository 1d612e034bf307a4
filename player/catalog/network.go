package catalog

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// unset means that the spec does not set the key "downgrade". Boards are then downgraded from the tile that was set in
// training, or if none was set, from 16384 (defaultDowngrade): in about 100,000 games of training, networks rarely see
// larger tiles.
const (
	unset            = 255
	defaultDowngrade = 14
)

// quickPlies is the search depth of network players in rollouts.
const quickPlies = 1

func buildNetwork(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, networkKeys())
	source := b.find(&a, "model")
	var read networkArgs
	a.read(&read)
	o, fast := expectimaxOptions(read.ExpectimaxOptions), !read.Generic
	downgrade := uint8(unset)
	if read.Downgrade != nil {
		downgrade = uint8(max(0, bits.Len64(uint64(*read.Downgrade))-1))
	}
	late := b.endings(&a, &read, source)
	build := func(o search.ExpectimaxOptions) player.Player {
		n := &network{o: o, source: source, downgrade: downgrade, fast: fast, endings: late}
		return &searching{spec: b.spec, unit: eval.Points, search: n}
	}
	m := Maker{TimeLimited: o.Time > 0, P4: o.P4, Memory: o.TT, New: func() player.Player { return build(o) }, Evaluator: func(s board.Size) (string, eval.Evaluator) {
		n, err := source.For(s).Load()
		if err != nil {
			return "", nil
		}
		return "ntuple", ntuple.Evaluator{Network: n}
	}}
	quick := search.ExpectimaxOptions{Plies: quickPlies, P4: o.P4}
	m.Network = func(ctx context.Context, size board.Size) (*ntuple.Network, error) {
		n := &network{o: quick, source: source, downgrade: downgrade, fast: fast}
		if err := n.prepare(ctx, size); err != nil {
			return nil, err
		}
		// Rollouts support only boards of the network's own size, and only if a board fits into a uint64.
		if n.size != size || n.net.Wide() {
			return nil, nil
		}
		return n.net, nil
	}
	if o.Plies != quickPlies {
		m.NewRollout, m.RolloutLimits = func() player.Player { return build(quick) }, fmt.Sprintf("%d ply", quickPlies)
	}
	return m, a.finish()
}

// find returns the network that the value of a key names. All players share the network, which is loaded on first
// use.
func (b *builder) find(a *args, name string) models.Source {
	v, named := a.spec.Get(a.key(name).Name)
	var found models.Source
	var err error
	switch {
	case v.Call != nil || named && v.Text == "":
		err = errors.New("must be the name of a run, or a path in double quotes")
	case v.Quoted && b.caps.ReadFile == nil:
		err = errors.New("files are not allowed here")
	default:
		found, err = b.caps.findNetwork(v.Text, v.Quoted)
	}
	switch {
	case err != nil && named:
		a.fail("%s=%v: %w", name, v, err)
	case err != nil:
		a.fail("%w", err)
	}
	return found
}

// network searches with a network that is loaded on first use.
type network struct {
	o         search.ExpectimaxOptions
	source    models.Source
	downgrade uint8 // boards with a tile of this exponent or a larger one are downgraded; 0: never; see unset
	fast      bool
	size      board.Size
	net       *ntuple.Network
	search    searcher
	endings   endingSearch
}

// loadNetwork loads a network. It returns early when ctx ends; loading continues in the background.
func loadNetwork(ctx context.Context, source models.Source) (*ntuple.Network, error) {
	defer player.Loading(ctx)()
	type result struct {
		net *ntuple.Network
		err error
	}
	loaded := make(chan result, 1) // buffered, because nothing receives after ctx has ended
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil { // callers cannot recover a panic in this goroutine
				r.err = fmt.Errorf("the network cannot be loaded: %v", p)
			}
			loaded <- r
		}()
		defer memory.CatchFaults(&r.err)()
		r.net, r.err = source.Load()
	}()
	select {
	case r := <-loaded:
		return r.net, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// searcherOf returns a search that uses a network: the fast search for 4x4, or the search for all
// sizes.
func searcherOf(o search.ExpectimaxOptions, net *ntuple.Network, fast bool) searcher {
	if fast {
		return search.NewNetwork4(o, net)
	}
	o.Eval = ntuple.Evaluator{Network: net}
	return search.NewExpectimax(o)
}

// ready implements player.Readier.
func (n *network) ready(size board.Size) (bool, error) {
	if n.opened(size) {
		return true, nil
	}
	source := n.source.For(size)
	if source.Size != nil {
		if known, ok := source.Size(); ok && !plays(known, size) {
			return false, wrongSize(known, size)
		}
	}
	return source.Loaded != nil && source.Loaded(), nil
}

func wrongSize(network, size board.Size) error {
	return &player.BoardError{Err: fmt.Errorf("the network is for %v boards, but this board is %v", network, size)}
}

// opened reports whether a network that can play the size is open.
func (n *network) opened(size board.Size) bool {
	return n.search != nil && plays(n.size, size)
}

// plays reports whether a network for one size can play boards of another size: the sizes must be equal, except that
// rows and columns may be exchanged.
func plays(network, size board.Size) bool {
	return size == network || size == network.Turned()
}

// prepare loads the network. It returns a *player.BoardError if the network is for another size.
func (n *network) prepare(ctx context.Context, size board.Size) error {
	if n.opened(size) {
		return nil
	}
	if _, err := n.ready(size); err != nil {
		return err
	}
	net, err := loadNetwork(ctx, n.source.For(size))
	switch {
	case err != nil:
		return err
	case net.Walls > 0:
		return &player.BoardError{Err: errors.New("model: the network values only endings: use it as endings=RUN or endings=\"FILE\"")}
	case !plays(net.Size, size):
		return wrongSize(net.Size, size)
	case n.downgrade != unset:
		net = net.WithDowngrade(n.downgrade)
	case net.Downgrade == 0:
		net = net.WithDowngrade(defaultDowngrade)
	}
	n.net, n.size = net, net.Size
	n.search = searcherOf(n.o, net, n.fast && n.size == bitboard.Size)
	return nil
}

func (n *network) Search(ctx context.Context, q search.Query) (search.Result, error) {
	if q.Board.Terminal() { // no need to load the network
		return search.Result{}, nil
	}
	if n.search == nil {
		r, ok := search.Unsearched(&q.Position)
		if ready, err := n.ready(q.Board.Size()); ok && !ready && err == nil {
			return r, nil
		}
	}
	s, err := n.searcher(ctx, &q.Board)
	if err != nil {
		return search.Result{}, err
	}
	return s.Search(ctx, q)
}

// searcher returns the search for a board, with its network loaded.
func (n *network) searcher(ctx context.Context, b *board.Board) (searcher, error) {
	if err := n.prepare(ctx, b.Size()); err != nil {
		return nil, err
	}
	if n.endings.decides(b) {
		return n.endings.open(ctx, n)
	}
	return n.search, nil
}

func (n *network) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (*search.Tree, error) {
	if q.Board.Terminal() {
		return search.TerminalTree(&q.Position), nil
	}
	s, err := n.searcher(ctx, &q.Board)
	if err != nil {
		return nil, err
	}
	return s.Tree(ctx, q, o)
}

// endings returns the search for endings that is defined by the keys "endings", "endings_walls" and "endings_margin".
func (b *builder) endings(a *args, read *networkArgs, model models.Source) endingSearch {
	o := endingSearch{walls: read.Walls, margin: read.Margin}
	v, given := a.spec.Get("endings")
	switch {
	case !given:
		o.source = model.Endings
	case v.Quoted || v.Text != "none":
		found := b.find(a, "endings")
		o.source = &found
	}
	return o
}

// endingSearch chooses the moves in endings. Its network is loaded on first use.
type endingSearch struct {
	source *models.Source // nil: no ending network
	walls  int
	margin float64
	search searcher
}

// decides reports whether this search chooses the move on a board.
func (e *endingSearch) decides(b *board.Board) bool {
	if e.source == nil {
		return false
	}
	packed, ok := bitboard.From(b)
	if !ok {
		return false
	}
	packed = endings.Lower(packed)
	_, walls := endings.Of(packed)
	return walls >= e.walls && walls <= endings.MaxWalls || walls == endings.Complete && endings.Completed(packed)
}

// open returns the search with the ending network, loading it on first use. It uses the search options of n,
// with margins converted from points to chances.
func (e *endingSearch) open(ctx context.Context, n *network) (searcher, error) {
	if e.search != nil {
		return e.search, nil
	}
	net, err := loadNetwork(ctx, *e.source)
	if err != nil {
		return nil, err
	}
	if net.Walls == 0 {
		return nil, errors.New("endings: the network values boards in points: must be a network of \"afterstate train endings\"")
	}
	if int(net.Walls) > e.walls {
		return nil, fmt.Errorf("endings_walls=%d: the network knows endings with %d to %d walls", e.walls, net.Walls, endings.MaxWalls)
	}
	o := n.o
	o.PruneMargin, o.ClearMargin = e.margin/endings.Points, o.ClearMargin/endings.Points
	e.search = inEnding{searcherOf(o, net, n.fast)}
	return e.search, nil
}

// inEnding searches boards in the form that an ending network expects (endings.Lower), and converts chances
// to points, so that all values of a player have the same unit.
type inEnding struct{ searcher }

func (s inEnding) Search(ctx context.Context, q search.Query) (search.Result, error) {
	r, err := s.searcher.Search(ctx, lowered(q))
	toPoints(&r)
	return r, err
}

func (s inEnding) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (*search.Tree, error) {
	t, err := s.searcher.Tree(ctx, lowered(q), o)
	if err != nil {
		return nil, err
	}
	toPoints(&t.Result)
	nodeToPoints(t.Root, q.Position)
	return t, nil
}

// lowered returns the query with the board in the form that an ending network expects.
func lowered(q search.Query) search.Query {
	packed, _ := bitboard.From(&q.Board) // decides has checked that this succeeds
	q.Board = endings.Lower(packed).Board()
	return q
}

func toPoints(r *search.Result) {
	for d := range r.Moves {
		r.Moves[d].Value *= endings.Points
	}
}

// nodeToPoints converts the values in a tree from chances to points. It also replaces the positions, which are in the
// form that an ending network expects, by the actual ones; p is the actual position of the root n.
func nodeToPoints(n *search.TreeNode, p eval.Position) {
	n.Position = p
	n.Value *= endings.Points
	for _, child := range n.Children {
		next := p
		if child.ByMove {
			next.Board, child.Reward, _ = p.Board.Slide(child.Move)
			next.Score += child.Reward
		}
		if child.Spawn.Exponent != 0 {
			next.Board.Set(child.Spawn.Cell, child.Spawn.Exponent)
		}
		nodeToPoints(child, next)
	}
}
