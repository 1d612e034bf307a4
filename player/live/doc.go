// Package live plays a game for people who watch: it can be paused, slowed down,
// taken back, and taken over by hand, while others look at it from their goroutines.
//
//	d := &player.Driver{Player: p}
//	d.Start(seed, index, g)
//	l := live.New(g, d, 2048, 100*time.Millisecond)
//	go l.Run(ctx)
//	for range l.News() {
//		s := l.Look() // the newest board, with what the player thinks of it
//		if s.Over || s.Reached {
//			break
//		}
//		time.AfterFunc(time.Second/30, l.Want) // look again, but not a million times
//	}
//
// A player that takes long is told move by move; of a fast one there is the newest
// board whenever somebody wants it, and its speed is hardly less than alone.
//
// Game and player belong to Run until Done.
package live
