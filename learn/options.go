package learn

import (
	"cmp"
	"errors"
	"math/bits"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/option"
)

// Options configures a Trainer. Every zero value except Network's selects a default.
//
// The fields with a help text are settings: checkpoints and the options of runs store them, the command train has a flag
// for each, and Resume may change some. Their tags are those of package option and
//
//	json    its name; the flag has hyphens in place of underscores
//	short   the flag's letter
//	resume  "yes" if it may change when training is resumed, "part" if that begins a part of the
//	        history
type Options struct {
	// Network is trained in place and stays its caller's to close. It must be nil in Resume, which
	// loads it from the checkpoint.
	Network *ntuple.Network `json:"-"`
	// History lists the earlier trainings of the network; checkpoints store it.
	History []ntuple.Training `json:"-"`

	// Games is the total number of games, including those before a checkpoint. 0: until the context
	// of Run ends.
	Games uint64 `json:"games" short:"n" resume:"yes" range:"0:1000000000000" help:"total number of games; 0: until Ctrl-C"`
	// Seed and the game's number determine the spawns, as in package game.
	Seed uint64 `json:"seed" help:"seed of the games; arena's is another one, 1"`
	// Threads play at the same time and update the same weights. Only one thread is deterministic.
	// 0: one.
	Threads int `json:"threads" short:"j" resume:"yes" range:"1:1024" help:"games played in parallel; only 1 is reproducible"`
	// WarmupGames is the number of games that the first thread plays before the others start. 0:
	// 1000 with Coherent and without History, otherwise none.
	WarmupGames uint64 `json:"warmup_games,omitempty" help:"games of the first thread before others join (0 for --from and --coherent=false)"`

	// Coherent selects temporal coherence learning, which takes two more numbers for each weight.
	Coherent bool `json:"coherent" resume:"part" help:"temporal coherence: an adaptive learning rate for each weight"`
	// Rate is the learning rate of a value, divided equally among the weights that contribute to
	// it. 0: 0.1, or 1 with Coherent and without Settled.
	Rate float64 `json:"rate,omitempty" resume:"part" range:"0<:2" help:"learning rate, at most 2 (default 1; 0.1 with --from or --coherent=false)"`
	// Anneal lowers the rate linearly to zero over the last Anneal of Games. 0: a constant rate.
	Anneal uint64 `json:"anneal,omitempty" resume:"part" help:"number of final games in which the rate falls linearly to zero"`
	// Settled is the number of updates that each non-zero weight counts as having had when TC sums
	// are created; see the package documentation. 0: none. Sums are float32: beyond a million an
	// update would be lost in rounding.
	Settled float64 `json:"settled,omitempty" range:"0:1000000" help:"number of updates credited to the weights of --from; 0: they learn like new ones"`
	// OnlyKnown updates only weights that are not zero, in their own stage or in an earlier one that they start from. It trains
	// a network that was quantized to a limited size for the weights that it still has.
	OnlyKnown bool `json:"only_known,omitempty" help:"update only the weights of --from that are not zero: after model quantize --max-size, which drops weights"`
	// Lambda is the weight of later moves in the return: 0 is TD(0), 1 with a Horizon of n the
	// n-step return, and values between truncated TD(lambda).
	Lambda float64 `json:"lambda" resume:"part" range:"0:1" help:"lambda of the truncated lambda-return, 0 to 1; 0 is TD(0)"`
	// Horizon is the maximal number of moves of a return with Lambda > 0, and the number of moves
	// by which updates are delayed. 0: 5.
	Horizon int `json:"horizon,omitempty" resume:"part" range:"1:65536" help:"length N of the truncated lambda-return; with --lambda 1 the N-step return"`

	// Slips is how much the player slips; see the package documentation. 0: it plays greedily.
	Slips float64 `json:"slips,omitempty" resume:"part" range:"0:10" help:"how much the player slips: 0.04 scores about 8,000 points; 0: never"`

	// RestartShare is the share of games that start from a stored board with RestartTile or a larger
	// tile; see the package documentation. Ending networks have no RestartTile: they store boards of
	// all endings.
	RestartShare float64 `json:"restart_share,omitempty" resume:"part" range:"0:1" help:"fraction of games, 0 to 1, that start from a stored board of an earlier game; see above"`
	RestartTile  int64   `json:"restart_tile,omitempty" resume:"part" range:"tile:8:32768" help:"stored boards have this tile or a larger one; see above"`
	// JoinEvery, for ending networks (package endings): the ending with the most walls is learned
	// first, and every JoinEvery games the one before joins. 0: all from the beginning.
	JoinEvery uint64 `json:"join_every,omitempty" help:"number of games until the next ending joins; 0: all at once"`
	// Downgrade sets the network's tile downgrading: boards with this tile or a larger one are
	// learned and played as boards of smaller tiles. 0: never.
	Downgrade int64 `json:"downgrade,omitempty" resume:"part" range:"0|tile:256:32768" help:"tile downgrading: boards with this tile or larger are evaluated with smaller tiles; 0: never"`

	// ReportEvery is the number of games of an interval (0: 1000). Report, if not nil, is called
	// after each interval. It holds up all threads, so it should be quick, and of the trainer's
	// methods it may call Games only.
	ReportEvery uint64         `json:"report_every" resume:"yes" range:"1:1000000000" help:"games per metrics interval"`
	Report      func(Interval) `json:"-"`

	// Checkpoint is the file that Run saves to every CheckpointEvery (0: 10 minutes) and when it
	// ends. Empty: none.
	Checkpoint      string   `json:"-"`
	CheckpointEvery Duration `json:"checkpoint_every" resume:"yes" range:"100ms:" help:"time between checkpoints"`
}

