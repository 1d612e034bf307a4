package serve

import (
	"context"
	"math"
	"slices"

	"afterstate/arena"
	"afterstate/board"
	"afterstate/wire"
)

var errNone = wire.Errorf(wire.CodeInvalidRequest, "this server keeps no experiments")

func (t *talk) listExperiments(ctx context.Context, params []byte) (any, error) {
	if err := wire.ReadNone(wire.MethodExperimentList, params); err != nil {
		return nil, err
	}
	list := wire.ExperimentList{Experiments: []wire.ExperimentInfo{}}
	if t.server.o.Experiments == nil {
		return list, nil
	}
	list.Startable = true
	all, err := t.server.listing.list(ctx)
	if err != nil {
		return nil, denied(wire.MethodExperimentList, err)
	}
	for _, info := range all {
		list.Experiments = append(list.Experiments, publicInfo(info))
	}
	return list, nil
}

func (t *talk) startExperiment(ctx context.Context, params []byte) (any, error) {
	var p wire.StartExperiment
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	if t.server.o.Experiments == nil {
		return nil, errNone
	}
	if p.Size == (board.Size{}) {
		p.Size = board.Size{Rows: 4, Cols: 4}
	}
	name, err := t.server.o.Experiments.Start(ctx, &p)
	if err != nil {
		return nil, denied(wire.MethodExperimentStart, wordRefusal(err))
	}
	return wire.Named{Name: name}, nil
}

// publicInfo leaves out the paths that specs given on this machine may name.
func publicInfo(info wire.ExperimentInfo) wire.ExperimentInfo {
	info.Trouble = withoutPaths(info.Trouble, "")
	info.Players = slices.Clone(info.Players)
	for i, spec := range info.Players {
		info.Players[i] = withoutPaths(spec, "")
	}
	return info
}

// denied tells why a method did nothing.
func denied(method string, err error) error {
	return wire.Errorf(wire.CodeInvalidParams, "%s: %v", method, err)
}

// experiment reads the params of a method about one experiment.
func (t *talk) experiment(method string, params []byte) (name string, err error) {
	var p wire.Named
	if err := p.ReadParams(method, params); err != nil {
		return "", err
	}
	if t.server.o.Experiments == nil {
		return "", errNone
	}
	return p.Name, nil
}

func (t *talk) stopExperiment(ctx context.Context, params []byte) (any, error) {
	name, err := t.experiment(wire.MethodExperimentStop, params)
	if err != nil {
		return nil, err
	}
	if err := t.server.o.Experiments.Stop(ctx, name); err != nil {
		return nil, denied(wire.MethodExperimentStop, err)
	}
	return wire.Done{}, nil
}

func (t *talk) showExperiment(ctx context.Context, params []byte) (any, error) {
	name, err := t.experiment(wire.MethodExperimentShow, params)
	if err != nil {
		return nil, err
	}
	x, err := t.server.listing.show(ctx, name)
	if err != nil {
		return nil, denied(wire.MethodExperimentShow, err)
	}
	return x, nil
}

// experimentOf is what the page shows of finished games.
func experimentOf(info wire.ExperimentInfo, r *arena.Results) *wire.Experiment {
	info = publicInfo(info)
	r.Spawn = withoutPaths(r.Spawn, "")
	for i := range r.Players {
		r.Players[i].Name = withoutPaths(r.Players[i].Name, "")
	}
	report := r.Report()
	x := &wire.Experiment{ExperimentInfo: info, Report: report.Wire(), Scores: distribution(r), Comparisons: []wire.ComparedToTheLead{}}
	for _, s := range report.Players {
		h := wire.HighestTiles{Player: s.Player, Tiles: []wire.TileCount{}}
		for _, share := range s.Highest {
			h.Tiles = append(h.Tiles, wire.TileCount{Tile: board.Tile(share.Exponent), Games: share.Games})
		}
		x.Highest = append(x.Highest, h)
	}
	for _, p := range r.Players[min(1, len(r.Players)):] {
		c := arena.Compare(p.Games, r.Players[0].Games)
		compared := wire.ComparedToTheLead{Player: p.Name, Games: c.Games, CI: (*wire.Interval95)(c.CI.OrNull()), Higher: c.Higher, Lower: c.Lower}
		if !math.IsNaN(c.Difference) {
			compared.Difference = &c.Difference
		}
		x.Comparisons = append(x.Comparisons, compared)
	}
	return x
}

// bins is how many bars a distribution has.
const bins = 24

// distribution counts scores between equally distant edges.
func distribution(r *arena.Results) wire.Distribution {
	low, high := int64(math.MaxInt64), int64(0)
	for _, p := range r.Players {
		for _, g := range p.Games {
			low, high = min(low, g.Score), max(high, g.Score)
		}
	}
	d := wire.Distribution{Edges: []float64{}, Counts: make([][]int, len(r.Players))}
	if low > high {
		return d
	}
	width := max(float64(high-low)/bins, 1)
	for i := range bins + 1 {
		d.Edges = append(d.Edges, float64(low)+float64(i)*width)
	}
	for i, p := range r.Players {
		d.Counts[i] = make([]int, bins)
		for _, g := range p.Games {
			d.Counts[i][min(int(float64(g.Score-low)/width), bins-1)]++
		}
	}
	return d
}
