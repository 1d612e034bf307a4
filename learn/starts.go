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

// games plays the games of a training run and stores boards for restarts.
type games interface {
	// player returns a function that plays game number index. Each goroutine needs its own.
	player() func(index uint64) Outcome
	all() (words []uint64)
	fill(words []uint64)
}

// gamesOn implements games on boards of type B.
type gamesOn[B any] struct {
	*pool[B]
	t    *Trainer
	make func(*ntuple.Network, learner) *thread[B]
	// start returns the first board of game number index. from is a lower bound of the board's tile sum, or 0
	// if the game starts from an empty board. start sets w.passed.
	start func(g *gamesOn[B], w *thread[B], index uint64) (b B, from uint64)
}

// newGames returns the implementation of games for the trainer's network. Ending networks and networks for at most 16
// cells play on bitboard.Board, wide networks on board.Board.
func newGames(t *Trainer) games {
	n, tile := t.o.Network, exponent(t.o.RestartTile)
	switch {
	case n.Walls > 0:
		return &gamesOn[bitboard.Board]{newEndingPool(n.Walls), t, newEndingThread, startEnding}
	case n.Wide():
		return &gamesOn[board.Board]{newWidePool(n.Size, tile), t, newWideThread, draw[board.Board]}
	}
	return &gamesOn[bitboard.Board]{newPool(tile), t, newThread, draw[bitboard.Board]}
}

// draw implements gamesOn.start. With probability RestartShare it returns a stored board, if there are enough,
// otherwise the first board of a new game.
func draw[B any](g *gamesOn[B], w *thread[B], _ uint64) (b B, from uint64) {
	b, w.passed = w.fresh(), -1
	if g.t.restarts(&w.learning) {
		if stored, m, ok := g.take(0, &w.other); ok {
			b, from, w.passed = stored, milestoneSum(m, exponent(g.t.o.RestartTile)), m
		}
	}
	return b, from
}

