package catalog

import (
	"fmt"

	"github.com/afterstate2048/afterstate/player/spec"
)

// A browser cannot start programs, and specs may not connect to programs from a browser.

func buildExec(b *builder, s *spec.Spec) (Maker, error) {
	return Maker{}, fmt.Errorf("%s: a browser cannot start programs: use a built-in player, or the command afterstate serve", s.Name)
}

func buildRemote(b *builder, s *spec.Spec) (Maker, error) {
	return Maker{}, fmt.Errorf("%s: connecting to programs from a browser is not allowed: use a built-in player, or the command afterstate serve", s.Name)
}
