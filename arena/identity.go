package arena

import (
	"fmt"
	"strings"

	"afterstate/player/bot"
	"afterstate/player/spec"
)

// Identity returns a spec in which every file is replaced by the hash of its contents, since the
// file may change later. sum returns the hash for a key that may name a file and its value; ok is
// false for a value that names none and is kept. The command of exec is hashed word by word, also
// behind the "=" of a word such as --model=m.bin.
//
//	expectimax(eval=lines(file="w.json"),plies=2)
//	expectimax(eval=lines(file="sha256:9f86d0..."),plies=2)
//	exec(cmd="python3 bot.py")
//	exec(cmd="python3 sha256:2cf24d...")
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
var fileKeys = map[string]bool{"file": true, "model": true, "endings": true}

func identify(s *spec.Spec, sum func(key, value string) (string, bool, error)) error {
	for i := range s.Args {
		a := &s.Args[i]
		var err error
		switch {
		case a.Value.Call != nil:
			err = identify(a.Value.Call, sum)
		case s.Name == "exec" && a.Key == "cmd":
			a.Value, err = identifyCommand(a.Value, sum)
		case fileKeys[a.Key]:
			var hash string
			var ok bool
			if hash, ok, err = sum(a.Key, a.Value.Text); ok {
				a.Value = spec.Value{Text: hash, Quoted: true}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// identifyCommand replaces the words of a command that are files. A command without files is
// returned unchanged.
func identifyCommand(v spec.Value, sum func(key, value string) (string, bool, error)) (spec.Value, error) {
	words, err := bot.SplitCommand(v.Text)
	if err != nil {
		return v, nil // it starts no program
	}
	found := false
	for i, word := range words {
		option, file, _ := strings.Cut(word, "=")
		for _, try := range []struct{ before, path string }{{"", word}, {option + "=", file}} {
			if try.path == "" {
				continue
			}
			hash, ok, err := sum("cmd", try.path)
			if err != nil {
				return v, err
			}
			if ok {
				words[i], found = try.before+hash, true
				break
			}
		}
	}
	if !found {
		return v, nil
	}
	return spec.Value{Text: bot.JoinCommand(words), Quoted: true}, nil
}

// WithExactValues returns the identity of a player that looks up exact values.
func WithExactValues(identity string) (string, error) {
	s, err := spec.Parse(identity)
	if err != nil {
		return "", err
	}
	s.Args = append(s.Args, spec.Arg{Key: "values", Value: spec.Value{Text: "exact"}})
	return s.String(), nil
}

// Introduced returns the identity of an external program with the name and version that it gives
// itself.
func Introduced(identity, name, version string) (string, error) {
	s, err := spec.Parse(identity)
	if err != nil {
		return "", err
	}
	for _, a := range []spec.Arg{{Key: "name", Value: spec.Value{Text: name, Quoted: true}}, {Key: "version", Value: spec.Value{Text: version, Quoted: true}}} {
		if _, given := s.Get(a.Key); !given && a.Value.Text != "" {
			s.Args = append(s.Args, a)
		}
	}
	return s.String(), nil
}

// Name returns the name and version of the external program of an identity, or "" for built-in
// players and for identities without them.
func Name(identity string) string {
	s, err := spec.Parse(identity)
	if err != nil || s.Name != "exec" && s.Name != "remote" {
		return ""
	}
	name, _ := s.Get("name")
	version, _ := s.Get("version")
	return strings.TrimSpace(name.Text + " " + version.Text)
}

// Change is a difference between two identities of one spec.
type Change struct {
	What   string // a file, or a key such as version
	Before string // its hash or value; "" if there was none
	Now    string
}

func (c Change) String() string {
	return fmt.Sprintf("%s was %s, is %s", c.What, shortHash(c.Before), shortHash(c.Now))
}

// ChangeList is what differs between two identities.
type ChangeList []Change

func (l ChangeList) String() string {
	var all []string
	for _, c := range l {
		all = append(all, c.String())
	}
	return strings.Join(all, ", ")
}

// shortHash shortens the hash of a file to the digits that people compare.
func shortHash(value string) string {
	const digits = 12
	if hash, ok := strings.CutPrefix(value, "sha256:"); ok && len(hash) > digits {
		return "sha256:" + hash[:digits]
	}
	if value == "" {
		return "not recorded"
	}
	return value
}

// Changes returns what differs between two identities of the player of a spec.
func Changes(text, before, now string) ChangeList {
	s, err := spec.Parse(text)
	x, errBefore := spec.Parse(before)
	y, errNow := spec.Parse(now)
	if err != nil || errBefore != nil || errNow != nil {
		return nil
	}
	return changes(s, x, y)
}

func changes(s, before, now *spec.Spec) (all []Change) {
	for _, arg := range now.Args {
		y := arg.Value
		x, _ := before.Get(arg.Key)
		if x.String() == y.String() {
			continue
		}
		v, named := s.Get(arg.Key)
		switch {
		case v.Call != nil && x.Call != nil && y.Call != nil:
			all = append(all, changes(v.Call, x.Call, y.Call)...)
		case arg.Key == "cmd":
			all = append(all, commandChanges(v.Text, x.Text, y.Text)...)
		case named:
			all = append(all, Change{v.Text, x.Text, y.Text})
		default:
			all = append(all, Change{arg.Key, x.Text, y.Text})
		}
	}
	return all
}

func commandChanges(text, before, now string) (all []Change) {
	words, _ := bot.SplitCommand(text)
	x, _ := bot.SplitCommand(before)
	y, _ := bot.SplitCommand(now)
	for i := range words {
		if i < len(x) && i < len(y) && x[i] != y[i] {
			was, is := x[i], y[i]
			if was == words[i] {
				was = ""
			}
			all = append(all, Change{words[i], was, is})
		}
	}
	return all
}

// DistinctNames returns names in which those that occur several times are followed by their number,
// as in "corner bot #2". numbers are those of the players, which must differ.
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

// Files describes the files of a player by their hashes, as in "bot.py sha256:2cf24dba5fb0"; "" if it
// has none.
func Files(text, identity string) string {
	var all []string
	for _, c := range Changes(text, text, identity) {
		if strings.Contains(c.Now, "sha256:") {
			all = append(all, c.What+" "+shortHash(c.Now))
		}
	}
	return strings.Join(all, ", ")
}

// HasExactValues reports whether an identity is that of a player that looks up exact values; see
// WithExactValues.
func HasExactValues(identity string) (bool, error) {
	s, err := spec.Parse(identity)
	if err != nil {
		return false, err
	}
	v, ok := s.Get("values")
	return ok && v.Text == "exact", nil
}

// Located returns a spec in which the files are those that locate returns for their hashes in the
// spec's identity. A file without a hash there is an error. Files in commands of exec are those that program returns
// for their names.
func Located(text, identity string, locate func(hash string) (path string, err error), program func(name string) (path string)) (string, error) {
	s, err := spec.Parse(text)
	if err != nil {
		return "", err
	}
	id, err := spec.Parse(identity)
	if err != nil {
		return "", err
	}
	if err := relocate(s, id, locate, program); err != nil {
		return "", err
	}
	return s.String(), nil
}

func relocate(s, identity *spec.Spec, locate func(hash string) (string, error), program func(name string) string) error {
	for i := range s.Args {
		a := &s.Args[i]
		id, _ := identity.Get(a.Key)
		switch {
		case a.Value.Call != nil && id.Call != nil:
			if err := relocate(a.Value.Call, id.Call, locate, program); err != nil {
				return err
			}
		case a.Value.Call != nil:
			return fmt.Errorf("%s=%v has another form in the identity %v", a.Key, a.Value, identity)
		case s.Name == "exec" && a.Key == "cmd":
			a.Value = relocateCommand(a.Value, id, program)
		case !fileKeys[a.Key]:
		case !strings.HasPrefix(id.Text, "sha256:"):
			return fmt.Errorf("%s=%v names a file that was not shared", a.Key, a.Value)
		default:
			path, err := locate(id.Text)
			if err != nil {
				return err
			}
			a.Value = spec.Value{Text: path, Quoted: true}
		}
	}
	return nil
}

// relocateCommand replaces the words of a command that are files, which have hashes in its identity.
func relocateCommand(v, identity spec.Value, program func(name string) string) spec.Value {
	words, err := bot.SplitCommand(v.Text)
	hashes, errHashes := bot.SplitCommand(identity.Text)
	if err != nil || errHashes != nil || len(words) != len(hashes) {
		return v
	}
	found := false
	for i, word := range words {
		option, hashed, _ := strings.Cut(hashes[i], "sha256:")
		if file, ok := strings.CutPrefix(word, option); ok && hashed != "" {
			words[i], found = option+program(file), true
		}
	}
	if !found {
		return v
	}
	return spec.Value{Text: bot.JoinCommand(words), Quoted: true}
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
