// Package levels contains reference players, called levels, that play like people of a given
// strength. They measure what moves cost a person of that strength.
//
//	level, err := levels.Parse("3000", bitboard.Size)
//	network, err := level.Network()
//	rollouts := learn.NewRollouts(network, learn.Lanes, game.P4)
//	rollouts.Slips = level.Slips
//
// A level is a small n-tuple network whose player slips: it does not always make the move with the highest value (see
// [learn.Slip]). It slipped as much in training ([learn.Options]). The network's value of a board is therefore the
// mean number of points that this player still scores, including the effect of its slips. A level that slips more
// scores less. The lowest level plays nearly at random.
//
// # Playouts
//
// A [Judge] measures what the moves on a board are worth to a level: the level plays many playouts after each legal
// move. A playout ends after some moves, or when its game is over. Its value is the points that it scored plus,
// unless the game is over, the level's value of the last board. That value predicts the further score of the level,
// so a playout need not be long. A playout takes a tenth of the moves of a complete game, and avoids most of the
// variance of the remaining moves. The error that shorter playouts add was measured by playing to the end
// (TestLossesOfWholeGames, docs/lab/levels.md).
//
// After a quarter of the playouts, only the moves that may be the best get further playouts. A
// second set of playouts then measures all moves, so that the choice of the best move does not bias
// its value.
//
// Playout i after each move draws its spawns from PCG(seed, i) and its slips from PCG(^seed, i)
// (common random numbers). The result does not depend on the number of threads.
//
// # Sources
//
// docs/training.md lists the commands that trained the networks, and docs/lab/levels.md the
// measurements.
package levels

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Level is a reference player on boards of one size.
type Level struct {
	Name string  // the rounded mean score
	Mean float64 // mean score
	// Slips says how often and how badly the player slips; see [learn.Slip].
	Slips float32
	// Limit is the score from which [Choose] takes the next level, or Strong after the last level: the geometric mean
	// of the mean scores of the two levels.
	Limit float64
	load  func() (*ntuple.Network, error)
}

//go:embed networks
var files embed.FS

// ladders holds the levels of each size, the lowest first.
var ladders = map[board.Size][]Level{
	{Rows: 3, Cols: 4}: limited(34_000,
		newLevel("3x4-400", 430, 10),
		newLevel("3x4-1000", 1000, 0.2),
		newLevel("3x4-3000", 3000, 0.043),
		newLevel("3x4-8000", 8000, 0.012),
	),
	bitboard.Size: limited(strongMean,
		newLevel("4x4-1000", 1100, 10),
		newLevel("4x4-3000", 3000, 0.14),
		newLevel("4x4-8000", 8000, 0.037),
		newLevel("4x4-20000", 20000, 0.0165),
		newLevel("4x4-60000", 57000, 0.0055),
	),
	{Rows: 4, Cols: 5}: limited(600_000,
		newLevel("4x5-3000", 3300, 1),
		newLevel("4x5-8000", 7500, 0.125),
		newLevel("4x5-20000", 17500, 0.035),
	),
	{Rows: 5, Cols: 5}: limited(1_400_000,
		newLevel("5x5-8000", 8200, 2),
		newLevel("5x5-20000", 19000, 0.135),
		newLevel("5x5-50000", 46000, 0.037),
		newLevel("5x5-150000", 145000, 0.007),
	),
}

// limited sets the Limit of each level to the geometric mean of its own mean score and that of the next level.
// For the last level, strong stands in for the mean score of the next one.
func limited(strong float64, all ...Level) []Level {
	next := strong
	for i, l := range slices.Backward(all) {
		all[i].Limit = math.Sqrt(l.Mean * next)
		next = l.Mean
	}
	return all
}

// newLevel returns the level whose network is in the given file. The file's name consists of the board size, a dash and
// the name of the level.
func newLevel(file string, mean float64, slips float32) Level {
	_, name, _ := strings.Cut(file, "-")
	return Level{Name: name, Mean: mean, Slips: slips, load: sync.OnceValues(func() (*ntuple.Network, error) {
		data, err := files.ReadFile("networks/" + file + ".model")
		if err != nil {
			return nil, err
		}
		n, err := quant.DequantizeInt16(data)
		if err != nil {
			return nil, err
		}
		n.Merge()
		return n, nil
	})}
}

// Sizes returns the sizes that have levels, in alphabetical order.
func Sizes() []board.Size {
	return slices.SortedFunc(maps.Keys(ladders), func(a, b board.Size) int { return cmp.Compare(a.String(), b.String()) })
}

// Ladder returns the levels for a board size, the lowest first. It returns nil if there are none.
func Ladder(size board.Size) []Level { return ladders[size] }

