package bot

import (
	"cmp"
	"context"
	"os"
	"strings"
	"sync"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Program is an external program that any number of players run. It is safe for concurrent use.
type Program struct {
	o Options

	mu    sync.Mutex
	known protocol.Hello // of the last one that was started
}

// NewProgram returns a program. It neither starts it nor connects to it.
func NewProgram(o Options) *Program { return &Program{o: o} }

// New returns a player, which runs a process of its own or has a connection of its own.
func (g *Program) New() *Player { return &Player{o: g.o, program: g} }

// Introduce starts the program, or connects to it, and returns its name and version. A fault of the
// program is a *player.Forfeit.
func (g *Program) Introduce(ctx context.Context, size board.Size) (name, version string, err error) {
	p := g.New()
	defer p.Close()
	if err := p.Prepare(ctx, size); err != nil {
		return "", "", err
	}
	name, version = g.Known()
	return name, version, nil
}

// Known returns the name and version of the program's answer to hello, without control characters
// and at most 60 bytes each; a name of the options replaces the program's own. They are "" before a
// player has been started.
func (g *Program) Known() (name, version string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return cmp.Or(g.o.Name, label(g.known.Name)), label(g.known.Version)
}

func (g *Program) met(h protocol.Hello) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known = h
}

// label cuts untrusted text to a name that can be shown on one line.
func label(text string) string {
	const most = 60
	text = console.Line(strings.TrimSpace(text))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}

// Folder returns the folder in which the program is started; "" if it is unknown.
func (*Program) Folder() string {
	folder, _ := os.Getwd()
	return folder
}
