package catalog

import (
	"crypto/x509"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"afterstate/player"
	"afterstate/player/bot"
	"afterstate/player/spec"
)

const (
	defaultTimeout = 10 * time.Second // added to time when no timeout is given
	defaultStartup = "30s"
	maxName        = 60 // bytes of the key name
)

func buildExec(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, execKeys)
	if !b.caps.Exec {
		return Maker{}, fmt.Errorf("%s: programs may not be started here: want a built-in player", a.name)
	}
	return buildBot(&a, bot.Options{Spec: b.spec, Command: a.command("cmd")})
}

func buildRemote(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, remoteKeys)
	if !b.caps.Exec {
		return Maker{}, fmt.Errorf("%s: programs may not be connected to here: want a built-in player", a.name)
	}
	return buildBot(&a, bot.Options{Spec: b.spec, URL: a.url("url"), RootCAs: a.certificates("ca", b.caps.ReadFile)})
}

// buildBot reads the keys that exec and remote have in common.
func buildBot(a *args, o bot.Options) (Maker, error) {
	o.Name = a.label("name")
	o.Time, o.Timeout, o.Startup = a.duration("time"), a.duration("timeout"), a.duration("startup")
	if !a.given("timeout") {
		o.Timeout = o.Time + defaultTimeout
	}
	if o.Timeout != 0 && o.Timeout < o.Time {
		a.fail("timeout=%v is less than time=%v: want more", o.Timeout, o.Time)
	}
	program := bot.NewProgram(o)
	return Maker{TimeLimited: o.Time > 0, New: func() player.Player { return program.New() }, External: program}, a.finish()
}

// label reads a name for reports: a word, or text in quotes.
func (a *args) label(name string) string {
	k := a.key(name)
	v, ok := a.spec.Get(name)
	if !ok {
		return ""
	}
	if v.Call != nil || len(v.Text) > maxName || strings.TrimSpace(v.Text) != v.Text || v.Text == "" || !utf8.ValidString(v.Text) {
		a.refuse(k, v)
	}
	return v.Text
}

// text returns the text of a required key.
func (a *args) text(name string) (string, bool) {
	v, ok := a.spec.Get(name)
	if !ok || v.Call != nil {
		a.fail("%s is missing: want %s=%s", name, name, a.key(name).value.want(a.own))
	}
	return v.Text, a.err == nil
}

// url reads the address of a bot.
func (a *args) url(name string) string {
	text, ok := a.text(name)
	if !ok {
		return ""
	}
	if err := bot.CheckURL(text); err != nil {
		a.fail("%s=%q: %w: want %s", name, text, err, a.key(name).value.want(a.own))
	}
	return text
}

// certificates reads a file of certificates in PEM form; nil if the key is not given.
func (a *args) certificates(name string, read func(path string) ([]byte, error)) *x509.CertPool {
	v, ok := a.spec.Get(name)
	if !ok || a.err != nil {
		return nil
	}
	if !v.Quoted || read == nil {
		a.refuse(a.key(name), v)
		return nil
	}
	data, err := read(v.Text)
	if err != nil {
		a.fail("%s=%v: %w", name, v, err)
		return nil
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		a.fail("%s=%v holds no certificate: want %s", name, v, a.key(name).value.want(a.own))
	}
	return pool
}

// command reads a command line and resolves its program.
func (a *args) command(name string) []string {
	text, ok := a.text(name)
	if !ok {
		return nil
	}
	v, _ := a.spec.Get(name)
	words, err := bot.SplitCommand(text)
	if err != nil || len(words) == 0 {
		a.fail("%s=%v: want %s, quotes closed", name, v, a.key(name).value.want(a.own))
		return nil
	}
	if words[0], err = exec.LookPath(words[0]); err != nil {
		var cause *exec.Error
		if errors.As(err, &cause) {
			a.fail("%s=%v: the program %s cannot be started: %w", name, v, cause.Name, cause.Err)
		}
		a.fail("%s=%v: %w", name, v, err)
		return nil
	}
	return words
}
