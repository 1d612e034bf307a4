package arena

import (
	"fmt"
	"strings"

	"github.com/afterstate2048/afterstate/player/bot"
	"github.com/afterstate2048/afterstate/player/spec"
)

// Identity returns a spec in which every file name is replaced by the hash of the file's contents, since the
// file may change later. sum returns the hash of the file that the value of a key names; if the value names
// no file, sum returns ok = false, and the value stays as it is. In the command of exec, each word may name a
// file, and so may the text after "=" in a word such as --model=m.bin.
//
//	expectimax(eval=sum(file="w.json"),plies=2)
//	expectimax(eval=sum(file="sha256:9f86d0..."),plies=2)
//	exec(cmd="python3 bot.py")
//	exec(cmd="python3 sha256:2cf24d...")
func Identity(text string, sum func(key, value string) (hash string, ok bool, err error)) (string, error) {
	s, err := spec.Parse(text)
	if err != nil {
		return "", err
	}
	if err = replaceFiles(s, s, func(key, value, _ string) (string, bool, error) { return sum(key, value) }); err != nil {
		return "", fmt.Errorf("%s: %w", text, err)
	}
	return s.String(), nil
}

// fileKeys are the keys whose values may name files.
var fileKeys = map[string]bool{"file": true, "model": true, "endings": true}

// replaceFiles calls replace for every value, and every word of a command, that may name a file. If
// replace returns ok, replaceFiles replaces the text with by. other is a spec with the same
// structure; beside is the text in the same place in other.
func replaceFiles(s, other *spec.Spec, replace func(key, value, beside string) (by string, ok bool, err error)) error {
	for i := range s.Args {
		a := &s.Args[i]
		otherValue, _ := other.Get(a.Key)
		var text string
		var ok bool
		var err error
		switch {
		case a.Value.Call != nil && otherValue.Call != nil:
			err = replaceFiles(a.Value.Call, otherValue.Call, replace)
		case a.Value.Call != nil:
			err = fmt.Errorf("%s=%v does not fit the player's identity, %v", a.Key, a.Value, other)
		case s.Name == "exec" && a.Key == "cmd":
			text, ok, err = replaceWords(a.Value.Text, otherValue.Text, replace)
		case fileKeys[a.Key]:
			text, ok, err = replace(a.Key, a.Value.Text, otherValue.Text)
		}
		if err != nil {
			return err
		}
		if ok {
			a.Value = spec.Value{Text: text, Quoted: true}
		}
	}
	return nil
}

// replaceWords does what replaceFiles does, for the words of a command, and for the text after "=" in a word.
// found reports whether it has replaced any text.
func replaceWords(command, other string, replace func(key, value, beside string) (string, bool, error)) (text string, found bool, err error) {
	words, err := bot.SplitCommand(command)
	others, wrong := bot.SplitCommand(other)
	if err != nil || wrong != nil || len(words) != len(others) {
		return "", false, nil // command cannot be split, or other has a different number of words
	}
	for i, word := range words {
		option, file, _ := strings.Cut(word, "=")
		for _, try := range []struct{ before, path string }{{"", word}, {option + "=", file}} {
			beside, same := strings.CutPrefix(others[i], try.before)
			if try.path == "" || !same {
				continue
			}
			by, ok, err := replace("cmd", try.path, beside)
			if err != nil {
				return "", false, err
			}
			if ok {
				words[i], found = try.before+by, true
				break
			}
		}
	}
	return bot.JoinCommand(words), found, nil
}

// Argument returns the text of one argument in an identity, or "" if the identity lacks it.
func Argument(identity, key string) string {
	s, err := spec.Parse(identity)
	if err != nil {
		return ""
	}
	v, _ := s.Get(key)
	return v.Text
}

// With adds arguments to an identity, except empty ones and those whose keys the identity already contains.
func With(identity string, args ...spec.Arg) (string, error) {
	s, err := spec.Parse(identity)
	if err != nil {
		return "", err
	}
	for _, a := range args {
		if _, given := s.Get(a.Key); !given && a.Value.Text != "" {
			s.Args = append(s.Args, a)
		}
	}
	return s.String(), nil
}

// Name returns the name and version of the external program with this identity; "" for built-in players and
// for identities without a name and version.
func Name(identity string) string {
	s, err := spec.Parse(identity)
	if err != nil || s.Name != "exec" && s.Name != "remote" {
		return ""
	}
	name, _ := s.Get("name")
	version, _ := s.Get("version")
	return strings.TrimSpace(name.Text + " " + version.Text)
}

// Short returns an identity for display: hashes are cut to 12 digits.
func Short(identity string) string {
	const digits, all = 12, 64
	parts := strings.Split(identity, "sha256:")
	for i := 1; i < len(parts); i++ {
		if p := parts[i]; len(p) >= all {
			parts[i] = p[:digits] + p[all:]
		}
	}
	return strings.Join(parts, "sha256:")
}

// DistinctNames returns names in which duplicates are followed by the player's number, as in
// "corner bot #2". numbers are the numbers of the players, which must differ.
func DistinctNames(names []string, numbers []int) []string {
	count := map[string]int{}
	for _, n := range names {
		count[n]++
	}
	all := make([]string, len(names))
	for i, n := range names {
		if all[i] = n; count[n] > 1 {
			all[i] = fmt.Sprintf("%s #%d", n, numbers[i])
		}
	}
	return all
}

// Located returns a spec in which each file name is replaced by a path. identity is the spec's
// identity, which contains the file's hash in the place of its name; locate returns the path for a
// hash. It is an error if a file has no hash in identity. In the command of exec, however, only the
// names of files with a hash are replaced, each by the result of program for the name.
func Located(text, identity string, locate func(hash string) (path string, err error), program func(name string) (path string)) (string, error) {
	s, err := spec.Parse(text)
	if err != nil {
		return "", err
	}
	id, err := spec.Parse(identity)
	if err != nil {
		return "", err
	}
	if err = replaceFiles(s, id, func(key, value, hash string) (string, bool, error) {
		shared := strings.HasPrefix(hash, "sha256:")
		switch {
		case key == "cmd":
			return program(value), shared, nil
		case !shared:
			return "", false, fmt.Errorf("%s=%s names a file that was not shared", key, value)
		}
		path, err := locate(hash)
		return path, true, err
	}); err != nil {
		return "", err
	}
	return s.String(), nil
}
