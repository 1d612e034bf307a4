package arena

import (
	"fmt"
	"strings"

	"afterstate/player/spec"
)

const hashPrefix = "sha256:"

// Localize returns a spec for another machine, on which file returns the path of a file by the SHA-256
// of its contents: the files in text are those whose hashes its identity has (see Identity). The
// words of commands are unchanged.
func Localize(text, identity string, file func(sum string) (path string, err error)) (string, error) {
	s, err := spec.Parse(text)
	if err != nil {
		return "", err
	}
	i, err := spec.Parse(identity)
	if err != nil {
		return "", err
	}
	if err := localize(s, i, file); err != nil {
		return "", fmt.Errorf("%s: %w", text, err)
	}
	return s.String(), nil
}

func localize(s, identity *spec.Spec, file func(string) (string, error)) error {
	for i := range s.Args {
		a := &s.Args[i]
		v, _ := identity.Get(a.Key)
		switch sum, hashed := strings.CutPrefix(v.Text, hashPrefix); {
		case a.Value.Call != nil && v.Call != nil:
			if err := localize(a.Value.Call, v.Call, file); err != nil {
				return err
			}
		case fileKeys[a.Key] && hashed && v.Quoted:
			path, err := file(sum)
			if err != nil {
				return err
			}
			a.Value = spec.Value{Text: path, Quoted: true}
		}
	}
	return nil
}

// RunsOthers reports whether a player runs another program or connects to one.
func RunsOthers(text string) bool {
	s, err := spec.Parse(text)
	return err == nil && runsOthers(s)
}

func runsOthers(s *spec.Spec) bool {
	if s.Name == "exec" || s.Name == "remote" {
		return true
	}
	for _, a := range s.Args {
		if a.Value.Call != nil && runsOthers(a.Value.Call) {
			return true
		}
	}
	return false
}
