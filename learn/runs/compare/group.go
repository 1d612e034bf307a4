package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
)

// Group is one side of a comparison: a run, or the runs of one training with several seeds.
type Group struct {
	Name string
	Runs []*Run // sorted by seed
}

// Run is a run with the intervals of its learning curve.
type Run struct {
	Name      string
	Options   runs.Options
	State     string
	Intervals []protocol.TrainingInterval
}

// SeedName returns the name of the run in a group that has the given seed.
func SeedName(group string, seed uint64) string { return fmt.Sprintf("%s-seed%d", group, seed) }

// Open reads the run called name or, if there is none, the group of all runs called NAME-seedN.
func Open(folder runs.Folder, name string) (*Group, error) {
	single, err := open(folder, name)
	if err == nil {
		return &Group{Name: name, Runs: []*Run{single}}, nil
	}
	var missing *runs.NotFoundError
	if !errors.As(err, &missing) {
		return nil, err
	}
	g := &Group{Name: name}
	for _, other := range missing.Others {
		digits, ok := strings.CutPrefix(other, name+"-seed")
		if _, wrong := strconv.ParseUint(digits, 10, 64); !ok || wrong != nil {
			continue
		}
		r, err := open(folder, other)
		if err != nil {
			return nil, err
		}
		g.Runs = append(g.Runs, r)
	}
	if len(g.Runs) == 0 {
		return nil, err
	}
	slices.SortFunc(g.Runs, func(a, b *Run) int { return cmp.Compare(a.Options.Seed, b.Options.Seed) })
	return g, nil
}

func open(folder runs.Folder, name string) (r *Run, err error) {
	r = &Run{Name: name}
	if r.Options, err = folder.Options(name); err != nil {
		return nil, err
	}
	r.State, _ = folder.State(name, r.Options.Games)
	r.Intervals, err = folder.Intervals(name)
	return r, err
}

// sameSeeds reports whether two groups have the same seeds. Runs with equal seeds can be compared as pairs.
func sameSeeds(a, b *Group) bool {
	return slices.EqualFunc(a.Runs, b.Runs, func(x, y *Run) bool { return x.Options.Seed == y.Options.Seed })
}

// Differences lists the options in which groups differ, except seeds. values has one row per option,
// with the value of each group.
func Differences(groups []*Group) (options []string, values [][]string) {
	var settings []map[string]string
	for _, g := range groups {
		settings = append(settings, g.options())
		for _, s := range g.Runs[0].Options.Settings() {
			if s.Option != "seed" && !slices.Contains(options, s.Option) {
				options = append(options, s.Option)
			}
		}
	}
	options = slices.DeleteFunc(options, func(option string) bool {
		row := each.Of(settings, func(s map[string]string) string { return cmp.Or(s[option], "-") })
		if len(slices.Compact(slices.Clone(row))) == 1 {
			return true
		}
		values = append(values, row)
		return false
	})
	return options, values
}

// options returns the settings of the group's first run by name.
func (g *Group) options() map[string]string {
	all := map[string]string{}
	for _, s := range g.Runs[0].Options.Settings() {
		all[s.Option] = s.Value
	}
	return all
}
