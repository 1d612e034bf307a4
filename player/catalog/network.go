package catalog

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/eval"
	"afterstate/ntuple"
	"afterstate/player"
	"afterstate/player/spec"
	"afterstate/search"
)

// unset says that no tile was given. Then boards are downgraded where the network was
// trained to, or else from 16384 on, which networks of some 100,000 games seldom saw.
const (
	unset          = 255
	usualDowngrade = 14
)

// quickPlies is what players with a network search in rollouts.
const quickPlies = 1

func buildNetwork(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, networkKeys)
	load := b.network(&a)
	o := expectimaxOptions(&a)
	downgrade := a.tile("downgrade")
	if !a.given("downgrade") {
		downgrade = unset
	}
	fast := a.choice("impl") == "bitboard"
	make := func(o search.ExpectimaxOptions) func() player.Player {
		return func() player.Player {
			return &searching{b.spec, eval.Points, &network{o: o, load: load, downgrade: downgrade, fast: fast}}
		}
	}
	m := Maker{TimeLimited: o.Time > 0, Memory: o.TT, New: make(o), Evaluator: func(board.Size) (string, eval.Evaluator) {
		n, err := load()
		if err != nil {
			return "", nil
		}
		return "ntuple", ntuple.Evaluator{Network: n}
	}}
	if o.Plies != quickPlies {
		quick := search.ExpectimaxOptions{Plies: quickPlies, P4: o.P4}
		m.Quick, m.QuickAs = make(quick), fmt.Sprintf("%d ply", quickPlies)
	}
	return m, a.finish()
}

// network reads the key model. The network is loaded once for all players.
func (b *builder) network(a *args) func() (*ntuple.Network, error) {
	v, named := a.spec.Get(a.key("model").name)
	var load func() (*ntuple.Network, error)
	var err error
	switch {
	case v.Call != nil || named && v.Text == "":
		err = errors.New("want the name of a run, or a path in double quotes")
	case v.Quoted && b.caps.ReadFile == nil:
		err = errors.New("files may not be named here")
	default:
		load, err = b.caps.networks().Find(v.Text, v.Quoted)
	}
	switch {
	case err != nil && named:
		a.fail("model=%v: %w", v, err)
	case err != nil:
		a.fail("%w", err)
	}
	if load == nil {
		return nil
	}
	return onceLoaded(load)
}

// onceLoaded loads a network once. A failure is not kept: what was missing, such as
// memory, may be there the next time.
func onceLoaded(load func() (*ntuple.Network, error)) func() (*ntuple.Network, error) {
	var mu sync.Mutex
	var loaded *ntuple.Network
	return func() (*ntuple.Network, error) {
		mu.Lock()
		defer mu.Unlock()
		if loaded != nil {
			return loaded, nil
		}
		var err error
		loaded, err = load()
		return loaded, err
	}
}

// network searches with a network that it loads when first asked.
type network struct {
	o         search.ExpectimaxOptions
	load      func() (*ntuple.Network, error)
	downgrade uint8 // the least exponent of boards that are viewed as others; 0: none
	fast      bool
	size      board.Size
	search    searcher
}

// open loads the network, which takes a while. When ctx ends the player does not
// wait for it any more.
func (n *network) open(ctx context.Context) error {
	if n.search != nil {
		return nil
	}
	defer player.Loading(ctx)()
	var net *ntuple.Network
	var err error
	loaded := make(chan struct{})
	go func() {
		defer close(loaded)
		defer func() {
			if p := recover(); p != nil { // nobody else could
				err = fmt.Errorf("the network cannot be loaded: %v", p)
			}
		}()
		net, err = n.load()
	}()
	select {
	case <-loaded:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	n.size = net.Size
	switch {
	case n.downgrade != unset:
		net = net.Viewing(n.downgrade)
	case net.Downgrade == 0:
		net = net.Viewing(usualDowngrade)
	}
	if n.fast && n.size == bitboard.Size {
		n.search = search.NewNetwork4(n.o, net)
	} else {
		n.o.Eval = ntuple.Evaluator{Network: net}
		n.o.NewEval = func() eval.Evaluator { return n.o.Eval }
		n.search = search.NewExpectimax(n.o)
	}
	return nil
}

// prepare loads the network and fails with a *player.SizeError if it is for another size.
func (n *network) prepare(ctx context.Context, size board.Size) error {
	if err := n.open(ctx); err != nil {
		return err
	}
	if size != n.size {
		return &player.SizeError{Network: n.size, Board: size}
	}
	return nil
}

func (n *network) Search(ctx context.Context, q search.Query) (search.Result, error) {
	if q.Board.Dead() { // no network is needed to say so
		return search.Result{}, nil
	}
	if err := n.prepare(ctx, q.Board.Size()); err != nil {
		return search.Result{}, err
	}
	return n.search.Search(ctx, q)
}

func (n *network) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (*search.Tree, error) {
	if err := n.prepare(ctx, q.Board.Size()); err != nil {
		return nil, err
	}
	return n.search.Tree(ctx, q, o)
}

// Forget begins a game.
func (n *network) Forget() {
	if n.search != nil {
		n.search.Forget()
	}
}
