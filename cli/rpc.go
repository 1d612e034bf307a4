package cli

import (
	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

func newRpc() *cobra.Command {
	var spec string
	cmd := &cobra.Command{
		Use:   "rpc",
		Short: "Serve the JSON-RPC protocol on stdin and stdout",
		Long: `Answer JSON-RPC 2.0 requests, one message per line, from stdin to stdout until the
method bye or the end of stdin. Methods: hello, players.list, rules.inspect,
analyze, best_move, odds, solve, bye; docs/protocol.md describes them.

A program that answers these requests can also be a player of Afterstate:
afterstate arena 'exec(cmd="python3 bot.py")' greedy

Requests may name other players, except players that start programs or read files.`,
		Example: `echo '{"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":[[2,2],[0,4]]}}' | afterstate rpc
afterstate arena 'exec(cmd="afterstate rpc --player greedy")' greedy --games 10`,
		Args: usage.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return runRpc(cmd, spec) },
	}
	cmd.Flags().StringVarP(&spec, "player", "p", "auto", "player `SPEC` that answers; see afterstate players")
	return cmd
}

func runRpc(cmd *cobra.Command, spec string) error {
	maker, err := program.Player(spec)
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
	case <-ctx.Done(): // a read of stdin may block forever
		return ctx.Err()
	}
}
