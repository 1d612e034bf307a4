// Package program opens what users name on the command line: players, models, training runs and files of games. It
// also identifies this program in experiments.
package program

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/bench"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/player/bot/remote"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// Self returns the identity of this program in experiments. Its signature is computed on first use.
var Self = sync.OnceValue(func() experiment.Program {
	return experiment.ThisProgram(bench.LocalSignature)
})

// networks finds the networks that the key model names in specs on the command line. A model that
// cannot be loaded is reported as bad input.
var networks = models.Library{Run: Checkpoint, Files: true, Load: func(path string) (*ntuple.Network, error) {
	n, err := models.OpenInt16(path)
	return n, usage.Wrap(err)
}}

// RunNetworks finds the networks for untrusted specs, which may name training runs but not files.
var RunNetworks = models.Library{Run: Checkpoint}

// OpenModel opens the model called name, a file or a training run, and also returns the path of its file. It
// fails if that file is one of the outputs.
func OpenModel(name string, outputs ...string) (path string, m *models.Model, err error) {
	if path, err = models.Locate(name, Checkpoint); err == nil {
		err = output.Distinct(append([]string{path}, outputs...)...)
	}
	if err == nil {
		m, err = models.Open(path)
	}
	return path, m, usage.Wrap(err)
}

// Checkpoint returns the path of a training run's network.
func Checkpoint(run string) (string, error) {
	folder, err := runs.Default()
	if err != nil {
		return "", RunError(err)
	}
	path, err := folder.Checkpoint(run)
	return path, RunError(err)
}

// Capabilities says what player specs on the command line may use.
var Capabilities = catalog.Capabilities{
	ReadFile: catalog.ReadFile, Networks: networks.Find, Exec: true, Connect: remote.Connect, Trusted: true,
}

// Identity returns the identity of the player that spec describes. Files are identified by their
// contents.
func Identity(spec string) (string, error) { return experiment.Identity(spec, Checkpoint) }

// Player parses the spec of a player on the command line.
func Player(spec string) (catalog.Maker, error) { return catalog.Parse(spec, Capabilities) }

// RunError turns the input errors of package runs into usage errors, with a hint about the flags to
// use.
func RunError(err error) error {
	var input *runs.InputError
	if !errors.As(err, &input) {
		return err
	}
	var refused *option.Error
	var missing *runs.NotFoundError
	var space *memory.Error
	var exists *runs.ExistsError
	hint := ""
	switch {
	case errors.As(err, &refused):
		text := refused.AsFlag().Error()
		if refused.Option == "optimistic_init" {
			text += "; give only one of --optimistic-init and --from"
		}
		return usage.Wrap(errors.New(text))
	case errors.As(err, &missing):
		hint = ": there are none"
		if len(missing.Others) > 0 {
			hint = ": " + usage.Suggest(missing.Name, missing.Others)
		}
	case errors.As(err, &space) && space.Folder == "":
		hint = "; use a smaller network, fewer stages or --coherent=false"
	case errors.As(err, &space):
		hint = "; set XDG_DATA_HOME to a folder with more space"
	case errors.Is(err, runs.ErrNoFolder):
		hint = "; set XDG_DATA_HOME to a folder"
	case errors.As(err, &exists):
		hint = fmt.Sprintf(": resume it with --resume %s, or choose another --name", exists.Name)
	case errors.Is(err, runs.ErrForeign):
		hint = ": choose another --name, or move that folder"
	case errors.Is(err, runs.ErrLocked):
		hint = ": wait until it ends, or stop it with Ctrl-C"
	}
	if hint == "" {
		return usage.Wrap(err)
	}
	return usage.Wrap(fmt.Errorf("%w%s", err, hint))
}

// Format returns the format with the given name, or nil if name is empty. flag is the flag that name was given with,
// such as --to; errors begin with it.
func Format(flag, name string) (*formats.Format, error) {
	f := formats.Named(name)
	if f == nil && name != "" {
		all := "must be " + strings.Join(formats.Names(), ", ")
		if hint := usage.Suggest(name, formats.Names()); hint != all {
			all += "; " + hint
		}
		return nil, usage.Errorf("%s %q: %s", flag, name, all)
	}
	return f, nil
}

// FormatHelp returns the help text about formats, with a line for each.
func FormatHelp() string {
	var out strings.Builder
	for _, f := range formats.All() {
		fmt.Fprintf(&out, "%-14s %s\n", f.Name, f.Summary)
	}
	return out.String()
}

// ReadGames yields the games in a file, or from stdin if path is "-". An error names the file and ends the
// sequence. If format is nil, the format is detected from the content.
func ReadGames(cmd *cobra.Command, path string, format *formats.Format) iter.Seq2[*formats.AnnotatedRecord, error] {
	return func(yield func(*formats.AnnotatedRecord, error) bool) {
		in, name := cmd.InOrStdin(), "stdin"
		if path != "-" {
			file, err := inputfile.Open(path)
			if err != nil {
				yield(nil, usage.Wrap(err))
				return
			}
			defer file.Close()
			in, name = io.Reader(file), path
		}
		for g, err := range formats.Read(in, format) {
			if err == nil {
				err = cmd.Context().Err()
			} else {
				err = usage.Errorf("%s: %w", name, err)
			}
			if !yield(g, err) || err != nil {
				return
			}
		}
	}
}

// WarnLosses prints to stderr what a conversion did not read (lost) and what the format cannot hold (dropped).
func WarnLosses(cmd *cobra.Command, format string, dropped, lost []string) {
	if len(lost) > 0 {
		cmd.PrintErrf("not read: %s\n", strings.Join(lost, ", "))
	}
	if len(dropped) > 0 {
		cmd.PrintErrf("%s cannot hold: %s\n", format, strings.Join(dropped, ", "))
	}
}
