package learn

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/inputfile"
)

// A checkpoint is a model file with the trainer's state as metadata and with extra sections for the
// TC sums and the stored boards. It is written between games, when no thread plays, so it contains
// exactly the updates of the games that it counts. The state of random generators need not be stored,
// since each game seeds its own. [Times] are in a file beside it, so that equal trainings write equal
// checkpoints.
const (
	sumsName = "sums"
	poolName = "positions"
)

// state is the metadata of a checkpoint.
type state struct {
	Options  Options  `json:"options"`
	All      Tally    `json:"all"`
	Part     mark     `json:"part"`
	Interval Interval `json:"interval"`
}

// mark is a point in a training run: the totals from its first game to this point.
type mark struct {
	Games uint64 `json:"games"`
	Moves uint64 `json:"moves"`
}

// saveInTime writes a checkpoint if one is due.
func (t *Trainer) saveInTime() error {
	t.mutex.Lock()
	due := time.Since(t.saved) >= time.Duration(t.o.CheckpointEvery)
	if due {
		t.saved = time.Now() // set before saving, so that no other thread saves too
	}
	t.mutex.Unlock()
	if !due {
		return nil
	}
	return t.Save()
}

// Save writes a checkpoint to Options.Checkpoint, or does nothing if that is empty. It waits until
// the games in progress have ended.
func (t *Trainer) Save() error {
	if t.o.Checkpoint == "" {
		return nil
	}
	return t.SaveTo(t.o.Checkpoint)
}

// SaveTo writes a checkpoint to a file, as Save does.
func (t *Trainer) SaveTo(path string) error {
	if err := t.write(func(n *ntuple.Network, info ntuple.Info, extras []ntuple.ExtraSection) error {
		return ntuple.Save(path, n, info, extras...)
	}); err != nil {
		return err
	}
	return t.Times().Save(path)
}

// Write writes a checkpoint to an open, empty file, as Save does. It does not write the times.
func (t *Trainer) Write(f *os.File) error {
	return t.write(func(n *ntuple.Network, info ntuple.Info, extras []ntuple.ExtraSection) error {
		return ntuple.Write(f, n, info, extras...)
	})
}

func (t *Trainer) write(save func(*ntuple.Network, ntuple.Info, []ntuple.ExtraSection) error) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.tick()
	o := &t.o
	text, err := json.Marshal(state{Options: *o, All: t.all, Part: t.part, Interval: t.interval})
	if err != nil {
		return err
	}
	var extras []ntuple.ExtraSection
	if t.sums != nil {
		for i, s := range t.sums.sums.Tables {
			extras = append(extras, ntuple.ExtraSection{Name: sumsName, Index: i, Pieces: s})
		}
	}
	if stored := t.games.all(); len(stored) > 0 {
		extras = append(extras, ntuple.ExtraSection{Name: poolName, Pieces: [][]uint64{stored}})
	}
	info := ntuple.Info{History: t.history(), State: text}
	if err := save(o.Network, info, extras); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	t.saved = time.Now()
	return nil
}

// History returns the training history of the weights: earlier trainings and the current one, with
// one entry for each part.
func (t *Trainer) History() []ntuple.Training {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.history()
}

func (t *Trainer) history() []ntuple.Training {
	o := &t.o
	text := o.text()
	if o.Network.Bias != 0 {
		text += fmt.Sprintf(" bias=%v", o.Network.Bias)
	}
	return append(slices.Clone(o.History), ntuple.Training{ // the current part
		Games: t.all.Games - t.part.Games, Moves: t.all.Moves - t.part.Moves, Options: text,
	})
}

// Network returns the network being trained.
func (t *Trainer) Network() *ntuple.Network { return t.o.Network }

// ErrNoState is returned for a model file that is not a checkpoint.
var ErrNoState = errors.New("this model has no training state, so training cannot be resumed; start a new run from it with --from")

