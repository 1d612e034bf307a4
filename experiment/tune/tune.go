package tune

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Options configures a run. Equal options give equal trials; Generations and Workers do not change trials.
type Options struct {
	Player      string     `json:"player"` // a spec with eval=lines(...), from whose weights the search starts
	Size        board.Size `json:"size"`
	Seed        uint64     `json:"seed"`
	Games       int        `json:"games"`      // number of games of each candidate
	Population  int        `json:"population"` // number of candidates in a generation; 0: CMA-ES's default
	Generations int        `json:"-"`          // number of generations; a larger number continues a run
	Workers     int        `json:"-"`          // number of games at once; 0: 1
}

// Trial is one candidate: a point of the search space, its weights, and its mean score over the
// generation's games.
type Trial struct {
	Generation int              `json:"generation"` // number of the generation, from 1
	Candidate  int              `json:"candidate"`  // number in its generation, from 1
	Point      []float64        `json:"point"`      // coordinates in the search space, whose axes have scales near 1
	Weights    eval.LineWeights `json:"weights"`
	MeanScore  float64          `json:"mean_score"`
}

// Result is the result of a run.
type Result struct {
	Weights     eval.LineWeights `json:"weights"`     // the mean of the candidates of the last complete generation
	MeanScore   float64          `json:"mean_score"`  // mean score of that generation's candidates
	Generations int              `json:"generations"` // number of complete generations
	Player      string           `json:"player"`      // the player's spec with these weights
}

// Tuner carries out a run. It is not safe for concurrent use.
type Tuner struct {
	o      Options
	caps   catalog.Capabilities // capabilities with which candidates' specs are parsed
	space  space
	spec   *spec.Spec
	trials []Trial
	playBy Play
}

// Play is a function that plays the games 0 to games-1 of a setup and returns their outcomes in this order.
type Play func(ctx context.Context, m catalog.Maker, setup arena.Setup, games int) ([]arena.Outcome, error)

// PlayBy makes the tuner play its games with the function play, for example on other machines
// (experiment.Pool). Then Options.Workers has no effect.
func (t *Tuner) PlayBy(play Play) { t.playBy = play }

// New checks the options, and that caps accept a candidate's spec. It returns an error if the player is
// limited by time, or if its evaluator is not lines.
func New(o Options, caps catalog.Capabilities) (*Tuner, error) {
	m, err := catalog.Parse(o.Player, caps)
	if err != nil {
		return nil, err
	}
	if m.TimeLimited {
		return nil, fmt.Errorf("%s is limited by time, so games cannot be repeated: use plies= or nodes=", o.Player)
	}
	var lines *eval.Lines
	if m.Evaluator != nil {
		_, e := m.Evaluator(o.Size)
		lines, _ = e.(*eval.Lines)
	}
	if lines == nil {
		return nil, fmt.Errorf("%s has no weights to tune: must be a player with eval=lines, such as expectimax(eval=lines,plies=2,death_value=0)", o.Player)
	}
	s, err := spec.Parse(o.Player)
	if err != nil {
		return nil, err
	}
	o.Population = cmp.Or(o.Population, 4+int(3*math.Log(float64(len(axes)))))
	t := &Tuner{o: o, caps: caps, space: space{lines.Weights}, spec: s}
	t.playBy = t.playHere
	if _, err := t.maker(lines.Weights); err != nil {
		return nil, err
	}
	return t, nil
}

// Options returns the options that were given to New, with defaults filled in.
func (t *Tuner) Options() Options { return t.o }

// errEnough stops CMA-ES after the last generation.
var errEnough = errors.New("enough")

