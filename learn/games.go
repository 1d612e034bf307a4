package learn

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"sync"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// games plays the games of a training and stores boards for restarts.
type games interface {
	// player returns a function that plays the game of a number, in one goroutine.
	player() func(index uint64) Outcome
	all() (words []uint64)
	fill(words []uint64)
}

// gamesOn are the games on boards of type B.
type gamesOn[B any] struct {
	*pool[B]
	t    *Trainer
	make func(*ntuple.Network, learner) *worker[B]
	// start returns the start of a game, and if it is a stored board a lower bound of the sum of its tiles, else 0. It
	// sets the worker's milestone.
	start func(g *gamesOn[B], w *worker[B], index uint64) (b B, from uint64)
}

// newGames returns the games on the boards of the trainer's network.
func newGames(t *Trainer) games {
	n, tile := t.o.Network, exponent(t.o.RestartTile)
	switch {
	case n.Walls > 0:
		return &gamesOn[bitboard.Board]{newEndingPool(n.Walls), t, newEndingWorker, startEnding}
	case n.Wide():
		return &gamesOn[board.Board]{newWidePool(n.Size, tile), t, newWideWorker, draw[board.Board]}
	}
	return &gamesOn[bitboard.Board]{newPool(tile), t, newWorker, draw[bitboard.Board]}
}

// draw starts a game from an empty board or a stored one.
func draw[B any](g *gamesOn[B], w *worker[B], _ uint64) (b B, from uint64) {
	b, w.passed = w.fresh(), -1
	if g.t.restarts(&w.learning) {
		if stored, m, ok := g.take(0, &w.other); ok {
			b, from, w.passed = stored, milestoneSum(m, exponent(g.t.o.RestartTile)), m
		}
	}
	return b, from
}

// worker returns a worker that stores boards for restarts if they are enabled.
func (g *gamesOn[B]) worker() *worker[B] {
	w := g.make(g.t.o.Network, g.t.learner)
	o := &g.t.o
	if o.Lambda > 0 {
		w.setReturn(o.Lambda, o.Horizon)
	}
	w.slips = float32(o.Slips)
	switch {
	case o.Network.Walls > 0:
		w.late = 0 // moves in endings have no reward
	case o.RestartTile > 0:
		w.late = o.RestartTile / 2
	}
	w.merged = func(b B) {
		if m, ok := g.milestone(b); ok && m > w.passed {
			w.passed = m
			g.put(m, b, &w.other)
		}
	}
	return w
}

func (g *gamesOn[B]) player() func(index uint64) Outcome {
	w := g.worker()
	return func(index uint64) Outcome { return g.game(w, index) }
}

// start is a board that a game starts from.
type start struct {
	words   []uint64 // as in a checkpoint
	tileSum uint64   // the power of two that the sum of its tiles reaches; 0: an ordinary start
}

