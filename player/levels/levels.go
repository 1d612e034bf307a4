// Package levels has reference players that play as people of a strength do, to tell a person what
// their moves cost them.
//
//	level, err := levels.Parse("3000", bitboard.Size)
//	network, err := level.Network()
//	rollouts := learn.NewRollouts(network, learn.Lanes, game.P4)
//	rollouts.Slips = level.Slips
//
// A level is a small n-tuple network that slips when it plays, and slipped as much in training
// ([learn.Options]). So its values are the points that this player still makes on average, slips
// included. Larger slips make a lower level. The lowest one plays nearly at random.
//
// # Playouts
//
// A [Judge] says what the moves on a board are worth to a level, which plays on after each legal move,
// many times. A playout ends after some moves, or with its game. It is worth the points that it made
// and, unless the game is over, the level's own value of the last board. That value is what the level
// scores, so a playout need not be long. It takes a tenth of the moves of a whole game and leaves out
// most of the luck of the rest. The error that this adds was measured by playing to the end
// (TestLossesOfWholeGames, docs/lab/levels.md).
//
// After a few playouts only the moves that may be the best get more. Fresh playouts then measure all
// moves, so that the luck of the choice does not count for the best one.
//
// Playout i after each move draws its spawns from PCG(seed, i) and its slips from PCG(^seed, i)
// (common random numbers). The result depends on the options, not on threads.
//
// # Sources
//
// docs/training.md has the commands that made the networks, docs/lab/levels.md what was measured.
package levels

import (
	"embed"
	"fmt"
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

// Level is a reference player on boards of a size.
type Level struct {
	Name string // its mean score, rounded
	Mean float64
	// Slips is how much it slips, see [learn.Slip].
	Slips float32
	// Limit is the score from which on the next level is nearer, or Strong, by the ratio of the scores.
	Limit float64
	load  func() (*ntuple.Network, error)
}

//go:embed networks
var files embed.FS

// ladder has the levels of 4x4, the lowest first.
var ladder = limited(
	newLevel("1000", 1100, 10),
	newLevel("3000", 3000, 0.14),
	newLevel("8000", 8000, 0.037),
	newLevel("20000", 20000, 0.0165),
)

// limited sets the limits of levels: the geometric means of neighbours.
func limited(all ...Level) []Level {
	for i := range all {
		next := float64(strongMean)
		if i+1 < len(all) {
			next = all[i+1].Mean
		}
		all[i].Limit = math.Sqrt(all[i].Mean * next)
	}
	return all
}

func newLevel(name string, mean float64, slips float32) Level {
	return Level{Name: name, Mean: mean, Slips: slips, load: sync.OnceValues(func() (*ntuple.Network, error) {
		file, err := files.ReadFile("networks/4x4-" + name + ".model")
		if err != nil {
			return nil, err
		}
		n, err := quant.DequantizeInt16(file)
		if err != nil {
			return nil, err
		}
		n.Merge()
		return n, nil
	})}
}

// Ladder returns the levels of a size, the lowest first; nil if it has none.
func Ladder(size board.Size) []Level {
	if size != bitboard.Size {
		return nil
	}
	return ladder
}

// Parse returns the level of a size with this name.
func Parse(name string, size board.Size) (Level, error) {
	all := Ladder(size)
	i := slices.IndexFunc(all, func(l Level) bool { return l.Name == name })
	switch {
	case all == nil:
		return Level{}, fmt.Errorf("%v boards have no levels: must be %v", size, bitboard.Size)
	case i < 0:
		names := each.Of(all, func(l Level) string { return l.Name })
		return Level{}, fmt.Errorf("level %q: must be %s", name, strings.Join(names, ", "))
	}
	return all[i], nil
}

// Strong is the name of the level of the strongest players: no reference player of this package, but
// the players that play best.
const Strong = "strong"

// strongMean is the mean score of Strong where a level is chosen by scores.
const strongMean = 300_000

// Choose returns the level with this name for games on boards such as b, or, if the name is empty, the
// one that is nearest to a score. It is nil for Strong, and without a name also where the size has no
// levels or b has a larger tile than they know.
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

// Network returns the network of the level, loaded once. It may be used by several goroutines.
func (l *Level) Network() (*ntuple.Network, error) { return l.load() }

// Spec returns the player that plays as the level with this name, and judges with a number of playouts.
func Spec(name string, playouts int) string {
	if playouts == Playouts {
		return fmt.Sprintf("level(mean=%s)", name)
	}
	return fmt.Sprintf("level(mean=%s,playouts=%d)", name, playouts)
}

// Strongest returns the level of the strongest players, who do not slip: those of a network that plays well.
func Strongest(n *ntuple.Network) Level {
	return Level{Name: Strong, Mean: strongMean, load: func() (*ntuple.Network, error) { return n, nil }}
}

// Moves returns the reward + value of each legal move on a board, in the order of [board.Board.Legal].
// It fails for boards as [Judge.Points] does.
func (l *Level) Moves(b *board.Board) (values []float32, err error) {
	network, err := l.load()
	if err != nil {
		return nil, err
	}
	for _, d := range b.Legal() {
		after, reward, _ := b.Slide(d)
		word, ok := ntuple.Pack(&after)
		if !ok {
			return nil, tooLarge(b)
		}
		values = append(values, float32(reward)+network.Value(word))
	}
	return values, nil
}

// Expected returns what the level's own values expect that it makes from a board on, slips included; 0 if the game
// is over. It fails for boards as [Judge.Points] does.
func (l *Level) Expected(b *board.Board) (points float64, err error) {
	values, err := l.Moves(b)
	if err != nil || len(values) == 0 {
		return 0, err
	}
	worth := each.Of(values, func(v float32) float64 { return float64(v) })
	return learn.SlipMean(values, l.Slips, worth), nil
}

// Ahead returns for each legal move on a board, in the order of [board.Board.Legal], what the level's own
// values expect one tile further: the reward, and the mean over the new tiles of the best reward + value
// after them. It sees a game that a new tile ends. It fails for boards as [Judge.Points] does.
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
