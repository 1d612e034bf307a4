// Package player defines the interface of a 2048 player, which receives a position and returns a
// [Decision]. [Driver] runs a player through a game.
//
//	maker, err := catalog.Parse("snake(depth=2)", catalog.Capabilities{})
//	d := player.Driver{Player: maker.New(), Game: g}
//	err = d.Begin(ctx, seed, index)
//	for more := err == nil; more; {
//		more, err = d.Move(ctx)
//	}
//
// Optional interfaces add capabilities: access to future spawns ([Seer]), preparation before the
// first move ([Preparer]), search trees ([Searcher]), and resources to release (io.Closer). [As]
// finds them, also inside decorators ([Wrapper]).
//
// A player that is itself at fault, such as an external program that crashes, returns a [ForfeitError]: it loses
// the game and can play the next one. Other errors are fatal.
//
// The subpackages contain implementations and users of players: catalog creates players from specs, bot runs external
// programs, levels contains reference players that play like people of a given strength, and live plays games for
// viewers.
package player
