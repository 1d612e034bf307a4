// Package hubflags provides the flags with which commands let workers on other machines play, and resolves the
// addresses of NATS servers.
package hubflags

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/experiment/machines/launch"
)

// urlVariable is the environment variable for the server's URL. The URL contains a secret, which other users could
// read on a command line.
const urlVariable = "AFTERSTATE_NATS"

// Options returns the options to connect to the server at an address: a URL, @FILE for a file that contains the
// URL, or "hub" for the hub on this machine. If address is empty, the environment variable AFTERSTATE_NATS
// provides it.
func Options(address string) (o machines.Options, err error) {
	address = cmp.Or(address, os.Getenv(urlVariable))
	if file, isFile := strings.CutPrefix(address, "@"); isFile {
		data, err := os.ReadFile(file)
		if err != nil {
			return o, usage.Wrap(err)
		}
		address = strings.TrimSpace(string(data))
	}
	switch address {
	case "":
		return o, usage.Errorf("no NATS server: give its URL, such as nats://TOKEN@HOST:4222?cert=SHA256, @FILE with the URL, or hub for the hub of this machine")
	case "hub":
		if address, err = launch.URL(); err != nil {
			return o, usage.Wrap(err)
		}
	}
	if o, err = machines.ParseURL(address); err != nil {
		return o, usage.Errorf("NATS server: %w", err)
	}
	return o, nil
}

// Patience is the time after which most commands give up if a server does not answer.
const Patience = 20 * time.Second

// Connect connects to the server that o describes, and gives up after patience. If patience is zero, it tries until
// ctx ends, and reports to onState after 3 s without an answer. onState is also called when the connection is lost or
// restored; see machines.Options.
func Connect(ctx context.Context, o machines.Options, patience time.Duration, onState func(err error)) (*machines.Client, error) {
	o.OnState = onState
	first := ctx
	if patience > 0 {
		var cancel func()
		first, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	} else {
		defer time.AfterFunc(3*time.Second, func() { onState(errors.New("no answer")) }).Stop()
	}
	c, err := machines.Connect(first, o)
	if err != nil && ctx.Err() == nil && errors.Is(err, machines.ErrRefused) {
		err = usage.Wrap(err)
	}
	return c, err
}

// Flags are the --nats and --workers-at flags, shared by commands whose games may be played on other machines.
type Flags struct {
	nats      string `flag:"nats" help:"let the workers of a NATS server play too: its <URL>, @FILE with the URL, or hub: the hub on this machine"`
	workersAt string `flag:"workers-at" help:"start a hub at <HOST:PORT> while the command runs, and let workers that connect to it play too"`
}

// Given reports whether --nats or --workers-at is given. Only then may workers on other machines play.
func (f *Flags) Given() bool { return f.nats != "" || f.workersAt != "" }

// CheckWorkers checks the value of --workers, which may be 0 only if workers on other machines may play.
func (f *Flags) CheckWorkers(workers int) error {
	if workers == 0 && !f.Given() {
		return usage.Errorf("--workers 0: must be from 1 to 4096 without --nats and --workers-at")
	}
	return nil
}

// Connection is a connection to a NATS server. The caller closes it.
type Connection struct {
	*machines.Client
	Address string // address of the server, without secrets
	hub     *launch.Hub
	print   atomic.Pointer[func(text string)]
}

// SayBy makes messages go to print instead of stderr, for commands that draw on the terminal.
func (c *Connection) SayBy(print func(text string)) {
	if c != nil {
		c.print.Store(&print)
	}
}

func (c *Connection) say(format string, args ...any) {
	(*c.print.Load())(fmt.Sprintf(format, args...))
}

// Close ends the connection, and stops the hub that Open started for --workers-at.
func (c *Connection) Close() {
	if c == nil {
		return
	}
	c.SayBy(func(string) {}) // do not report that the connection has ended
	c.Client.Close()
	if c.hub != nil {
		c.hub.Close()
	}
}

// Open connects to the server given by --nats. With --workers-at it starts a hub and connects to it. Without
// these flags it returns nil. Messages go to the command's stderr until SayBy is called.
func (f *Flags) Open(cmd *cobra.Command) (*Connection, error) {
	if !f.Given() {
		return nil, nil
	}
	if f.nats != "" && f.workersAt != "" {
		return nil, usage.Errorf("--nats and --workers-at exclude each other: --workers-at starts a hub, --nats uses a running server")
	}
	c := new(Connection)
	c.SayBy(func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) })
	address := f.nats
	if f.workersAt != "" {
		var err error
		if c.hub, err = launch.Start(cmd.Context(), f.workersAt, cmd.ErrOrStderr()); err != nil {
			return nil, usage.Wrap(fmt.Errorf("--workers-at: %w", err))
		}
		address = c.hub.URL
		fmt.Fprintln(cmd.ErrOrStderr(), "to let another machine play, run there:")
		for _, url := range c.hub.URLs {
			fmt.Fprintf(cmd.ErrOrStderr(), "  afterstate worker '%s'\n", url)
		}
	}
	o, err := Options(address)
	if err == nil {
		c.Address = o.URL
		o.OnNotice = func(text string) { c.say("%s", text) }
		c.Client, err = Connect(cmd.Context(), o, Patience, func(err error) {
			if err != nil {
				c.say("no connection to %s (%v); trying again", o.URL, err)
			} else {
				c.say("connected to %s", o.URL)
			}
		})
	}
	if err != nil {
		if c.hub != nil {
			c.hub.Close()
		}
		return nil, err
	}
	return c, nil
}

// Machines returns the option of package experiment that lets workers play over this connection, or nil if c is nil.
func (c *Connection) Machines() *experiment.Machines {
	if c == nil {
		return nil
	}
	return &experiment.Machines{
		Hub: c.Client, Address: c.Address,
		Say:   func(text string) { c.say("%s", text) },
		Files: func(spec string) (map[string]string, error) { return experiment.Files(spec, program.Checkpoint) },
	}
}
