package runs

import (
	"time"

	"afterstate/bitboard"
	"afterstate/learn"
)

// Change is a set of options to change when a run is resumed; nil keeps the present value. Network,
// seed and starting model cannot change.
//
// A change of any field from Coherent to Downgrade ends a part of the training history and begins
// another, each with its number of games.
type Change struct {
	Games           *uint64
	Threads         *int
	ReportEvery     *uint64
	CheckpointEvery *time.Duration

	Coherent     *bool
	Rate         *float64
	Anneal       *uint64
	Lambda       *float64
	Horizon      *int
	RestartShare *float64
	RestartTile  *int64
	Downgrade    *int64
}

// Apply checks the change and makes it. Changing Coherent resets the rate to the default of the new
// mode.
func (c *Change) Apply(o *Options) error {
	if err := c.check(); err != nil {
		return err
	}
	set(&o.Games, c.Games)
	set(&o.Threads, c.Threads)
	set(&o.ReportEvery, c.ReportEvery)
	if c.CheckpointEvery != nil {
		o.CheckpointEvery = c.CheckpointEvery.Seconds()
	}
	if c.Coherent != nil && *c.Coherent != o.Coherent {
		o.Coherent, o.Rate = *c.Coherent, 0 // the rate of one is too large or small for the other
	}
	set(&o.Rate, c.Rate)
	set(&o.Anneal, c.Anneal)
	set(&o.Lambda, c.Lambda)
	set(&o.Horizon, c.Horizon)
	set(&o.RestartShare, c.RestartShare)
	set(&o.RestartTile, c.RestartTile)
	set(&o.Downgrade, c.Downgrade)
	switch {
	case o.Lambda == 0 && c.Horizon != nil:
		return inputError(&OptionError{"horizon", *c.Horizon, "lambda", "every return is one move"})
	case o.Anneal > 0 && o.Games == 0:
		return inputError(&OptionError{"anneal", o.Anneal, "games", "there is no last game"})
	case o.RestartShare == 0 && c.RestartTile != nil:
		return inputError(&OptionError{"restart-tile", *c.RestartTile, "restart-share", "no game starts from a stored board"})
	}
	if o.Lambda == 0 {
		o.Horizon = 0
	}
	if o.RestartShare == 0 {
		o.RestartTile = 0
	}
	o.fill()
	return nil
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// check returns an error for the first value out of range.
func (c *Change) check() error {
	const largest = 1 << bitboard.MaxExponent
	switch {
	case c.Threads != nil && (*c.Threads < 1 || *c.Threads > 1024):
		return optionErrorf("threads", *c.Threads, "want 1 to 1024")
	case c.Rate != nil && !(*c.Rate > 0 && *c.Rate <= 2):
		return optionErrorf("rate", *c.Rate, "want more than 0 and at most 2")
	case c.Lambda != nil && !(*c.Lambda >= 0 && *c.Lambda <= 1):
		return optionErrorf("lambda", *c.Lambda, "want 0 to 1")
	case c.Horizon != nil && (*c.Horizon < 1 || *c.Horizon > learn.MaxHorizon):
		return optionErrorf("horizon", *c.Horizon, "want 1 to %d moves", learn.MaxHorizon)
	case c.RestartShare != nil && !(*c.RestartShare >= 0 && *c.RestartShare <= 1):
		return optionErrorf("restart-share", *c.RestartShare, "want a share from 0 to 1")
	case c.Downgrade != nil && *c.Downgrade != 0 && (*c.Downgrade < 256 || *c.Downgrade > largest):
		return optionErrorf("downgrade", *c.Downgrade, "want 0, or a tile from 256 to 32768")
	case c.RestartTile != nil && (*c.RestartTile < 8 || *c.RestartTile > largest):
		return optionErrorf("restart-tile", *c.RestartTile, "want a tile from 8 to 32768")
	case c.ReportEvery != nil && (*c.ReportEvery < 1 || *c.ReportEvery > 1e9):
		return optionErrorf("report-every", *c.ReportEvery, "want 1 to 1000000000")
	case c.Games != nil && *c.Games > 1e12:
		return optionErrorf("games", *c.Games, "want at most 1000000000000")
	case c.CheckpointEvery != nil && *c.CheckpointEvery < 100*time.Millisecond:
		return optionErrorf("checkpoint-every", *c.CheckpointEvery, "want 100ms or more")
	}
	return nil
}
