package learn

import (
	"cmp"
	"errors"
	"math/bits"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/option"
)

// Options configures a Trainer. A zero value selects the default of its field, except in Network.
//
// The fields with a help tag are settings: they are stored in checkpoints and in the options of runs, the command
// "train" has a flag for each of them, and Resume can change some of them. Settings use the tags of package option,
// and these:
//
//	json    name of the setting; the flag has hyphens in place of underscores
//	short   one-letter form of the flag
//	resume  "yes" if the setting may change when training is resumed; "part" if it may change and a
//	        change begins a new part of the history
type Options struct {
	// Network is trained in place; the caller closes it. It must be nil in Resume, which loads the
	// network from the checkpoint.
	Network *ntuple.Network `json:"-"`
	// History lists the earlier trainings of the network; checkpoints store it.
	History []ntuple.Training `json:"-"`

	// Device, if not nil, plays and learns in place of threads: with Threads 1 one game at a time and reproducibly, the
	// same games as one thread, otherwise as many games at once as it holds. It trains networks for 4x4.
	Device Device `json:"-"`

	// Games is the total number of games, including those before a checkpoint. If Games is 0, Run
	// plays until its context ends.
	Games uint64 `json:"games" short:"n" resume:"yes" range:"0:1000000000000" help:"total number of games; 0: until Ctrl-C"`
	// Seed determines the spawns of each game, together with the game's number, as in package game.
	Seed uint64 `json:"seed" help:"seed of the games; the default differs from that of arena, 1"`
	// Threads is the number of games played in parallel; all threads update the same weights. Training is
	// deterministic only with one thread. 0 means one.
	Threads int `json:"threads" short:"j" resume:"yes" range:"1:1024" help:"games played in parallel; only 1 is reproducible"`
	// WarmupGames is the number of games that the first thread plays before the others start. 0
	// means 1000 if Coherent is set and History is empty, otherwise none.
	WarmupGames uint64 `json:"warmup_games,omitempty" help:"games of the first thread before others join (0 for --from and --coherent=false)"`

	// Coherent selects temporal coherence learning, which stores two more numbers for each weight.
	Coherent bool `json:"coherent" resume:"part" help:"temporal coherence: an adaptive learning rate for each weight"`
	// Rate is the learning rate of a value, divided equally among the weights that contribute to
	// it. 0 means 1 if Coherent is set and Settled is 0, otherwise 0.1.
	Rate float64 `json:"rate,omitempty" resume:"part" range:"0<:2" help:"learning rate, at most 2 (default 1; 0.1 with --from or --coherent=false)"`
	// Anneal is the number of games at the end of training during which the rate falls linearly to
	// zero. 0 means a constant rate.
	Anneal uint64 `json:"anneal,omitempty" resume:"part" help:"number of final games in which the rate falls linearly to zero"`
	// Settled is the number of past updates that New assumes for each non-zero weight when it
	// creates the TC sums; see the package documentation (Warm starts). 0 means none. The maximum is
	// a million: the sums are float32, so larger ones would lose updates in rounding.
	Settled float64 `json:"settled,omitempty" range:"0:1000000" help:"number of past updates to assume for the weights of --from; 0: they learn as fast as new weights"`
	// OnlyKnown restricts updates to weights that are non-zero in their own stage or in an earlier stage that
	// they start from. Use it to train a network that was quantized to a limited size: the weights that
	// quantization dropped stay zero.
	OnlyKnown bool `json:"only_known,omitempty" help:"update only the weights of --from that are not zero; use it after model quantize --max-size, which drops weights"`
	// Lambda is the weight of later moves in the return. 0 selects TD(0), 1 selects the n-step return with n =
	// Horizon, and a value in between selects truncated TD(lambda).
	Lambda float64 `json:"lambda" resume:"part" range:"0:1" help:"lambda of the truncated lambda-return, 0 to 1; 0 is TD(0)"`
	// Horizon is the maximum number of moves in a return if Lambda > 0, and the number of moves by
	// which updates are delayed. 0 means 5.
	Horizon int `json:"horizon,omitempty" resume:"part" range:"1:65536" help:"length N of the truncated lambda-return; with --lambda 1 the N-step return"`

	// Slips sets how often the player makes mistakes; see the package documentation (Slips). With 0
	// the player is greedy.
	Slips float64 `json:"slips,omitempty" resume:"part" range:"0:10" help:"how often the player makes mistakes: with 0.04 it scores about 8,000 points; 0: never"`

	// RestartShare is the share of games that start from a stored board with RestartTile or a larger
	// tile; see the package documentation (Restarts). RestartTile 0 means 16384. Ending networks
	// ignore RestartTile: they store boards of all endings.
	RestartShare float64 `json:"restart_share,omitempty" resume:"part" range:"0:1" help:"fraction of games, 0 to 1, that start from a stored board of an earlier game; see above"`
	RestartTile  int64   `json:"restart_tile,omitempty" resume:"part" range:"tile:8:32768" help:"stored boards have this tile or a larger one; see above"`
	// JoinEvery applies to ending networks (package endings). Training starts with the ending that has
	// the most walls, and adds the ending with one wall fewer after every JoinEvery games. With 0, all
	// endings are trained from the beginning.
	JoinEvery uint64 `json:"join_every,omitempty" help:"number of games until the next ending is added; 0: all at once"`
	// Downgrade enables tile downgrading: the network evaluates and learns boards with this tile or
	// a larger one as boards with smaller tiles; see the package documentation. 0 disables it.
	Downgrade int64 `json:"downgrade,omitempty" resume:"part" range:"0|tile:256:32768" help:"tile downgrading: boards with this tile or larger are evaluated with smaller tiles; 0: never"`

	// ReportEvery is the number of games in an interval; 0 means 1000. Report, if not nil, is called
	// after each interval and blocks all threads, so it should be quick. Games is the only method of
	// the trainer that Report may call.
	ReportEvery uint64         `json:"report_every" resume:"yes" range:"1:1000000000" help:"games per metrics interval"`
	Report      func(Interval) `json:"-"`

	// Checkpoint is the path of the checkpoint file. Run writes it at intervals of CheckpointEvery
	// (0 means 10 minutes) and when it ends. If Checkpoint is empty, Run writes no checkpoints.
	Checkpoint      string   `json:"-"`
	CheckpointEvery Duration `json:"checkpoint_every" resume:"yes" range:"100ms:" help:"time between checkpoints"`
}

