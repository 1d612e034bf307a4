// Package engine plays a game for people who watch: it can be paused, slowed down,
// taken back, and taken over by hand, while others look at it from their goroutines.
//
//	e := engine.New(g, p, 2048, 100*time.Millisecond)
//	go e.Run(ctx)
//	for range e.News() {
//		s := e.Look() // the newest board, with what the player thinks of it
//		if s.Over || s.Reached {
//			break
//		}
//		time.AfterFunc(time.Second/30, e.Want) // look again, but not a million times
//	}
//
// A player that takes long is told move by move; of a fast one there is the newest
// board whenever somebody wants it, and its speed is hardly less than alone.
//
// The game belongs to the engine until Done.
package engine
