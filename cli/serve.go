package cli

import (
	"fmt"
	"log"
	"net"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"afterstate/arena/store"
	"afterstate/cli/internal/flags"
	"afterstate/cli/internal/program"
	"afterstate/cli/internal/usage"
	"afterstate/experiment"
	"afterstate/internal/browser"
	"afterstate/player/catalog"
	"afterstate/runs"
	"afterstate/serve"
)

// defaultAddress is the default of --listen. It is fixed because browsers store games by address.
const defaultAddress = "127.0.0.1:2048"

type serveFlags struct {
	listen string
	hosts  []string
	player string
	open   bool
	time   time.Duration
	store  flags.Store
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Play, watch and ask in a browser",
		Long: `Serve the page: play, watch players, ask for the best move, review games, follow
experiments and training. Programs find the protocol of afterstate rpc there too,
over HTTP and WebSocket; docs/api.md describes it.

The address is printed on stdout. Ctrl-C stops the server. Browsers keep their games and
resume them when the server is back.

By default only this machine can connect; --listen changes that. There is no login:
clients can use this machine's processors, but cannot start programs or read files.`,
		Example: `afterstate serve --open
afterstate serve --listen 0.0.0.0:2048 --host games.example`,
		Args: usage.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd, &f, false) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.listen, "listen", "l", defaultAddress, "`ADDRESS:PORT` to listen on; port 0 is any free one")
	flags.StringSliceVar(&f.hosts, "host", nil, "host `NAME` to accept besides localhost and IP addresses")
	flags.StringVarP(&f.player, "player", "p", "auto", "default player `SPEC`")
	flags.DurationVar(&f.time, "search-time", 10*time.Second, "time limit of one search")
	f.store.Add(flags)
	flags.BoolVar(&f.open, "open", false, "open the page in a browser")
	return cmd
}

// serveBare runs when the program is started without a command.
func serveBare(cmd *cobra.Command) error {
	return runServe(cmd, &serveFlags{listen: defaultAddress, player: "auto", open: true, time: 10 * time.Second}, true)
}

// runServe serves until the context ends. If the port is in use, anyPort permits another one.
func runServe(cmd *cobra.Command, f *serveFlags, anyPort bool) error {
	if f.time < time.Millisecond || f.time > time.Hour {
		return usage.Errorf("--search-time %v: want 1ms to 1h", f.time)
	}
	// The server's log may contain text of clients. This stream escapes control characters.
	defer log.SetOutput(log.Writer())
	log.SetOutput(cmd.ErrOrStderr())
	maker, err := catalog.Parse(f.player, program.Capabilities)
	if err != nil {
		return usage.Wrap(fmt.Errorf("--player: %w", err))
	}
	folder, _ := runs.Default() // without a home folder there are no runs
	abroad := catalog.Capabilities{Networks: &program.RunNetworks}
	experiments := serve.NewRunner(experiment.RunnerOptions{
		Config:  experiment.Config{Identity: program.Identity, Capabilities: abroad, Program: program.This()},
		Open:    func(create bool) (*store.Store, error) { return f.store.OpenIfThere(cmd, create) },
		Workers: max(1, runtime.GOMAXPROCS(0)/2),
	})
	defer experiments.Close()
	server, err := serve.New(serve.Options{
		Name: "afterstate", Version: program.Version, Player: maker, Hosts: f.hosts, SearchTime: f.time, Runs: folder.Path,
		Capabilities: abroad, Experiments: experiments,
	})
	if err != nil {
		return usage.Wrap(fmt.Errorf("--player: %w", err))
	}
	listener, err := net.Listen("tcp", f.listen)
	if err != nil && anyPort {
		fmt.Fprintf(cmd.ErrOrStderr(), "afterstate: %s is taken, so games kept in the browser for it do not show here\n", f.listen)
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return usage.Errorf("--listen %s: %w; want ADDRESS:PORT that is free, such as 127.0.0.1:0", f.listen, serve.ListenCause(err))
	}
	address := serve.PageAddress(listener.Addr())
	fmt.Fprintln(cmd.OutOrStdout(), address)
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		fmt.Fprintln(cmd.ErrOrStderr(), "afterstate: others can reach this address, and there is no login")
	}
	if f.open && browser.Open(address) != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "afterstate: open the address in a browser; Ctrl-C ends")
	} else {
		fmt.Fprintln(cmd.ErrOrStderr(), "afterstate: serving; Ctrl-C ends")
	}
	go serve.Warm(cmd.Context(), maker, f.time)
	return server.Serve(cmd.Context(), listener)
}
