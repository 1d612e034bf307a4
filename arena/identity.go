package arena

import (
	"fmt"

	"afterstate/player/spec"
)

// Identity returns a spec in which every file is replaced by the hash of its contents, since the
// file may change later. sum returns the hash for a key that may name a file and its value; ok is
// false for a value that names none and is kept. The command of exec is kept: the contents of
// external programs are not known.
//
//	expectimax(eval=lines(file="w.json"),plies=2)
//	expectimax(eval=lines(file="sha256:9f86d0..."),plies=2)
func Identity(text string, sum func(key, value string) (hash string, ok bool, err error)) (string, error) {
	s, err := spec.Parse(text)
	if err != nil {
		return "", err
	}
	if err := identify(s, sum); err != nil {
		return "", fmt.Errorf("%s: %w", text, err)
	}
	return s.String(), nil
}

// fileKeys are the keys whose values may name files.
var fileKeys = map[string]bool{"file": true, "model": true}

func identify(s *spec.Spec, sum func(key, value string) (string, bool, error)) error {
	for i := range s.Args {
		a := &s.Args[i]
		switch {
		case a.Value.Call != nil:
			if err := identify(a.Value.Call, sum); err != nil {
				return err
			}
		case fileKeys[a.Key]:
			hash, ok, err := sum(a.Key, a.Value.Text)
			if err != nil {
				return err
			}
			if ok {
				a.Value = spec.Value{Text: hash, Quoted: true}
			}
		}
	}
	return nil
}
