package arena

import "afterstate/player/spec"

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