// Run plays until Options.Generations generations are complete. If ctx ends before, it returns ctx's error
// with the result so far. The trials of an earlier run with the same options are not played again. report is
// called after each new trial; if it returns an error, the run ends.
func (t *Tuner) Run(ctx context.Context, earlier []Trial, report func(Trial) error) (Result, error) {
	t.trials = nil
	var failed error
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			if failed != nil {
				return math.Inf(1)
			}
			trial, err := t.trial(ctx, x, earlier, report)
			if err != nil {
				failed = err
				return math.Inf(1)
			}
			t.trials = append(t.trials, trial)
			return -trial.MeanScore
		},
		Status: func() (optimize.Status, error) {
			if failed != nil {
				return optimize.Failure, failed
			}
			if len(t.trials) >= t.o.Generations*t.o.Population {
				return optimize.FunctionEvaluationLimit, errEnough
			}
			return optimize.NotTerminated, nil
		},
	}
	_, err := optimize.Minimize(problem, make([]float64, len(axes)),
		&optimize.Settings{Converger: optimize.NeverTerminate{}},
		&optimize.CmaEsChol{InitStepSize: 0.5, Population: t.o.Population, Src: rand.NewPCG(t.o.Seed, 0)})
	switch {
	case failed != nil:
		err = failed
	case errors.Is(err, errEnough):
		err = nil
	}
	return t.result(), err
}

// trial evaluates the candidate at the point x, or takes its trial from the earlier run.
func (t *Tuner) trial(ctx context.Context, x []float64, earlier []Trial, report func(Trial) error) (_ Trial, err error) {
	n := len(t.trials)
	trial := Trial{
		Generation: n/t.o.Population + 1, Candidate: n%t.o.Population + 1,
		Point: slices.Clone(x), Weights: t.space.weights(x),
	}
	if n < len(earlier) {
		if earlier[n].Weights != trial.Weights {
			return Trial{}, fmt.Errorf("trial %d of the earlier run had other weights than this run has there: it was another run", n+1)
		}
		return earlier[n], nil
	}
	if trial.MeanScore, err = t.play(ctx, &trial); err != nil {
		return Trial{}, err
	}
	return trial, report(trial)
}

// play returns the mean score of a candidate's games.
func (t *Tuner) play(ctx context.Context, trial *Trial) (float64, error) {
	m, err := t.maker(trial.Weights)
	if err != nil {
		return 0, err
	}
	games, err := t.playBy(ctx, m, arena.Setup{Size: t.o.Size, Spawn: "random", Seed: t.o.Seed + uint64(trial.Generation)}, t.o.Games)
	if err != nil {
		return 0, err
	}
	mean, _ := stats.Mean(arena.Scores(games))
	return mean, nil
}

// playHere plays games in this process.
func (t *Tuner) playHere(ctx context.Context, m catalog.Maker, setup arena.Setup, games int) ([]arena.Outcome, error) {
	results, err := arena.Run(ctx, arena.RunOptions{
		Players: []catalog.Maker{m}, Size: setup.Size, Seed: setup.Seed, Games: games, Workers: max(1, t.o.Workers),
	}, nil)
	if err != nil {
		return nil, err
	}
	return results.Players[0].Games, nil
}

// maker parses the player's spec with the weights w.
func (t *Tuner) maker(w eval.LineWeights) (catalog.Maker, error) {
	return catalog.Parse(t.with(w), t.caps)
}

// with returns the player's spec with the weights w.
func (t *Tuner) with(w eval.LineWeights) string {
	lines := &spec.Spec{Name: "lines"}
	for f := range w.All() {
		lines.Args = append(lines.Args, spec.Arg{Key: f.Name, Value: spec.Value{Text: f.String()}})
	}
	s := &spec.Spec{Name: t.spec.Name}
	for _, arg := range t.spec.Args {
		if arg.Key != "eval" {
			s.Args = append(s.Args, arg)
		}
	}
	s.Args = append(s.Args, spec.Arg{Key: "eval", Value: spec.Value{Call: lines}})
	return s.String()
}

// result returns the result at the mean point of the last complete generation; without one, at the start of
// the search.
func (t *Tuner) result() Result {
	r := Result{Generations: len(t.trials) / t.o.Population}
	centre := make([]float64, len(axes))
	if r.Generations > 0 {
		last := t.trials[(r.Generations-1)*t.o.Population:][:t.o.Population]
		for _, trial := range last {
			for i, x := range trial.Point {
				centre[i] += x / float64(len(last))
			}
			r.MeanScore += trial.MeanScore / float64(len(last))
		}
	}
	r.Weights = t.space.weights(centre)
	r.Player = t.with(r.Weights)
	return r
}