// thread returns a thread that stores boards for restarts if they are enabled.
func (g *gamesOn[B]) thread() *thread[B] {
	w := g.make(g.t.o.Network, g.t.learner)
	o := &g.t.o
	if o.Lambda > 0 {
		w.setReturn(o.Lambda, o.Horizon)
	}
	w.slips = float32(o.Slips)
	switch {
	case o.Network.Walls > 0:
		w.late = 0 // in endings, moves have no points: call merged after every move
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
	w := g.thread()
	return func(index uint64) Outcome { return g.game(w, index) }
}

// start is a board that a game starts from.
type start struct {
	words   []uint64 // the board, encoded as in a checkpoint
	tileSum uint64   // largest power of two <= tile sum; 0: the game starts as usual
}

// SetStarts sets the boards that games start from, beginning with the next game: game first + i starts from
// board i, and after the last board the list repeats. For an empty board, and for an empty list, games start
// as usual. Intervals count the games from given boards as restarted; their Start.TileSum is the largest
// power of two up to the tile sum.
func (t *Trainer) SetStarts(first uint64, boards []board.Board) error {
	if n := t.o.Network; n.Walls > 0 && len(boards) > 0 {
		return errors.New("starts: must be empty for an ending network, which starts from layouts of its walls")
	}
	if t.o.Device != nil && len(boards) > 0 {
		return errors.New("starts: must be empty on a device")
	}
	starts := make([]start, len(boards))
	for i, b := range boards {
		s := &starts[i]
		if size := t.o.Network.Size; b.Size() != size {
			return fmt.Errorf("starts: board %d is %v: must be %v", i, b.Size(), size)
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

// startOf returns the start that SetStarts set for game number index, or the zero start if there is none.
func (t *Trainer) startOf(index uint64) start {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if n := uint64(len(t.starts)); n > 0 {
		return t.starts[(index-t.first)%n]
	}
	return start{}
}

// game plays game number index.
func (g *gamesOn[B]) game(w *thread[B], index uint64) Outcome {
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
// most of the milestone is still ahead. With a restart tile of 16384 the first milestone
// holds boards with a 16384, the second boards with a 16384 and an 8192.
const (
	milestones   = 32 // the last milestone also holds boards with larger sums
	perMilestone = MaxStored
	minStored    = 16 // number of boards that a milestone needs before restarts use it
)

// pool stores the boards that restarts draw from; see the package documentation (Restarts).
type pool[B any] struct {
	mutex  sync.Mutex
	boards [][]B // boards[m] holds the boards of milestone m
	// milestone returns the milestone of a board; ok is false for a board that is not stored.
	milestone func(b B) (number int, ok bool)
	// width is the number of words that a board takes in a checkpoint. write appends the words of a board;
	// read decodes them.
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

// take draws a board. It first draws a milestone uniformly from those numbered from, from+1, ...,
// from+milestones-1 that have at least minStored boards, then one of its boards uniformly. ok is false if no
// milestone has enough boards.
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

// milestoneOf returns the milestone of a board, given the exponents of the restart tile and of the board's largest
// tile, and the sum of its tiles. ok is false if its largest tile is smaller than the restart tile.
func milestoneOf(tile, largest uint8, sum int64) (number int, ok bool) {
	return int(min(sum>>(tile-1)-2, milestones-1)), largest >= tile
}

// milestoneSum returns the smallest tile sum of a milestone's boards. tile is the exponent of the restart tile.
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

// newWidePool is like newPool, for boards that do not fit into a word.
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

// wideWords appends the rows of a board to words.
func wideWords(words []uint64, b board.Board) []uint64 {
	for r := range b.Size().Rows {
		words = append(words, b.Row(r))
	}
	return words
}

// storedWords returns the number of words that a board takes in a checkpoint: one if it fits into a
// word, otherwise one per row, with a byte per cell.
func storedWords(size board.Size) int {
	if ntuple.Packs(size) {
		return 1
	}
	return size.Rows
}

// inEndings implements kind for endings (package endings). A game starts in one ending and passes through
// the following endings, until there is no legal move or a 32768 is made. Its score is 1 if the 32768 is
// made, else 0. When the goal of an ending is made, it becomes a wall, and the network evaluates the next
// board with the stages of the next ending. So the value of the last board of an ending is updated towards
// the value of the first board of the next ending.
type inEndings struct{ onWords }

func newEndingThread(net *ntuple.Network, learn learner) *thread[bitboard.Board] {
	t := &turn{batch: net.NewBatch()}
	return threadOn(net, learn, t, &inEndings{onWords{t, net, rulesOf(net.Size)}})
}

// fresh returns a random start board of a random ending that the network covers.
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

// endingMilestone returns the milestone of a board. The milestones of all endings are numbered in the
// order in which a game passes them. The milestones of one ending are equal ranges of the sum of the
// small tiles, which are the tiles that are not walls.
func endingMilestone(b bitboard.Board) int {
	view, walls := endings.Of(b)
	if walls > endings.MaxWalls {
		return walls * milestones
	}
	part := endings.Small(view) * milestones / board.Tile(endings.Goal(walls))
	return walls*milestones + int(min(part, milestones-1))
}

// wallSum returns the sum of a board's walls.
func wallSum(b bitboard.Board) (sum uint64) {
	_, walls := endings.Of(b)
	for k := range min(walls, endings.MaxWalls) {
		sum += uint64(board.Tile(endings.Goal(k)))
	}
	return sum
}

// newEndingPool returns a pool for the boards of all endings with at least the given number of walls. The
// milestones of an ending with n walls are n*milestones to (n+1)*milestones-1.
func newEndingPool(fewest uint8) *pool[bitboard.Board] {
	p := newPool(endings.Tile)
	p.boards = make([][]bitboard.Board, (endings.MaxWalls+1)*milestones)
	p.milestone = func(b bitboard.Board) (int, bool) {
		m := endingMilestone(b)
		return m, m >= int(fewest)*milestones && m < len(p.boards)
	}
	return p
}

// startEnding implements gamesOn.start for endings. Endings are added one after another, those with
// the most walls first. Half of the games start in the newest ending, the others in a random ending
// that has been added.
func startEnding(g *gamesOn[bitboard.Board], w *thread[bitboard.Board], index uint64) (b bitboard.Board, from uint64) {
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
