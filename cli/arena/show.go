package arena

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/table"
)

type listFlags struct {
	db   flags.Store
	json output.AsJSON `flag:"json" help:"print JSON, one experiment per line"`
}

func newList() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "list",
		Short: "List the experiments of the store",
		Args:  usage.Args(0, 0, "no arguments"),
	}, &listFlags{}, func(cmd *cobra.Command, _ []string, f *listFlags) error {
		s, err := f.db.Open(false)
		if err != nil {
			return err
		}
		defer s.Close()
		all, err := experiment.List(cmd.Context(), s)
		if err != nil {
			return err
		}
		return output.PrintEach(cmd, f.json, all, writeList)
	})
}

func writeList(w io.Writer, all []experiment.Listed) error {
	t := table.New(table.Words("experiment"), table.Words("size"), table.Number("players"), table.Number("games"), table.Number("of"), table.Words("started"))
	for _, e := range all {
		finished, requested := e.Progress()
		t.Add(e.Name, e.Setup.Size.String(), fmt.Sprint(len(e.Players)), fmt.Sprint(finished), fmt.Sprint(requested), e.Created.Local().Format("2006-01-02 15:04"))
	}
	return t.Write(w)
}

type showFlags struct {
	readFlags
	regretFlag
	luck    bool          `flag:"luck" help:"adjust for the luck of new tiles; see above"`
	workers int           `flag:"workers,j" default:"cores" range:"1:1024" help:"games replayed in parallel for --luck"`
	json    output.AsJSON `flag:"json" help:"print JSON"`
}

func newShow() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "show NAME",
		Short: "Show the players and results of an experiment",
		Long: `Show the results of an experiment so far, like arena, and its players by number, with
the best game of each.

--luck replays the games, values every board, and adjusts each score for the luck of
the new tiles. The luck of a game has a mean of zero, so the adjusted mean estimates the same
quantity as the plain mean, with a narrower interval: factor says how many times more games the
plain mean needs for the same interval. With a goal the figures are shares of games that reached it.

The luck of each game is stored with it, so it is computed once, and shown without --luck from
then on, also in reports.

Boards are valued by the network that comes with the program, at one ply, and in endings of 4x4
by the chance of a 32768; on solved sizes by exact values; elsewhere by a short search.
values_hash in the JSON identifies these values. The luck's coefficient is fitted on games other
than those it adjusts. Results are not adjusted for fewer than 60 games, nor for a player that
knows the coming tiles, since the mean of its luck is not zero. docs/experiments.md explains it.`,
		Example: `afterstate arena show first
afterstate arena show first --luck
afterstate watch --game first/1/0`,
		Args: usage.Args(1, 1, "the name of an experiment"),
	}, &showFlags{}, runShow)
}

func runShow(cmd *cobra.Command, args []string, f *showFlags) error {
	ctx := cmd.Context()
	s, e, err := f.find(cmd, args[0])
	if err != nil {
		return err
	}
	defer s.Close()
	exact, err := f.exact(ctx, e.Setup, e.Games)
	if err != nil {
		return err
	}
	r, err := experiment.Results(ctx, s, e, exact)
	if err != nil {
		return err
	}
	if f.luck {
		accounts, err := experiment.OpenAccounts(ctx, s, e, program.Player, f.workers)
		if err != nil {
			return err
		}
		defer accounts.Close()
		finished, _ := r.Finished()
		bar := output.NewProgress(cmd.ErrOrStderr(), finished, "games")
		err = accounts.Add(ctx, r, bar.Add)
		if bar.End(); err != nil {
			return err
		}
	}
	if err := printResults(cmd, r, f.json); err != nil || bool(f.json) {
		return err
	}
	return printPlayers(cmd.OutOrStdout(), e, r)
}

// printPlayers lists an experiment's players by number.
func printPlayers(w io.Writer, e *arena.Plan, r *arena.Results) error {
	t := table.New(table.Words("player"), table.Words("games"), table.Words("version"), table.Words("best game"))
	names := e.Names()
	for i, p := range e.Players {
		games := r.Players[i].Games
		id := "-"
		if len(games) > 0 {
			best := slices.MaxFunc(games, func(a, b arena.Outcome) int { return cmp.Compare(a.Score, b.Score) })
			id = fmt.Sprintf("%s/%d/%d", e.Name, p.Number, best.Index)
		}
		t.Add(fmt.Sprintf("%d %s", p.Number, names[i]), fmt.Sprintf("%d of %d", len(games), max(e.Games, len(games))), strings.Join(p.Versions, ", "), id)
	}
	fmt.Fprintln(w)
	return t.Write(w)
}

