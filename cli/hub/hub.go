// Package hub implements the program afterstate-hub: a NATS server for experiments on several machines.
package hub

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/entry"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/machines/hub"
	"github.com/afterstate2048/afterstate/experiment/machines/launch"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/netaddr"
)

// Main runs the program and exits.
func Main() { entry.Main(run) }

func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return entry.Run(ctx, New(), args, in, out, errOut)
}

type flags struct {
	listen   string        `flag:"listen,l" default:"127.0.0.1:4222" help:"listen on <HOST:PORT>; port 0 is any free one"`
	folder   string        `flag:"folder" help:"<FOLDER> for certificate, token and messages (default: hub in $XDG_DATA_HOME/afterstate)"`
	names    []string      `flag:"host" help:"host <NAME> for the printed addresses (default: this machine's addresses)"`
	json     output.AsJSON `flag:"json" help:"print the addresses as JSON"`
	untilEOF bool          `flag:"until-eof" help:"end when stdin ends"`
}

// New returns the command afterstate-hub.
func New() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   launch.Program,
		Short: "Connect experiments with workers on other machines",
		Long: `Run a hub: a NATS server with JetStream, through which experiments on this machine hand
out games to workers on other machines. docs/machines.md describes how to use it.

For each address at which other machines can reach it, the hub prints the command to run there. The
address has a token and the SHA-256 of the hub's certificate. Whoever has it is trusted, as with
an SSH key. Experiments on this machine find the hub by --nats hub.

Certificate, token and messages are in the folder of --folder. Remove its file access.json to
make new ones, so that old addresses are no longer valid.`,
		Example: `afterstate-hub --listen 0.0.0.0:4222
afterstate-hub --listen 0.0.0.0:4222 --host hub.lab.example`,
		Args: usage.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, &f) },
	}
	usage.Flags(cmd.Flags(), &f)
	_ = cmd.Flags().MarkHidden("until-eof") // the flag is for programs that start a hub, not for people
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.SetHelpCommand(&cobra.Command{Hidden: true}) // no help command: a program without subcommands needs only --help
	return cmd
}

func serve(cmd *cobra.Command, f *flags) error {
	o := hub.Options{Address: f.listen, Folder: f.folder, Log: func(line string) { fmt.Fprintln(cmd.ErrOrStderr(), launch.Program+":", line) }}
	if o.Folder == "" {
		folder, err := launch.Folder()
		if err != nil {
			return usage.Errorf("no folder for the hub: %w; set XDG_DATA_HOME to a folder", err)
		}
		o.Folder = folder
	}
	h, err := hub.Start(o)
	if err != nil {
		return usage.Wrap(err)
	}
	defer h.Close()
	state := launch.State{URL: h.URL(""), URLs: urls(h, f.names), Folder: o.Folder}
	if err := state.Write(); err != nil {
		return err
	}
	if err := announce(cmd, &state, h.Addr().(*net.TCPAddr).IP.IsLoopback(), f.json); err != nil {
		return err
	}
	ctx := cmd.Context()
	if f.untilEOF {
		var end context.CancelFunc
		ctx, end = context.WithCancel(ctx)
		go func() {
			defer end()
			_, _ = io.Copy(io.Discard, cmd.InOrStdin())
		}()
	}
	<-ctx.Done()
	return nil
}

// urls returns the hub's URLs for other machines: one for each name or, if names is empty, one for
// each address of this machine.
func urls(h *hub.Hub, names []string) []string {
	if len(names) == 0 {
		names = each.Of(netaddr.Addresses(h.Addr().(*net.TCPAddr).IP), netip.Addr.String)
	}
	if len(names) == 0 {
		names = []string{""} // only this machine can reach the hub
	}
	return each.Of(names, h.URL)
}

// announce prints the commands to run on other machines. alone is set if only this machine can reach
// the hub.
func announce(cmd *cobra.Command, s *launch.State, alone bool, asJSON output.AsJSON) error {
	out := cmd.OutOrStdout()
	if asJSON {
		return output.JSON(out, s)
	}
	if alone {
		fmt.Fprintln(cmd.ErrOrStderr(), "only this machine can reach the hub; --listen 0.0.0.0:4222 lets others in. For a worker on this machine, run:")
	} else {
		fmt.Fprintln(cmd.ErrOrStderr(), "on each machine that is to play, run one of these commands. Choose an address that the machine can reach:")
	}
	for _, url := range s.URLs {
		if _, err := fmt.Fprintf(out, "afterstate worker '%s'\n", url); err != nil {
			return err
		}
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "on this machine, for example: afterstate arena run first snake greedy --nats hub\nCtrl-C ends the hub")
	return nil
}