// SetStarts sets the boards that games start from, from the next game on: game first + i from board i, and again from the
// first one after the last. Games on empty boards start as usual, and so do all without boards. What they
// learn from are the games from given boards, which intervals count as restarted, by the power of two that the sum of tiles
// reaches.
func (t *Trainer) SetStarts(first uint64, boards []board.Board) error {
	if n := t.o.Network; n.Walls > 0 && len(boards) > 0 {
		return errors.New("starts: an ending network starts from layouts of its walls: must be none")
	}
	starts := make([]start, len(boards))
	for i, b := range boards {
		s := &starts[i]
		if size := t.o.Network.Size; b.Size() != size {
			return fmt.Errorf("starts: boards of %v: must be %v", b.Size(), size)
		}
		for k := range b.Size().Cells() {
			if e := b.Cell(k); e > bitboard.MaxExponent {
				return fmt.Errorf("starts: board %d has the exponent %d: must be at most %d", i, e, bitboard.MaxExponent)
			}
		}
		if sum := uint64(b.Sum()); sum > 0 {
			s.tileSum = 1 << (bits.Len64(sum) - 1)
		}
		if w, ok := ntuple.Pack(&b); ok {
			s.words = []uint64{uint64(w)}
		} else {
			s.words = wideWords(nil, b)
		}
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.starts, t.first = starts, first
	return nil
}

// startOf returns the start of a game.
func (t *Trainer) startOf(index uint64) start {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if n := uint64(len(t.starts)); n > 0 {
		return t.starts[(index-t.first)%n]
	}
	return start{}
}

// game plays one game.
func (g *gamesOn[B]) game(w *worker[B], index uint64) Outcome {
	w.seed(g.t.o.Seed, index)
	var b B
	var from uint64
	if given := g.t.startOf(index); given.tileSum > 0 {
		b, from, w.passed = g.read(given.words), given.tileSum, -1
	} else {
		b, from = g.start(g, w, index)
	}
	o := w.play(b)
	o.from = from
	return o
}

// Late positions are divided into milestones by the sum of their tiles, which only grows in a game;
// each milestone is as wide as half the restart tile. A board is stored when a game first enters a
// milestone by a move that scored half the restart tile or more: large tiles have just merged, and
// the milestone is still to be played. With a restart tile of 16384 the first two milestones are
// boards with a 16384, and with a 16384 and an 8192.
const (
	milestones   = 32      // the last one also holds all larger sums
	perMilestone = 1 << 12 // boards
	minStored    = 16      // boards that a milestone needs before restarts use it
)

// pool holds the boards that restarts draw from; see the package documentation (Restarts).
type pool[B any] struct {
	mutex  sync.Mutex
	boards [][]B // by milestone
	// milestone returns the milestone of a board; ok is false for a board that is not stored.
	milestone func(b B) (number int, ok bool)
	// width is the number of words that a board takes in a checkpoint; write appends them, and read is its inverse.
	width int
	write func(words []uint64, b B) []uint64
	read  func(words []uint64) B
}

// put stores a board. In a full milestone it replaces a random board.
func (p *pool[B]) put(milestone int, b B, r *rand.PCG) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	boards := &p.boards[milestone]
	if len(*boards) < perMilestone {
		*boards = append(*boards, b)
	} else {
		(*boards)[r.Uint64()%uint64(len(*boards))] = b
	}
}

// take draws a board: a uniform milestone of those from the given one on with at least minStored, then a uniform board
// of it. ok is false while every milestone has fewer.
func (p *pool[B]) take(from int, r *rand.PCG) (b B, milestone int, ok bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var choice [milestones]int
	n := uint64(0)
	for m := range choice {
		if len(p.boards[from+m]) >= minStored {
			choice[n] = from + m
			n++
		}
	}
	if n == 0 {
		return b, 0, false
	}
	milestone = choice[r.Uint64()%n]
	boards := p.boards[milestone]
	return boards[r.Uint64()%uint64(len(boards))], milestone, true
}

// all returns all boards for a checkpoint, ordered by milestone.
func (p *pool[B]) all() (words []uint64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, boards := range p.boards {
		for _, b := range boards {
			words = p.write(words, b)
		}
	}
	return words
}

// fill adds the boards of a checkpoint, which may have been stored with another restart tile.
func (p *pool[B]) fill(words []uint64) {
	for ; len(words) >= p.width; words = words[p.width:] {
		b := p.read(words)
		if m, ok := p.milestone(b); ok {
			p.boards[m] = append(p.boards[m], b)
		}
	}
}

// milestoneOf returns the milestone of a board with this largest tile and sum, given the exponent of the restart tile.
func milestoneOf(tile, largest uint8, sum int64) (number int, ok bool) {
	return int(min(sum>>(tile-1)-2, milestones-1)), largest >= tile
}

// milestoneSum is the lower bound of the sum of a milestone's boards.
func milestoneSum(milestone int, tile uint8) uint64 { return uint64(milestone+2) << (tile - 1) }

func newPool(tile uint8) *pool[bitboard.Board] {
	return &pool[bitboard.Board]{
		boards:    make([][]bitboard.Board, milestones),
		milestone: func(b bitboard.Board) (int, bool) { return milestoneOf(tile, uint8(largest(b)), b.Sum()) },
		width:     1,
		write:     func(words []uint64, b bitboard.Board) []uint64 { return append(words, uint64(b)) },
		read:      func(words []uint64) bitboard.Board { return bitboard.Board(words[0]) },
	}
}

// newWidePool is newPool for boards that do not fit into a word.
func newWidePool(size board.Size, tile uint8) *pool[board.Board] {
	return &pool[board.Board]{
		boards:    make([][]board.Board, milestones),
		milestone: func(b board.Board) (int, bool) { return milestoneOf(tile, b.Largest(), b.Sum()) },
		width:     storedWords(size),
		write:     wideWords,
		read: func(words []uint64) board.Board {
			b := board.New(size)
			for i := range size.Cells() {
				b.Set(i, uint8(words[i/size.Cols]>>(8*(i%size.Cols)))&63)
			}
			return b
		},
	}
}

