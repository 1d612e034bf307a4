//go:build !js

package catalog

import (
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/bot"
	"github.com/afterstate2048/afterstate/player/spec"
)

func buildExec(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, keysOf[execArgs]())
	if !b.caps.Exec {
		return Maker{}, fmt.Errorf("%s: starting programs is not allowed here: use a built-in player", a.name)
	}
	return buildBot(&a, bot.Options{Spec: b.spec, Command: a.command("cmd")})
}

func buildRemote(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, keysOf[remoteArgs]())
	if b.caps.Connect == nil {
		return Maker{}, fmt.Errorf("%s: connecting to programs is not allowed here: use a built-in player", a.name)
	}
	o := bot.Options{Spec: b.spec, URL: a.url("url")}
	if a.err == nil {
		o.Dial = b.caps.Connect(o.URL)
	}
	return buildBot(&a, o)
}

// buildBot builds the Maker for an external program. It reads the keys that the players exec and
// remote have in common.
func buildBot(a *args, o bot.Options) (Maker, error) {
	o.Name = a.label("name")
	var read botArgs
	a.read(&read)
	o.Time, o.Timeout, o.Startup = read.Time, read.Timeout, read.Startup
	if !a.given("timeout") {
		o.Timeout = o.Time + defaultTimeout
	}
	if o.Timeout != 0 && o.Timeout < o.Time {
		a.fail("timeout=%v is less than time=%v: must be at least as long", o.Timeout, o.Time)
	}
	program := bot.NewProgram(o)
	return Maker{TimeLimited: o.Time > 0, New: func() player.Player { return program.New() }, External: program}, a.finish()
}

// label reads the name to show in reports: a word or a quoted text.
func (a *args) label(name string) string {
	v, ok := a.spec.Get(name)
	if !ok {
		return ""
	}
	if v.Call != nil || len(v.Text) > maxName || strings.TrimSpace(v.Text) != v.Text || v.Text == "" || !utf8.ValidString(v.Text) {
		a.refuse(name, v)
	}
	return v.Text
}

// text returns the value of a required key. It records an error if the key is missing.
func (a *args) text(name string) string {
	v, ok := a.spec.Get(name)
	if !ok || v.Call != nil {
		a.fail("%s is missing: give %s=%s", name, name, a.want(name))
	}
	return v.Text
}

// url reads the address of a bot.
func (a *args) url(name string) string {
	text := a.text(name)
	if err := checkURL(text); err != nil {
		a.fail("%s=%q: %w: must be %s", name, text, err, a.want(name))
	}
	return text
}

// checkURL returns an error for a URL that is not a bot's address: the scheme is not ws, wss, http
// or https, the host is missing, or the URL contains a user name or a password, which reports would
// show.
func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return err.(*url.Error).Err
	}
	switch {
	case !slices.Contains([]string{"ws", "wss", "http", "https"}, u.Scheme):
		return fmt.Errorf("the scheme is %q", u.Scheme)
	case u.Host == "":
		return errors.New("the host is missing")
	case u.User != nil:
		return errors.New("the URL has a user name or password, which reports would show")
	}
	return nil
}

// command reads a command line and replaces the name of the program by its path.
func (a *args) command(name string) []string {
	v, _ := a.spec.Get(name)
	words, err := bot.SplitCommand(a.text(name))
	if err != nil || len(words) == 0 {
		a.fail("%s=%v: must be %s, with closed quotes", name, v, a.want(name))
		return nil
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		a.fail("%s=%v: the program %s cannot be started: %w", name, v, words[0], errors.Unwrap(err))
		return nil
	}
	words[0] = path
	return words
}