// space maps the vectors that CMA-ES moves to weights: the zero vector gives the weights of the player's
// spec, and a step of one has about the same effect on every axis.
type space struct{ start eval.LineWeights }

// typical is the tile exponent, that of 2048, at which a term k^power keeps its size when the power changes.
const typical = 11

// axis is one dimension of the search space: a weight, and how a coordinate x changes it.
type axis struct {
	weight string
	// The weight is multiplied by e^(factor*x), or step*x is added to it. One of factor and step is 0.
	factor, step float64
	power        string // the weight that is the exponent of this weight's term
}

var axes = []axis{
	{weight: "base", factor: 0.5},
	{weight: "empty", factor: 0.5},
	{weight: "merges", factor: 0.5},
	{weight: "disorder_power", step: 0.5},
	{weight: "disorder", factor: 0.5, power: "disorder_power"},
	{weight: "power_sum_power", step: 0.5},
	{weight: "power_sum", factor: 0.5, power: "power_sum_power"},
	{weight: "edge_power", step: 0.5},
	{weight: "edge", step: 2000, power: "edge_power"},
	{weight: "end", step: 2000, power: "edge_power"},
	{weight: "steps", step: 50},
	{weight: "roughness", step: 50},
}

// weights returns the weights at a point.
func (s *space) weights(x []float64) eval.LineWeights {
	w := s.start
	for i, a := range axes {
		field := w.Field(a.weight)
		step := a.step * x[i]
		if a.power != "" {
			power, before := *w.Field(a.power), *s.start.Field(a.power)
			*field *= math.Pow(typical, before-power)
			step /= math.Pow(typical, power)
		}
		*field = *field*math.Exp(a.factor*x[i]) + step
		*field = math.Max(-eval.MaxLineWeight, math.Min(eval.MaxLineWeight, significant(*field)))
	}
	return w
}

// significant rounds to five significant digits, so that the written weights are exactly those that played.
func significant(w float64) float64 {
	if w == 0 {
		return 0
	}
	scale := math.Pow(10, 4-math.Floor(math.Log10(math.Abs(w))))
	return math.Round(w*scale) / scale
}

// Log is the file of a run: a line of JSON with the options, then a line for each trial. A trial is synced to
// disk before the next one starts, so a crash loses only the trial being played.
type Log struct{ file *os.File }

// OpenLog creates the file of a run, or opens an existing one and returns its trials. It fails if the file
// belongs to a run with other options. It cuts off an incomplete last line.
func OpenLog(path string, o Options) (*Log, []Trial, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	l := &Log{file}
	trials, err := l.read(o)
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, trials, nil
}

func (l *Log) read(o Options) (trials []Trial, err error) {
	o.Generations, o.Workers = 0, 0
	header, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(l.file)
	if err != nil {
		return nil, err
	}
	data, torn := data[:bytes.LastIndexByte(data, '\n')+1], data[bytes.LastIndexByte(data, '\n')+1:]
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if !bytes.Equal(first, header) && (len(data) > 0 || !bytes.HasPrefix(header, torn)) {
		return nil, errors.New("it is no log of this run: give the run's options or another file")
	}
	for line := range bytes.Lines(rest) {
		var t Trial
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, fmt.Errorf("line %d is damaged: %w", len(trials)+2, err)
		}
		trials = append(trials, t)
	}
	// Drop the incomplete last line that a crash may have left.
	if err := l.file.Truncate(int64(len(data))); err != nil {
		return nil, err
	}
	if _, err := l.file.Seek(int64(len(data)), io.SeekStart); err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, l.add(o)
	}
	return trials, nil
}

func (l *Log) add(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return err
	}
	// Pipes and some file systems cannot sync; the line is written nevertheless.
	if err := l.file.Sync(); err != nil && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}

// Add writes a trial.
func (l *Log) Add(t Trial) error { return l.add(t) }

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