// Resume returns a trainer that continues from a checkpoint and its times; with one thread, the result
// is bit for bit the same as if training had not stopped. Resume takes Games, Report, Checkpoint and
// CheckpointEvery from o, and Threads and ReportEvery if they are not 0. It takes all other options from
// the file. o.Network must be nil. The caller closes the trainer and its Network.
//
// change, if not nil, is called with the options of the file and may change settings that have the
// tag resume:"part". Any change ends a part of the training and starts another; History has one entry for
// each part. TC sums are kept while Coherent stays set, and start at zero when Coherent is set again.
func Resume(path string, o Options, change func(*Options)) (*Trainer, error) {
	m, err := ntuple.Load(path)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if len(m.Info.State) == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrNoState)
	}
	var s state
	if err := json.Unmarshal(m.Info.State, &s); err != nil {
		return nil, fmt.Errorf("%s: the trainer's state cannot be read: %w", path, err)
	}
	if o.Network != nil {
		return nil, errors.New("learn: Options.Network must be nil: the checkpoint contains the network")
	}
	o = o.resumed(s.Options, change)
	o.History = m.Info.History
	if o.Network, err = m.Copy(); err != nil {
		return nil, err
	}
	t, err := newTrainer(o)
	if err == nil {
		if err = t.restore(&s, m.Extras); err == nil {
			t.SetTimes(ReadTimes(path))
			return t, nil
		}
		t.Close()
	}
	o.Network.Close()
	return nil, fmt.Errorf("%s: %w", path, err)
}

// resumed returns the options of a resumed training run. from holds the options in the checkpoint;
// resumed replaces the fields that Resume takes from o and applies change.
func (o *Options) resumed(from Options, change func(*Options)) Options {
	from.Games, from.Report, from.Checkpoint, from.CheckpointEvery = o.Games, o.Report, o.Checkpoint, o.CheckpointEvery
	from.Device = o.Device
	from.Threads, from.ReportEvery = cmp.Or(o.Threads, from.Threads), cmp.Or(o.ReportEvery, from.ReportEvery)
	if change != nil {
		changed := from
		change(&changed)
		from.setPart(changed.part())
	}
	return from
}

// restore sets the trainer's state from a checkpoint.
func (t *Trainer) restore(s *state, extras []ntuple.ExtraSection) error {
	t.all, t.part, t.interval = s.All, s.Part, s.Interval
	t.next = s.All.Games
	t.done.Store(s.All.Games)
	t.continueFrom(&s.Options)
	for _, e := range extras {
		if e.Name == poolName && t.o.RestartShare > 0 {
			t.games.fill(e.Pieces[0])
		}
	}
	if t.sums == nil || !s.Options.Coherent {
		return nil
	}
	found := 0
	for _, e := range extras {
		switch {
		case e.Name != sumsName:
		case e.Index < 0 || e.Index >= len(t.sums.sums.Tables) || len(e.Pieces[0]) != t.o.Network.Entries():
			return fmt.Errorf("%d sums for stage %d do not match its weights", len(e.Pieces[0]), e.Index)
		default:
			found++
			rest := e.Pieces[0]
			for _, table := range t.sums.sums.Tables[e.Index] {
				ntuple.CopyWritten(table, rest[:len(table)])
				rest = rest[len(table):]
			}
		}
	}
	if found != len(t.sums.sums.Tables) {
		return fmt.Errorf("sums for %d stages: must be %d", found, len(t.sums.sums.Tables))
	}
	return nil
}

// continueFrom decides which part of the training the next games belong to. The last entry of the
// history is the part in which the checkpoint was written. If the next games have the same settings,
// this part continues: continueFrom removes its entry, because History adds an entry for the current
// part. An entry without games is removed too.
func (t *Trainer) continueFrom(before *Options) {
	h := t.o.History
	last := max(0, len(h)-1)
	same := maps.Equal(before.part(), t.o.part())
	if same || len(h) > 0 && h[last].Games == 0 {
		t.o.History = h[:last:last]
	}
	if !same {
		t.part = mark{t.all.Games, t.all.Moves}
	}
}

// Checkpoint describes a checkpoint file.
type Checkpoint struct {
	Layout  ntuple.Layout
	Options Options
	Games   uint64 // number of games in the checkpoint
}

// ReadCheckpoint reads the header of a checkpoint file. If the file has no trainer's state, the error wraps
// ErrNoState.
func ReadCheckpoint(path string) (c Checkpoint, err error) {
	f, err := inputfile.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return c, err
	}
	file, err := ntuple.OpenFile(f, info.Size())
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	var s state
	if err := json.Unmarshal(file.Info().State, &s); err != nil {
		return c, fmt.Errorf("%s: %w", path, ErrNoState)
	}
	return Checkpoint{file.Layout, s.Options, s.All.Games}, nil
}
