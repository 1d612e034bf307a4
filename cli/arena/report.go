package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/inputfile"
)

type reportFlags struct {
	out  output.Flags
	into string `flag:"into" help:"update the tables in a Markdown <FILE>"`
	readFlags
}

func newReport() *cobra.Command {
	var f reportFlags
	cmd := usage.Command(&cobra.Command{
		Use:   "report NAME...",
		Short: "Write a report on experiments in HTML, Markdown or LaTeX",
		Long: `Write a report about one or more experiments: the players' figures, how their scores
are spread, the highest tiles, how often each tile is reached, players against each
other game by game, and speed, all with 95 % intervals.

html  one self-contained page with charts, in the light or dark scheme of the
      reader's system
md    tables in Markdown
tex   tables in LaTeX, with the rules of package booktabs

--into FILE updates the tables in a Markdown document. Each table is between two
lines:

  <!-- arena: NAME PART -->
  <!-- arena: end -->

where PART is one of ` + strings.Join(report.Parts, ", ") + `.
Tables of experiments that are not in the store stay as they are.`,
		Example: `afterstate arena report first -o report.html
afterstate arena report first second -o report.md
afterstate arena report --into docs/strength.md`,
		Args: usage.Args(0, maxSpecs, "names of experiments"),
	}, &f, runReport)
	f.out.Add(cmd.Flags(), "md, html or tex")
	return cmd
}

func runReport(cmd *cobra.Command, names []string, f *reportFlags) error {
	switch {
	case f.into != "" && (len(names) > 0 || f.out != output.Flags{}):
		return usage.Errorf("--into takes no names, --out and --format: the file says what goes into it")
	case f.into == "" && len(names) == 0:
		return usage.Errorf("report: missing the name of an experiment; see afterstate arena report --help")
	}
	format, err := f.out.Choose([]string{"md", "html", "tex"})
	if err != nil {
		return err
	}
	s, err := f.open()
	if err != nil {
		return err
	}
	defer s.Close()
	if f.into != "" {
		return f.renew(cmd, s)
	}
	var all []*report.Document
	for _, name := range names {
		d, err := f.document(cmd.Context(), s, name)
		if err != nil {
			return err
		}
		all = append(all, d)
	}
	err = f.out.Write(cmd, func(w io.Writer) error {
		switch format {
		case "html":
			return report.HTML(w, strings.Join(names, ", ")+" - Afterstate", all)
		case "tex":
			return report.LaTeX(w, all)
		}
		return report.Markdown(w, all)
	})
	if err == nil && f.out.Out != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s reports on %s\n", f.out.Out, strings.Join(names, ", "))
	}
	return err
}

// renew regenerates the tables of a document.
func (f *reportFlags) renew(cmd *cobra.Command, s *store.Store) error {
	before, err := inputfile.Read(f.into)
	if err != nil {
		return usage.Wrap(err)
	}
	after, err := report.UpdateTables(string(before), func(name string) (*report.Document, error) {
		d, err := f.document(cmd.Context(), s, name)
		if errors.Is(err, arena.ErrUnknown) {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: tables of %s stay as they are: it is not in %s\n", f.into, name, s.Path())
			return nil, nil
		}
		return d, err
	})
	if err != nil {
		return usage.Errorf("%s: %w", f.into, err)
	}
	return output.Write(f.into, func(w io.Writer) error {
		_, err := io.WriteString(w, after)
		return err
	})
}

// document returns the report on an experiment.
func (f *reportFlags) document(ctx context.Context, s *store.Store, name string) (*report.Document, error) {
	e, err := experiment.Lookup(ctx, s, name)
	if err != nil {
		return nil, flags.StoreError(err)
	}
	r, err := f.results(ctx, s, e, nil)
	if err != nil {
		return nil, err
	}
	return report.Of(e, r), nil
}
