package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/exchange/drive"
	"github.com/afterstate2048/afterstate/exchange/drive/cdp"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/serve/session"
)

type driveFlags struct {
	attach   string        `flag:"attach" help:"use the browser with a DevTools port at <HOST:PORT>"`
	browser  string        `flag:"browser" help:"<PATH> of the browser to start (default: the first one found)"`
	flags    []string      // additional command line flags for the browser that drive starts
	headless bool          `flag:"headless" help:"start the browser without a window"`
	player   string        `flag:"player,p" default:"auto" help:"player <SPEC>; see afterstate players"`
	time     time.Duration `flag:"time" default:"10s" range:"1ms:1h" help:"time limit of one decision"`
	advise   bool          `flag:"advise" help:"show the recommended moves on the page, and press nothing"`
	level    string        `flag:"level" help:"<LEVEL> that grades the moves of --advise, as for play (default: the third level)"`
	speed    float64       `flag:"speed" range:"0:1000000" help:"maximum number of moves a second; 0: as fast as the page shows them"`
	until    int64         `flag:"until" range:"tile:2:2^48" help:"stop as soon as this tile is reached"`
	moves    bool          `flag:"moves" help:"print every move"`
	record   string        `flag:"record,o" help:"write the game to a <FILE>"`
}

func newDrive() *cobra.Command {
	var f driveFlags
	cmd := usage.Command(&cobra.Command{
		Use:   "drive URL",
		Short: "Play on a page of another site, in a browser",
		Long: `Play 2048 on a page of another site: drive reads the board from the page, asks a player,
presses keys, and checks that the rules allow each new board. If they do not, it stops and says
what it expected and saw.

It starts a browser of the Chromium family with an empty profile. With --attach it uses a
running browser with a DevTools port, and the tab that shows the URL, if there is one. It can do
there whatever you can.

drive works on the original page, and on descendants that name their elements and saved game in the
same way; see docs/drive.md. drive stops if you also press keys.

With --advise it presses nothing: the page shows the recommended move, you make that move or
another, and the page shows the next recommendation, until you close the page or press Ctrl-C.

stdout has a line for each new largest tile (--moves: for each move); the last line is one
JSON object (on a terminal a sentence): player, size, score, max_tile, moves, over. --record
writes the game as a JSON record, also after an error.`,
		Example: `afterstate drive https://play.example/2048/ --until 2048
afterstate drive https://play.example/2048/ --advise
afterstate drive https://play.example/2048/ --player snake --speed 5 -o game.json
afterstate drive https://play.example/2048/ --attach 127.0.0.1:9222`,
		Args: usage.Args(1, 1, "the URL of a page"),
	}, &f, runDrive)
	cmd.Flags().StringArrayVar(&f.flags, "browser-flag", nil, "extra `FLAG` for the browser to start, such as --no-sandbox")
	return cmd
}

func runDrive(cmd *cobra.Command, args []string, f *driveFlags) error {
	if _, err := drive.CheckAddress(args[0]); err != nil {
		return usage.Wrap(err)
	}
	if err := f.check(cmd.Flags().Changed("speed")); err != nil {
		return err
	}
	var dialog func(kind, text string)
	if !f.advise {
		dialog = func(kind, text string) {
			fmt.Fprintf(cmd.ErrOrStderr(), "afterstate: closed the page's %s %s\n", kind, text)
		}
	}
	maker, err := playerOfBoards(f.player)
	if err != nil {
		return usage.Errorf("--player: %w", err)
	}
	file, err := output.Create(f.record)
	if err != nil {
		return err
	}
	defer file.Discard()
	announceLoading(cmd)
	ctx, stop := output.UntilStopped(cmd)
	defer stop()
	browser, process, err := f.open(ctx)
	if err != nil {
		return err
	}
	if process != nil {
		defer process.Close()
	}
	page, err := drive.Open(ctx, browser, args[0], dialog)
	if err != nil {
		return err
	}
	defer page.Close()
	if page.Unsaved {
		fmt.Fprintln(cmd.ErrOrStderr(), "afterstate: the page shows another game than it saved; the saved one is ignored")
	}
	if f.advise {
		first := page.First().Board
		level, err := grader(f.level, &first)
		if err != nil {
			return err
		}
		maker = catalog.AtLevel(maker, level)
	}
	d := driving{driveFlags: f, cmd: cmd, maker: maker, page: page}
	err = errors.Join(d.run(ctx), d.keep(file))
	if err == nil && process != nil && !f.headless && !f.advise && output.IsTerminal(cmd.OutOrStdout()) {
		fmt.Fprintln(cmd.ErrOrStderr(), "afterstate: the window stays open; close it or press Ctrl-C to end")
		select {
		case <-page.Lost():
		case <-process.Exited():
		case <-ctx.Done():
		}
	}
	return err
}