// Duration is a time.Duration that JSON represents as text, such as 10m0s.
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText returns the text of [time.Duration.String].
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses text with [time.ParseDuration].
func (d *Duration) UnmarshalText(text []byte) error {
	t, err := time.ParseDuration(string(text))
	*d = Duration(t)
	return err
}

// Defaults holds the recommended settings for a new training run. Fill and New also replace some
// zero fields with these values; the comments on the fields of Options say which.
var Defaults = Options{
	Games: 100_000, Seed: 1000, Threads: 1, WarmupGames: 1000, Coherent: true, Lambda: 0.5, Horizon: 5, RestartTile: 16384,
	Settled: 100_000, ReportEvery: 1000, CheckpointEvery: Duration(10 * time.Minute),
}

// MaxThreads is the largest Options.Threads.
const MaxThreads = 1024

// Default learning rates, used if Options.Rate is 0.
const (
	coherentRate = 1
	otherRate    = 0.1 // without Coherent, or with Settled
)

// Fill replaces zeros with defaults, clears settings that have no effect, and validates all settings. Its
// errors are of type *[option.Error]. endings says whether the network is an ending network (package
// endings). Fill leaves WarmupGames unchanged, since its default depends on History.
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
		return &option.Error{Option: "settled", Value: o.Settled, Without: "coherent", Reason: "all weights have the same rate"}
	case o.OnlyKnown && !o.Coherent:
		return &option.Error{Option: "only_known", Value: o.OnlyKnown, Without: "coherent", Reason: "all weights take the same step"}
	case o.Anneal > 0 && o.Games == 0:
		return &option.Error{Option: "anneal", Value: o.Anneal, Without: "games", Reason: "there is no last game"}
	}
	return nil
}

// fill checks that Network is set, sets the default of WarmupGames and calls Fill.
func (o *Options) fill() error {
	if o.Network == nil {
		return errors.New("learn: a trainer needs a network")
	}
	if o.WarmupGames == 0 && o.Coherent && len(o.History) == 0 {
		o.WarmupGames = Defaults.WarmupGames
	}
	return cmp.Or(o.Fill(o.Network.Walls > 0), o.checkDevice())
}

// exponent returns the base-2 logarithm of a tile, and 0 for tile 0.
func exponent(tile int64) uint8 {
	return uint8(max(0, bits.Len64(uint64(tile))-1))
}

// RequiredDisk returns an upper bound on the size of a checkpoint in bytes. While a checkpoint is
// written, the previous one still exists, so a run needs space for two.
func RequiredDisk(l *ntuple.Layout, coherent bool) int64 {
	return RequiredMemory(l, coherent) + 8*int64(storedWords(l.Size))*milestones*perMilestone + 1<<20
}

// RequiredMemory returns the number of bytes that training needs: for the weights and, if coherent,
// their TC sums.
func RequiredMemory(l *ntuple.Layout, coherent bool) int64 {
	bytes := 4 * int64(l.Weights())
	if coherent {
		bytes *= 3
	}
	return bytes
}
