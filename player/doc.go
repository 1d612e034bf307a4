// Package player defines what a player of 2048 is: something that is asked about a board
// and answers with a [Decision]. [Driver] runs one through a game.
//
//	maker, err := catalog.Parse("snake(depth=2)", catalog.Capabilities{})
//	d := player.Driver{Player: maker.New(), Game: g}
//	err = d.Begin(ctx, seed, index)
//	for more := err == nil; more; {
//		more, err = d.Move(ctx)
//	}
//
// A player may do more than answer: know the tiles to come ([Seer]), need time to get
// ready ([Preparer]), show its tree ([Searcher]), or hold more than memory (io.Closer).
// These interfaces are optional and found by [As], which looks inside decorators too.
//
// A player that fails by a fault of its own, as programs outside do, loses its game by
// a [Forfeit] and can play the next one. Other errors end the work.
//
// The players themselves are elsewhere: package catalog makes them from specs, package
// bot runs programs outside, package live plays games that people watch.
package player
