package train

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/runs/compare"
)

// seeds trains the same network with several seeds, one run after the other.
type seeds struct {
	*trainFlags
	cmd    *cobra.Command
	args   []string
	folder runs.Folder
	group  string
	known  *compare.Group // with --resume: the runs that were started earlier
}

// runSeeds implements the command train with the flag --seeds.
func runSeeds(ctx context.Context, cmd *cobra.Command, args []string, f *trainFlags, folder runs.Folder) error {
	if f.out != "" {
		return usage.Errorf("--out %s: with --seeds there are several networks; they are in the runs' folders", f.out)
	}
	s := &seeds{trainFlags: f, cmd: cmd, args: args, folder: folder}
	if err := s.choose(); err != nil {
		return program.RunError(err)
	}
	for k := range f.seeds {
		finished, err := s.train(ctx, uint64(k))
		if err != nil {
			return program.RunError(err)
		}
		if !finished {
			fmt.Fprintf(cmd.ErrOrStderr(), "saved; to resume: afterstate train --resume %s --seeds %d\n", s.group, f.seeds)
			return context.Canceled
		}
	}
	return s.print()
}

// choose sets the name of the group and, with --resume, its existing runs.
func (s *seeds) choose() (err error) {
	if s.resume != "" {
		s.group = s.resume
		if err := s.checkResume(s.cmd, s.args); err != nil {
			return err
		}
		if s.known, err = compare.Open(s.folder, s.group); err == nil && s.known.Runs[0].Name == s.group {
			err = usage.Errorf("--resume %s: it is one run: resume it without --seeds", s.group)
		}
		return err
	}
	if s.group = s.name; s.group == "" {
		s.group, err = s.freeName()
		return err
	}
	if err := runs.CheckName(compare.SeedName(s.group, ^uint64(0))); err != nil {
		return err
	}
	if g, err := compare.Open(s.folder, s.group); err == nil {
		return usage.Errorf("there is a run %s already: resume it with --resume, or choose another --name", g.Runs[0].Name)
	}
	return nil
}

// freeName returns the network's name followed by the lowest number for which neither a run nor a
// group exists.
func (s *seeds) freeName() (string, error) {
	source, err := s.source()
	if err != nil {
		return "", err
	}
	defer source.Close()
	o, err := s.options(s.cmd, s.args, source)
	if err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s-%d", o.Stem(), n)
		_, err := compare.Open(s.folder, name)
		var missing *runs.NotFoundError
		if errors.As(err, &missing) {
			return name, nil
		}
		if err != nil {
			return "", err
		}
	}
}

// train starts or resumes run number k, trains it to its end, and prints its result. finished is
// false if ctx ended first.
func (s *seeds) train(ctx context.Context, k uint64) (finished bool, err error) {
	run, err := s.open(k)
	if err != nil {
		return false, err
	}
	defer run.Close()
	if finished, err = s.trainFlags.train(ctx, s.cmd.ErrOrStderr(), run); err != nil {
		return false, err
	}
	return finished, printTrained(s.cmd, run, s.json)
}

func (s *seeds) open(k uint64) (*runs.Run, error) {
	one := *s.trainFlags
	if s.known == nil {
		one.Settings.Seed += k
		one.name = compare.SeedName(s.group, one.Settings.Seed)
		return one.run(s.cmd, s.args, s.folder)
	}
	first := s.known.Runs[0].Options
	seed := first.Seed + k
	one.resume = compare.SeedName(s.group, seed)
	for _, r := range s.known.Runs {
		if r.Name == one.resume {
			return one.resumeRun(s.cmd, s.args, s.folder)
		}
	}
	change := s.change(s.cmd)
	if err := change.Apply(&first.Options); err != nil {
		return nil, &runs.InputError{Err: err}
	}
	first.Seed = seed
	return begin(s.cmd, s.folder, one.resume, first, nil)
}

// print prints the mean curve of the group. If a run has too few games for a curve, it prints one
// line about that to stderr instead.
func (s *seeds) print() error {
	g, err := compare.Open(s.folder, s.group)
	if err != nil {
		return program.RunError(err)
	}
	table, err := compare.Curves([]*compare.Group{g}, compare.Options{})
	if short := (*compare.NoIntervalError)(nil); errors.As(err, &short) {
		fmt.Fprintf(s.cmd.ErrOrStderr(), "no mean curve: run %s has fewer games than one interval of --report-every %d\n", short.Run, short.ReportEvery)
		return nil
	}
	if err != nil {
		return program.RunError(err)
	}
	return s.json.Print(s.cmd, table, func(w io.Writer) error {
		fmt.Fprintln(w)
		return table.WriteText(w)
	})
}
