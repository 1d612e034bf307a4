package device_test

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/device"
	"github.com/afterstate2048/afterstate/learn/device/devicetest"
	"github.com/afterstate2048/afterstate/learn/learntest"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// counter is a learn.Device whose games have seven moves, an error of 14 points, and end in turns of up to ten games.
// Each game adds 1 to the first weight. Slips of 1 are an error, and with slips of 2 training diverges.
type counter struct {
	run     *learn.DeviceRun
	next    uint64
	turns   []learn.DeviceTurn
	playing int
	stop    func() // called at game 55
}

func (c *counter) Load(r *learn.DeviceRun) error {
	c.run, c.next = r, r.Next
	if r.Options.Slips == 1 {
		return errors.New("this device does not slip")
	}
	return nil
}

func (c *counter) Play(t learn.DeviceTurn) (r learn.DeviceReport, err error) {
	c.turns = append(c.turns, t)
	for range c.playing { // all games in progress end
		game := learn.DeviceGame{Index: c.next, Final: 0x21, Score: 100, Errors: 14, Moves: 7}
		if c.run.Options.Slips == 2 {
			game.Errors = math.NaN()
		}
		r.Games = append(r.Games, game)
		c.run.Network.Table(0, 0)[0]++
	}
	if c.playing = int(min(t.End, c.next+10) - min(t.End, c.next)); c.next < 55 && c.next+10 >= 55 && c.stop != nil {
		c.stop()
	}
	c.next += uint64(c.playing)
	c.run.Stored[3] = append(c.run.Stored[3], bitboard.Board(c.next))
	r.Next, r.Playing = c.next, c.playing
	return r, nil
}

func (c *counter) Read(r *learn.DeviceRun) error { return nil }

// TestTrainer trains on a device through the protocol: what the device learns arrives in the network, the TC sums and
// the stored boards, games are counted once, and a run that is stopped lets games in progress end.
func TestTrainer(t *testing.T) {
	c := new(counter)
	p := devicetest.Connect(t, c, "counter", 10)
	must.Equal(t, p.Device, "counter", "name")
	must.Equal(t, p.Games, 10, "games at once")
	n := learntest.Random(t, bitboard.Size, "0123 4567 0145 1256")
	trainer := must.Get(learn.New(learn.Options{Network: n, Coherent: true, Games: 80, Threads: 2, WarmupGames: 20, Device: p}))(t)
	defer trainer.Close()
	must.Do(t, trainer.Step(t.Context(), 20))
	must.Equal(t, len(c.turns), 0, "turns while a thread plays the first games")
	was, played := n.Table(0, 0)[0], trainer.Tally()
	ctx, stop := context.WithCancel(t.Context())
	c.stop = stop
	must.Do(t, trainer.Run(ctx))
	must.Equal(t, trainer.Games(), 60, "games until the run was stopped")
	must.Equal(t, n.Table(0, 0)[0], was+40, "first weight")
	must.Equal(t, c.run.Network.Table(0, 0)[0], was+40, "first weight on the device")
	for i, turn := range c.turns {
		must.Equal(t, turn.Alone, false, "one game at a time")
		must.Equal(t, turn.Rate, 1.0/32, "rate, turn", i)
		must.Equal(t, turn.Limit > 14<<16 && turn.Limit < 1000<<17, true, "limit, turn", i)
	}
	must.Do(t, trainer.Run(t.Context()))
	tally := trainer.Tally()
	must.Equal(t, tally.Games, 80, "games")
	must.Equal(t, tally.Moves, played.Moves+7*60, "moves")
	must.Equal(t, tally.Score, played.Score+100*60, "points")
	must.Equal(t, n.Table(0, 0)[0], was+60, "first weight")
	must.Equal(t, len(c.run.Stored[3]) > 3, true, "stored boards return to the device")
}

func TestErrors(t *testing.T) {
	train := func(d learn.Device, slips float64) error {
		trainer := must.Get(learn.New(learn.Options{Network: learntest.Empty(t, bitboard.Size, "2x4"), Games: 10, Slips: slips, Device: d}))(t)
		defer trainer.Close()
		return trainer.Run(t.Context())
	}
	must.Equal(t, train(devicetest.Connect(t, new(counter), "counter", 10), 1).Error(), "this device does not slip", "error of the device")
	diverged := "training diverged: the errors of game 10 are not finite; try a lower rate"
	must.Equal(t, train(devicetest.Connect(t, new(counter), "counter", 10), 2).Error(), diverged, "divergence")
	connectTo := func(answers string) error {
		p, err := device.Connect(strings.NewReader(answers), io.Discard, func() {})
		if err != nil {
			return err
		}
		return train(p, 0)
	}
	hello := `{"hello":{"version":"` + version.Version + `","device":"d","games":1}}` + "\n"
	for answers, want := range map[string]string{
		"":                 "the device's program has ended",
		hello:              "the device's program has ended",
		hello + "{}\n":     "the device's program has ended",
		hello + "{}\n{}\n": "the device's program did not report",
		hello + "{}\n" + `{"error":"hot"}` + "\n": "hot",
		"{}\n":                                 "the device's program did not say what it is",
		"eh\n":                                 "the device's program: invalid character 'e' looking for beginning of value",
		`{"hello":{"version":"0.0.9"}}` + "\n": "the device's program has version 0.0.9: must be " + version.Version + ", as this program",
	} {
		must.Equal(t, connectTo(answers).Error(), want, answers)
	}
	var refusal strings.Builder
	must.Do(t, device.Refuse(&refusal, errors.New("no driver")))
	must.Equal(t, connectTo(refusal.String()).Error(), "no driver", "refusal")
	if _, err := device.Start("loom"); err == nil || !strings.HasPrefix(err.Error(), "the program afterstate-loom is neither beside afterstate nor in") {
		t.Error(err)
	}
	// A program that is not afterstate's may not make the device take memory without end.
	load := `{"method":"load","head":{"size":"4x4","patterns":["0123"]},"options":{},"stored":[5000]}` + "\n"
	err := device.Serve(strings.NewReader(load), io.Discard, new(counter), "counter", 1)
	must.Equal(t, err.Error(), "1 milestones with up to 5000 boards", "too many boards")
}

// TestDeviceRun checks the order of the tables and what a device cannot train.
func TestDeviceRun(t *testing.T) {
	n := learntest.Random(t, bitboard.Size, "0123 45", ntuple.Stage{}, ntuple.Stage{9})
	sums := [][][]uint64{{{1, 2}, {3}}, {{4}}}
	var all []byte
	for table := range (&learn.DeviceRun{Network: n, Sums: sums}).Tables() {
		all = append(all, table...)
	}
	want := slices.Concat(memory.Bytes(n.Table(0, 0)), memory.Bytes(n.Table(0, 1)), memory.Bytes(n.Table(1, 0)), memory.Bytes(n.Table(1, 1)), memory.Bytes([]uint64{1, 2, 3, 4}))
	must.Equal(t, slices.Equal(all, want), true, "the tables")
	o := learn.Options{Network: n, Device: new(counter), Lambda: 0.5, Horizon: 33}
	_, err := learn.New(o)
	must.Equal(t, err.Error(), "horizon 33: must be at most 32 on a device", "horizon")
	o.Horizon, n.Stages[1] = 5, slices.Repeat(ntuple.Stage{1}, 17)
	_, err = learn.New(o)
	must.Contains(t, err.Error(), "has 17 tiles, more than a board has cells: train without --device")
}