// Usual returns the name of the level of a player whose strength is unknown: the third one, or
// Strong if the size has no levels.
func Usual(size board.Size) string {
	if all := Ladder(size); all != nil {
		return all[2].Name
	}
	return Strong
}

// Parse returns the level with this name for a size.
func Parse(name string, size board.Size) (Level, error) {
	all := Ladder(size)
	i := slices.IndexFunc(all, func(l Level) bool { return l.Name == name })
	switch {
	case all == nil:
		return Level{}, fmt.Errorf("%v boards have no levels: must be %s", size, list(Sizes()))
	case i < 0:
		return Level{}, fmt.Errorf("level %q: must be %s", name, list(all))
	}
	return all[i], nil
}

func (l Level) String() string { return l.Name }

// list returns the names of sizes or levels, separated by commas.
func list[T fmt.Stringer](all []T) string { return strings.Join(each.Of(all, T.String), ", ") }

// Strong is the name of the level above all reference players of this package. It stands for the
// strongest players, which do not slip.
const Strong = "strong"

// strongMean is the mean score on 4x4 that Choose assumes for Strong.
const strongMean = 300_000

// Choose returns the level with the given name for games on boards such as b. If the name is empty, it returns the
// level nearest to a score. It returns nil for Strong. Without a name it also returns nil if the size has no levels
// or if b has a tile that they do not know.
func Choose(name string, b *board.Board, score float64) (*Level, error) {
	if name == Strong {
		return nil, nil
	}
	if name == "" {
		all := Ladder(b.Size())
		i := slices.IndexFunc(all, func(l Level) bool { return score < l.Limit })
		if i < 0 || b.Largest() > bitboard.MaxExponent {
			return nil, nil
		}
		return &all[i], nil
	}
	l, err := Parse(name, b.Size())
	if err != nil {
		return nil, fmt.Errorf("%w or %s", err, Strong)
	}
	return &l, nil
}

// Network returns the network of the level. It loads the network on the first call. Several
// goroutines may use the network.
func (l *Level) Network() (*ntuple.Network, error) { return l.load() }

// Spec returns the spec of the player that plays as the level with this name, and judges moves with the
// given number of playouts.
func Spec(name string, playouts int) string {
	if playouts == Playouts {
		return fmt.Sprintf("level(mean=%s)", name)
	}
	return fmt.Sprintf("level(mean=%s,playouts=%d)", name, playouts)
}

// Strongest returns the level Strong, which plays with the network n without slips.
func Strongest(n *ntuple.Network) Level {
	return Level{Name: Strong, Mean: strongMean, load: func() (*ntuple.Network, error) { return n, nil }}
}

// Moves returns the value of each legal move on a board, in the order of [board.Board.Legal]: the reward plus the
// network's value of the afterstate. It fails for boards with tiles that the level does not know.
func (l *Level) Moves(b *board.Board) (values []float32, err error) {
	network, err := l.load()
	if err != nil {
		return nil, err
	}
	for _, d := range b.Legal() {
		after, reward, _ := b.Slide(d)
		if after.Largest() > bitboard.MaxExponent {
			return nil, tooLarge(b)
		}
		values = append(values, float32(reward)+network.ValueOf(&after))
	}
	return values, nil
}

// Expected returns the expected further score of the level on a board, including slips, by the level's own values. It
// returns 0 if the game is over. It fails as [Level.Moves] does.
func (l *Level) Expected(b *board.Board) (points float64, err error) {
	values, err := l.Moves(b)
	if err != nil || len(values) == 0 {
		return 0, err
	}
	worth := each.Of(values, func(v float32) float64 { return float64(v) })
	return learn.SlipMean(values, l.Slips, worth), nil
}

// Ahead returns the value of each legal move on a board, in the order of [board.Board.Legal], from a search one spawn
// deeper than Moves: the reward plus the mean, over all spawns, of the value of the best move afterwards. Unlike
// Moves it takes into account that a spawn may end the game. It fails as [Level.Moves] does.
func (l *Level) Ahead(b *board.Board) (values []float64, err error) {
	for _, d := range b.Legal() {
		after, reward, _ := b.Slide(d)
		mean, empty := 0.0, after.Empty()
		for i := range empty {
			for _, tile := range [...]struct {
				exponent uint8
				chance   float64
			}{{1, 1 - game.P4}, {2, game.P4}} {
				spawned := after
				spawned.PlaceNth(i, tile.exponent)
				next, err := l.Moves(&spawned)
				if err != nil {
					return nil, err
				}
				if len(next) > 0 {
					mean += tile.chance * float64(slices.Max(next))
				}
			}
		}
		values = append(values, float64(reward)+mean/float64(empty))
	}
	return values, nil
}
