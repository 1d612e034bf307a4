package cli

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/hubflags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/internal/qrcode"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve"
	"github.com/afterstate2048/afterstate/serve/session"
)

// serveFlags are the flags of the command serve. The default port is fixed because browsers store games by
// address.
type serveFlags struct {
	listen   string        `flag:"listen,l" default:"127.0.0.1:2048" help:"listen on <ADDRESS:PORT>; port 0 is any free one"`
	hosts    []string      `flag:"host" help:"host <NAME> to accept besides localhost and IP addresses"`
	token    string        `flag:"token" help:"<TOKEN> that every client needs (default: a random one if other machines can connect)"`
	toAll    bool          `flag:"open-to-all" help:"require no token from other machines"`
	player   string        `flag:"player,p" default:"auto" help:"default player <SPEC>"`
	noOpen   bool          `flag:"no-open" help:"do not open the page in a browser"`
	time     time.Duration `flag:"search-time" default:"10s" range:"1ms:1h" help:"time limit of one search"`
	solve    bool          `flag:"solve" default:"true" help:"let clients solve 2x4 and 3x3, on all cores; results are cached"`
	store    flags.Store
	machines hubflags.Flags
}

func newServe() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "serve",
		Short: "Serve the page, and the protocol for programs",
		Long: `Serve the page: play, learn, review games, find the best move, watch players, follow
experiments and training. Programs find the protocol of afterstate rpc there too,
over HTTP and WebSocket; docs/api.md describes it.

The address is printed on stdout. On a terminal, the page opens in your browser if there is a
desktop; --no-open prevents that. Ctrl-C stops the server. Browsers keep their games and
resume them when the server is back.

By default only this machine can connect; --listen changes that. Then stdout also has a line
with the address of each interface that other devices can reach, and a terminal shows a QR code
of the first of these. All addresses, also the one for this machine, carry a random token: a
browser keeps it as a cookie, programs send it as Authorization: Bearer TOKEN, and requests
without it get 401. --token sets one that stays the same; --open-to-all turns the token off.

Clients can use this machine's processors, but cannot start or connect to programs, or read files. They can
use the player of --player, which may be a program.

With --nats or --workers-at, workers on other machines play the experiments that the page starts
(see worker).`,
		Example: `afterstate serve
afterstate serve --listen 0.0.0.0:2048
afterstate serve --listen 0.0.0.0:2048 --host games.example --token "$TOKEN"`,
		Args: usage.Args(0, 0, "no arguments"),
	}, &serveFlags{}, func(cmd *cobra.Command, _ []string, f *serveFlags) error { return runServe(cmd, f, false) })
}

// serveBare runs when the program is started without a command.
func serveBare(cmd *cobra.Command) error {
	var f serveFlags
	usage.Flags(new(pflag.FlagSet), &f) // sets the defaults
	return runServe(cmd, &f, true)
}

// runServe serves until the context ends. bare is true if the program was started without a command, perhaps by
// a double click. Then runServe takes another port if the port is in use, and opens the page even if there is
// no terminal.
func runServe(cmd *cobra.Command, f *serveFlags, bare bool) error {
	// Write the log to the command's stderr, which escapes control characters: the log may contain text from clients.
	defer log.SetOutput(log.Writer())
	log.SetOutput(cmd.ErrOrStderr())
	maker, err := program.Player(f.player)
	if err != nil {
		return usage.Wrap(fmt.Errorf("--player: %w", err))
	}
	folder, _ := runs.Default() // without a home folder there are no runs
	capabilities := catalog.Capabilities{Networks: program.RunNetworks.Find}
	connection, err := f.machines.Open(cmd)
	if err != nil {
		return err
	}
	defer connection.Close()
	experiments := serve.NewRunner(experiment.RunnerOptions{
		Config:   experiment.Config{Identity: program.Identity, Capabilities: capabilities, Program: program.Self()},
		Open:     f.store.OpenIfExists,
		Workers:  max(1, runtime.GOMAXPROCS(0)/2),
		Machines: func() *experiment.Machines { return connection.Machines() },
	})
	defer experiments.Close()
	listener, err := f.bind(cmd, bare)
	if err != nil {
		return err
	}
	defer listener.Close()
	token, err := f.accessToken(listener.Addr())
	if err != nil {
		return err
	}
	server, err := serve.New(serve.Options{
		Options: session.Options{Name: "afterstate", Version: version.Version, Player: maker, Capabilities: capabilities, SearchTime: f.time, Solve: f.solve},
		Hosts:   f.hosts, Token: token,
		Runs: folder.Path, Train: !serve.BeyondLoopback(listener.Addr()), Runner: experiments,
	})
	if err != nil {
		return usage.Wrap(fmt.Errorf("--player: %w", err))
	}
	address := f.announce(cmd, listener.Addr(), token)
	if !f.noOpen && (bare || output.IsTerminal(cmd.InOrStdin()) && output.IsTerminal(cmd.OutOrStdout())) {
		_ = openURL(address) // the address is printed anyway
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "afterstate: serving; Ctrl-C ends")
	go serve.Warm(cmd.Context(), maker, f.time)
	return server.Serve(cmd.Context(), listener)
}