// Duration is a time in JSON as text, such as 10m0s.
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText writes the time as [time.Duration] does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what [time.ParseDuration] reads.
func (d *Duration) UnmarshalText(text []byte) error {
	t, err := time.ParseDuration(string(text))
	*d = Duration(t)
	return err
}

// Defaults are values that replace zeros where another setting does not decide otherwise, and the
// values of settings that a new training should have.
var Defaults = Options{
	Games: 100_000, Seed: 1000, Threads: 1, WarmupGames: 1000, Coherent: true, Lambda: 0.5, Horizon: 5, RestartTile: 16384,
	Settled: 100_000, ReportEvery: 1000, CheckpointEvery: Duration(10 * time.Minute),
}

// Rates that replace a rate of 0.
const (
	coherentRate = 1
	otherRate    = 0.1 // without Coherent, or with Settled
)

// Fill replaces zeros by defaults, clears settings that have no effect, and validates all settings.
// The error for a setting is an *[option.Error]. endings means that an ending network is trained. WarmupGames stays, since
// its default depends on the network.
func (o *Options) Fill(endings bool) error {
	if o.Rate == 0 {
		o.Rate = otherRate
		if o.Coherent && o.Settled == 0 {
			o.Rate = coherentRate
		}
	}
	o.Threads = cmp.Or(o.Threads, Defaults.Threads)
	o.Horizon = cmp.Or(o.Horizon, Defaults.Horizon)
	if o.Lambda == 0 {
		o.Horizon = 0
	}
	o.RestartTile = cmp.Or(o.RestartTile, Defaults.RestartTile)
	if o.RestartShare == 0 || endings {
		o.RestartTile = 0
	}
	o.ReportEvery = cmp.Or(o.ReportEvery, Defaults.ReportEvery)
	o.CheckpointEvery = cmp.Or(o.CheckpointEvery, Defaults.CheckpointEvery)
	for s := range option.Of(o, "help") {
		if err := s.Check(); err != nil && !s.Value.IsZero() {
			return err
		}
	}
	switch {
	case o.Settled > 0 && !o.Coherent:
		return &option.Error{Option: "settled", Value: o.Settled, Without: "coherent", Reason: "all weights take the same step"}
	case o.OnlyKnown && !o.Coherent:
		return &option.Error{Option: "only_known", Value: o.OnlyKnown, Without: "coherent", Reason: "all weights take the same step"}
	case o.Anneal > 0 && o.Games == 0:
		return &option.Error{Option: "anneal", Value: o.Anneal, Without: "games", Reason: "there is no last game"}
	}
	return nil
}

// fill is Fill for the options of a trainer.
func (o *Options) fill() error {
	if o.Network == nil {
		return errors.New("learn: a trainer needs a network")
	}
	if o.WarmupGames == 0 && o.Coherent && len(o.History) == 0 {
		o.WarmupGames = Defaults.WarmupGames
	}
	return o.Fill(o.Network.Walls > 0)
}

// exponent of a tile, 0 of none.
func exponent(tile int64) uint8 {
	return uint8(max(0, bits.Len64(uint64(tile))-1))
}

// RequiredDisk returns an upper bound on the size of a checkpoint in bytes. While one is written, the
// previous one still exists, so a run needs room for two.
func RequiredDisk(l *ntuple.Layout, coherent bool) int64 {
	return RequiredMemory(l, coherent) + 8*int64(storedWords(l.Size))*milestones*perMilestone + 1<<20
}

// RequiredMemory returns the bytes that training takes: the weights and, if coherent, their sums.
func RequiredMemory(l *ntuple.Layout, coherent bool) int64 {
	bytes := 4 * int64(l.Weights())
	if coherent {
		bytes *= 3
	}
	return bytes
}
