//go:build !js

package models

import (
	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/champion"
)

// Endings is the name of the embedded ending network for Open.
const Endings = "champion-endings"

// endingsNetwork is the ending network that comes with the program. It is decoded in each process that meets an ending,
// since that takes less time than a cache of its tables would need disk.
var endingsNetwork = &Shared{Open: champion.DecodeEndings}

// embeddedEndings returns the ending network of the champion, nil in a build without one.
func embeddedEndings() *Source {
	if !champion.HasEndings() {
		return nil
	}
	return &Source{
		Load: endingsNetwork.Load, Loaded: endingsNetwork.Loaded,
		Size: func() (board.Size, bool) { return bitboard.Size, true },
	}
}