type compareFlags struct {
	readFlags
	json output.AsJSON `flag:"json" help:"print JSON"`
}

func newCompare() *cobra.Command {
	var f compareFlags
	return usage.Command(&cobra.Command{
		Use:   "compare A B",
		Short: "Compare two players game by game",
		Long: `Compare two players of the store on the games of the same seed that both finished: the mean
difference of their scores and the share of games in which A scores higher, each with its 95 %
interval. arena show has the tiles that each reaches.

The intervals are valid for a number of games chosen in advance. For a sequential
test, use arena match.

A and B are ` + memberHelp + `. They may belong to different experiments with the same size, seed, spawn rule and --until.`,
		Example: `afterstate arena compare first/snake first/greedy
afterstate arena compare first/1 second/1`,
		Args: usage.Args(2, 2, "two players, as in first/snake first/greedy"),
	}, &f, runCompare)
}

func runCompare(cmd *cobra.Command, args []string, f *compareFlags) error {
	s, err := f.store.Open(false)
	if err != nil {
		return err
	}
	defer s.Close()
	ctx := cmd.Context()
	var players [2]experiment.StoredPlayer
	for i, text := range args {
		if players[i], err = experiment.LookupStoredPlayer(ctx, s, text); err != nil {
			return flags.StoreError(err)
		}
	}
	c, err := experiment.Compare(ctx, s, players[0], players[1])
	if err != nil {
		return flags.StoreError(err)
	}
	return f.json.Print(cmd, c, func(w io.Writer) error { return report.Comparison(w, &c) })
}

func newRemove() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "rm NAME...",
		Short: "Remove experiments with all their games",
		Args:  usage.Args(1, maxArgs, "the name of an experiment"),
	}, &flags.Store{}, func(cmd *cobra.Command, args []string, db *flags.Store) error {
		s, err := db.Open(false)
		if err != nil {
			return err
		}
		defer s.Close()
		var all []*arena.Plan
		for _, name := range args { // check all names before removing any
			e, err := experiment.Lookup(cmd.Context(), s, name)
			if err != nil {
				return flags.StoreError(err)
			}
			all = append(all, e)
		}
		for _, e := range all {
			counts, err := s.Count(cmd.Context(), e)
			if err != nil {
				return err
			}
			if err := s.Remove(cmd.Context(), e); err != nil {
				return err
			}
			games := 0
			for _, n := range counts {
				games += n
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "removed %s, %d games\n", e.Name, games)
		}
		return nil
	})
}

type reportFlags struct {
	out output.Flags
	readFlags
}

func newReport() *cobra.Command {
	var f reportFlags
	cmd := usage.Command(&cobra.Command{
		Use:   "report NAME...",
		Short: "Write a report on experiments in HTML, Markdown or LaTeX",
		Long: `Write a report about one or more experiments: the players' figures, the distribution of their
scores, how often each tile is reached, and each player against the first one game by game, all
with 95 % intervals.

html  one self-contained page with charts, in the light or dark scheme of the
      reader's system
md    tables in Markdown
tex   tables in LaTeX, with the rules of package booktabs`,
		Example: `afterstate arena report first -o report.html
afterstate arena report first second -o report.md`,
		Args: usage.Args(1, maxArgs, "names of experiments"),
	}, &f, runReport)
	f.out.Add(cmd.Flags(), "md, html or tex")
	return cmd
}

func runReport(cmd *cobra.Command, names []string, f *reportFlags) error {
	format, err := f.out.Choose([]string{"md", "html", "tex"})
	if err != nil {
		return err
	}
	s, err := f.store.Open(false)
	if err != nil {
		return err
	}
	defer s.Close()
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

// document returns the report on an experiment.
func (f *reportFlags) document(ctx context.Context, s *store.Store, name string) (*report.Document, error) {
	e, err := experiment.Lookup(ctx, s, name)
	if err != nil {
		return nil, flags.StoreError(err)
	}
	r, err := experiment.Results(ctx, s, e, nil)
	if err != nil {
		return nil, err
	}
	return report.Of(e, r), nil
}
