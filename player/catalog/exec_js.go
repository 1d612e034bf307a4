package catalog

import (
	"fmt"

	"github.com/afterstate2048/afterstate/player/spec"
)

// A browser cannot start programs, and specs may not connect to programs from a browser.

func buildExec(b *builder, s *spec.Spec) (Maker, error) {
	return Maker{}, fmt.Errorf("%s: programs may not be started in a browser: must be a built-in player, or afterstate serve", s.Name)
}

func buildRemote(b *builder, s *spec.Spec) (Maker, error) {
	return Maker{}, fmt.Errorf("%s: programs may not be connected to from a browser: must be a built-in player, or afterstate serve", s.Name)
}