// check returns an error if flags contradict each other. speed is true if --speed was given.
func (f *driveFlags) check(speed bool) error {
	started := f.browser != "" || f.headless || len(f.flags) > 0
	switch {
	case f.attach != "" && started:
		return usage.Errorf("--attach uses a running browser: it cannot be combined with --browser, --browser-flag or --headless")
	case f.advise && speed:
		return usage.Errorf("--advise presses no keys: it cannot be combined with --speed")
	case f.level != "" && !f.advise:
		return usage.Errorf("--level grades the moves that --advise shows: it cannot be used without --advise")
	case f.advise && f.headless:
		return usage.Errorf("--advise shows moves in a visible window: it cannot be combined with --headless")
	}
	return nil
}

// open returns the browser given by --attach, with a nil process, or starts a browser.
func (f *driveFlags) open(ctx context.Context) (*cdp.Browser, *cdp.Process, error) {
	if f.attach != "" {
		b, err := cdp.At(f.attach)
		if err != nil {
			return nil, nil, usage.Errorf("--attach %w", err)
		}
		return b, nil, nil
	}
	p, err := cdp.Launch(ctx, cdp.LaunchOptions{Path: f.browser, Headless: f.headless, Flags: f.flags})
	switch {
	case errors.Is(err, cdp.ErrNoBrowser):
		return nil, nil, usage.Errorf("%w: install Chromium, or name a browser with --browser PATH", err)
	case errors.Is(err, cdp.ErrPath):
		return nil, nil, usage.Errorf("--browser %w", err)
	case errors.Is(err, context.Canceled):
		return nil, nil, err
	case err != nil:
		return nil, nil, fmt.Errorf("%w; a browser that runs as root needs --browser-flag=--no-sandbox, and one without a display --headless", err)
	}
	return p.Browser, p, nil
}

// driving is one run of the command drive.
type driving struct {
	*driveFlags
	cmd     *cobra.Command
	maker   catalog.Maker
	page    *drive.Page
	session *drive.Session
	lines   lines
}

// playerName returns the player's name for records and for the result.
func (d *driving) playerName() string {
	if d.advise {
		return "human"
	}
	return d.maker.Spec
}

// run plays or advises until the game is over, the page is closed or ctx ends, and prints the
// result.
func (d *driving) run(ctx context.Context) error {
	p := session.LimitTime(d.maker.New(), d.time)
	defer player.Close(p)
	d.lines = lines{out: d.cmd.OutOrStdout(), eachMove: d.moves}
	d.session = drive.NewSession(d.page, p, d.playerName(), uint64(rand.Uint32()), drive.Options{
		Until: d.until, Speed: d.speed, Advise: d.advise, Report: d.report,
	})
	end, err := d.session.Run(ctx)
	if d.advise && (errors.Is(err, cdp.ErrTabClosed) || errors.Is(err, context.Canceled)) {
		err = nil // with --advise, a closed tab and Ctrl-C are normal ends
	}
	g := d.session.Game()
	if g == nil {
		return err
	}
	r := ending{Player: d.playerName(), endedBy: "stopped"}
	switch {
	case err != nil:
	case end == drive.GameOver && g.Over():
		r.endedBy = "game over"
	case end == drive.Reached:
		r.endedBy = "reached"
	}
	return errors.Join(err, r.print(d.cmd.OutOrStdout(), g))
}

// report prints a message about an event, if the user needs one, and the progress of the game.
func (d *driving) report(e drive.Event) {
	note := ""
	switch e.Kind {
	case drive.Began:
		d.lines.largest = 0
	case drive.Continued:
		note = "won; the game continues"
	case drive.Undone:
		note = fmt.Sprintf("the page went back %d moves", e.Moves)
	}
	if note != "" {
		fmt.Fprintln(d.cmd.ErrOrStderr(), "afterstate:", note)
	}
	// ignored: if stdout fails, so does the write of the result in run, which returns the error
	_ = d.lines.show(d.session.Game())
}

// keep writes the records, even after an error. It writes no file if no move was made.
func (d *driving) keep(file *output.File) error {
	if file == nil || d.session == nil {
		return nil
	}
	games := d.session.Records()
	if len(games) == 0 {
		fmt.Fprintf(d.cmd.ErrOrStderr(), "afterstate: %s is not written: no move was made\n", d.driveFlags.record)
		return nil
	}
	return file.Commit(func(to io.Writer) error {
		for _, r := range games {
			if err := record.Write(to, r); err != nil {
				return err
			}
		}
		return nil
	})
}
