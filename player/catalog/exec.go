package catalog

import (
	"errors"
	"fmt"
	"os/exec"
	"time"

	"afterstate/player"
	"afterstate/player/bot"
	"afterstate/player/spec"
)

const (
	defaultTimeout = 10 * time.Second // added to time when no timeout is given
	defaultStartup = "30s"
)

func buildExec(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, execKeys)
	if !b.caps.Exec {
		return Maker{}, fmt.Errorf("%s: programs may not be started here: want a built-in player", a.name)
	}
	o := bot.Options{Spec: b.spec, Command: a.command("cmd")}
	o.Time, o.Timeout, o.Startup = a.duration("time"), a.duration("timeout"), a.duration("startup")
	if !a.given("timeout") {
		o.Timeout = o.Time + defaultTimeout
	}
	if o.Timeout != 0 && o.Timeout < o.Time {
		a.fail("timeout=%v is less than time=%v: want more", o.Timeout, o.Time)
	}
	return Maker{TimeLimited: o.Time > 0, New: func() player.Player { return bot.New(o) }}, a.finish()
}

// command reads a command line and resolves its program.
func (a *args) command(name string) []string {
	key, want := name, a.key(name).value.want(a.own)
	v, ok := a.spec.Get(name)
	if a.err != nil {
		return nil
	}
	if !ok || v.Call != nil {
		a.fail("%s is missing: want %s=%s", key, key, want)
		return nil
	}
	words, err := bot.SplitCommand(v.Text)
	if err != nil || len(words) == 0 {
		a.fail("%s=%v: want %s, quotes closed", key, v, want)
		return nil
	}
	if words[0], err = exec.LookPath(words[0]); err != nil {
		var cause *exec.Error
		if errors.As(err, &cause) {
			a.fail("%s=%v: the program %s cannot be started: %w", key, v, cause.Name, cause.Err)
		}
		a.fail("%s=%v: %w", key, v, err)
		return nil
	}
	return words
}