// wideWords appends the rows of a board.
func wideWords(words []uint64, b board.Board) []uint64 {
	for r := range b.Size().Rows {
		words = append(words, b.Row(r))
	}
	return words
}

// storedWords is how many words a stored board of a size takes in a checkpoint: one a row, with a byte a
// cell, if it does not fit into one.
func storedWords(size board.Size) int {
	if ntuple.Packs(size) {
		return 1
	}
	return size.Rows
}

// inEndings plays endings (package endings). A game starts in one ending and goes through those
// that follow, until no move is left or a 32768 is made. Its score is 1 with the 32768, else 0. A goal that is made
// is a wall of the next board, which the network values by the stages of the next ending: so the update of the last board of an
// ending moves it towards the first one of the next.
type inEndings struct{ onWords }

func newEndingWorker(net *ntuple.Network, learn learner) *worker[bitboard.Board] {
	t := &turn{batch: net.NewBatch()}
	return workerOn(net, learn, t, &inEndings{onWords{t, net, rulesOf(net.Size)}})
}

// fresh returns a new start of any ending of the network.
func (k *inEndings) fresh(_, other *rand.PCG) bitboard.Board {
	fewest := int(k.net.Walls)
	return endings.Start(fewest+endings.Draw(other, endings.MaxWalls-fewest+1), other)
}

func (k *inEndings) begin(b bitboard.Board) bool {
	var after [4]bitboard.Afterstate
	k.rules.afterstates(b, &after)
	k.won = 0
	moves := 0
	for d := range after {
		if a := &after[d]; a.Moved {
			k.batch.Boards[moves&3] = a.Board
			if a.Reward >= 1<<endings.Tile {
				k.won |= 1 << moves
			}
			moves++
		}
	}
	k.batch.N = moves
	k.net.Prefetch(k.batch)
	return moves > 0
}

// endingMilestone numbers the milestones of all endings in the order of a game: a milestone is one of
// equal parts of an ending, by the sum of its small tiles.
func endingMilestone(b bitboard.Board) int {
	view, walls := endings.Of(b)
	if walls > endings.MaxWalls {
		return walls * milestones
	}
	part := endings.Small(view) * milestones / board.Tile(endings.Goal(walls))
	return walls*milestones + int(min(part, milestones-1))
}

// wallSum is the sum of a board's walls.
func wallSum(b bitboard.Board) (sum uint64) {
	_, walls := endings.Of(b)
	for k := range min(walls, endings.MaxWalls) {
		sum += uint64(board.Tile(endings.Goal(k)))
	}
	return sum
}

// newEndingPool returns a pool of the boards of all endings of a network; those of an ending have its number of walls
// times milestones and the following milestones.
func newEndingPool(fewest uint8) *pool[bitboard.Board] {
	p := newPool(endings.Tile)
	p.boards = make([][]bitboard.Board, (endings.MaxWalls+1)*milestones)
	p.milestone = func(b bitboard.Board) (int, bool) {
		m := endingMilestone(b)
		return m, m >= int(fewest)*milestones && m < len(p.boards)
	}
	return p
}

// startEnding starts a game in an ending. Endings join one after another, those with the most walls first. Half of the
// games start in the one that joined last, the others in any that joined.
func startEnding(g *gamesOn[bitboard.Board], w *worker[bitboard.Board], index uint64) (b bitboard.Board, from uint64) {
	o := &g.t.o
	joined := endings.MaxWalls - int(o.Network.Walls) + 1
	if o.JoinEvery > 0 {
		joined = int(min(uint64(joined), 1+index/o.JoinEvery))
	}
	walls := endings.MaxWalls - joined + 1
	if endings.Draw(&w.other, 2) == 0 {
		walls += endings.Draw(&w.other, joined)
	}
	stored := false
	if g.t.restarts(&w.learning) {
		b, _, stored = g.take(walls*milestones, &w.other)
	}
	if !stored {
		b = endings.Start(walls, &w.other)
	}
	w.passed = endingMilestone(b)
	return b, wallSum(b)
}
