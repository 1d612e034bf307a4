package program

import (
	"errors"
	"fmt"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// RunError adds to an error of package runs the flags that help, and marks bad input.
func RunError(err error) error {
	var input *runs.InputError
	if !errors.As(err, &input) {
		return err
	}
	var option *learn.OptionError
	var missing *runs.NotFoundError
	var space *runs.SpaceError
	var exists *runs.ExistsError
	hint := ""
	switch {
	case errors.As(err, &option):
		text := option.Text("--")
		if option.Option == "optimistic-init" {
			text += "; want one of --optimistic-init and --from"
		}
		return usage.Wrap(errors.New(text))
	case errors.As(err, &missing):
		hint = ": there are none"
		if len(missing.Others) > 0 {
			hint = ": " + usage.Suggest(missing.Name, missing.Others)
		}
	case errors.As(err, &space) && space.Folder == "":
		hint = "; want a smaller network, fewer stages or --coherent=false"
	case errors.As(err, &space):
		hint = "; set XDG_DATA_HOME to a folder with more"
	case errors.Is(err, runs.ErrNoFolder):
		hint = "; set XDG_DATA_HOME to a folder"
	case errors.As(err, &exists):
		hint = fmt.Sprintf(": resume it with --resume %s, or choose another --name", exists.Name)
	case errors.Is(err, runs.ErrForeign):
		hint = ": choose another --name, or move it away"
	case errors.Is(err, runs.ErrLocked):
		hint = ": wait for it, or stop it with Ctrl-C"
	}
	if hint == "" {
		return usage.Wrap(err)
	}
	return usage.Wrap(fmt.Errorf("%w%s", err, hint))
}