// bind listens on the address given by --listen. If that address is not available and anyPort is set, it takes
// a free port on 127.0.0.1.
func (f *serveFlags) bind(cmd *cobra.Command, anyPort bool) (net.Listener, error) {
	listener, err := net.Listen("tcp", f.listen)
	if err != nil && anyPort {
		fmt.Fprintf(cmd.ErrOrStderr(), "afterstate: cannot listen on %s; using a free port instead. Games stored in the browser under the usual address are not shown\n", f.listen)
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, usage.Errorf("--listen %s: %w; must be a free ADDRESS:PORT such as 127.0.0.1:0", f.listen, serve.ListenCause(err))
	}
	return listener, nil
}

// accessToken returns the token that clients need: the one given by --token, or else a random one if the server
// listens beyond loopback. It returns an empty token if clients need none.
func (f *serveFlags) accessToken(at net.Addr) (string, error) {
	switch {
	case f.token != "" && f.toAll:
		return "", usage.Errorf("--token and --open-to-all exclude each other")
	case f.token == "" && (f.toAll || !serve.BeyondLoopback(at)):
		return "", nil
	case f.token == "":
		return serve.NewToken(), nil
	}
	if err := serve.CheckToken(f.token); err != nil {
		return "", usage.Errorf("--token: %w", err)
	}
	return f.token, nil
}

// announce prints the addresses of the page and a QR code for the first address for other devices.
// It returns the address for this machine.
func (f *serveFlags) announce(cmd *cobra.Command, at net.Addr, token string) string {
	own, others := serve.Addresses(at)
	all := others
	if !slices.Contains(others, own) {
		all = append([]string{own}, others...)
	}
	for _, url := range all {
		fmt.Fprintln(cmd.OutOrStdout(), serve.WithToken(url, token))
	}
	own = serve.WithToken(own, token)
	errOut := cmd.ErrOrStderr()
	switch {
	case !serve.BeyondLoopback(at):
		return own
	case token == "":
		fmt.Fprintln(errOut, "afterstate: anyone who can reach this machine can use the page without a token")
	case len(others) == 0:
		fmt.Fprintf(errOut, "afterstate: no other device can reach this machine now; the addresses for them will end in %s\n", serve.WithToken("/", token))
	case f.token == "":
		fmt.Fprintln(errOut, "afterstate: the token in these addresses is new at each start; --token sets a lasting one")
	}
	if len(others) > 0 {
		drawQR(cmd, serve.WithToken(others[0], token))
	}
	return own
}

// drawQR shows a QR code on stderr or stdout if one of them is a terminal with room for it.
func drawQR(cmd *cobra.Command, url string) {
	for _, stream := range []io.Writer{cmd.ErrOrStderr(), cmd.OutOrStdout()} {
		if !output.PlacesText(stream) {
			continue
		}
		file, _ := output.FileOf(stream) // bypass the command's stream, which escapes control characters
		columns, _ := output.TerminalWidth(stream)
		if lines, width, err := qrcode.Draw(url); err == nil && width <= columns {
			fmt.Fprintln(file, strings.Join(lines, "\n"))
		}
		return
	}
}

type rpcFlags struct {
	player string `flag:"player,p" default:"auto" help:"player <SPEC> that answers; see afterstate players"`
}

func newRpc() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "rpc",
		Short: "Serve the JSON-RPC protocol on stdin and stdout",
		Long: `Answer JSON-RPC 2.0 requests, one message per line, from stdin to stdout until the
method bye or the end of stdin. Methods: hello, players.list, rules.inspect,
analyze, best_move, explain, solve, bye; docs/protocol.md describes them.

A program that answers these requests can also be a player of Afterstate:
afterstate arena 'exec(cmd="python3 bot.py")' greedy

Requests may name other players, except those that start or connect to programs, or read files.`,
		Example: `echo '{"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":[[2,2],[0,4]]}}' | afterstate rpc
afterstate arena 'exec(cmd="afterstate rpc --player greedy")' greedy --games 10`,
		Args: usage.Args(0, 0, "no arguments"),
	}, &rpcFlags{}, runRpc)
}

func runRpc(cmd *cobra.Command, _ []string, f *rpcFlags) error {
	maker, err := program.Player(f.player)
	if err != nil {
		return usage.Wrap(err)
	}
	answering, err := session.New(session.Options{Name: "afterstate", Version: version.Version, Player: maker, PrepareOnHello: true, Solve: true})
	if err != nil {
		return usage.Wrap(err)
	}
	defer answering.Close()
	ctx := cmd.Context()
	done := make(chan error, 1)
	go func() { done <- protocol.Serve(ctx, answering, cmd.InOrStdin(), cmd.OutOrStdout()) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done(): // do not wait for Serve, whose read of stdin may block forever
		return ctx.Err()
	}
}

// openURL opens a URL in the default browser. It fails if nobody would see the page: without a desktop, over SSH
// without a display, or in a CI job.
func openURL(address string) error {
	var cmd *exec.Cmd
	window := os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
	switch {
	case os.Getenv("CI") != "", !window && (os.Getenv("SSH_CONNECTION") != "" || os.Getenv("SSH_TTY") != ""):
		return errors.New("nobody is at this machine")
	case runtime.GOOS == "darwin":
		cmd = exec.Command("open", address)
	case runtime.GOOS == "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	case window:
		cmd = exec.Command("xdg-open", address)
	default:
		return errors.New("no desktop")
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // the exit status is not meaningful
	return nil
}
