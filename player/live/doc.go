// Package live plays a game for viewers: other goroutines can pause it, set its speed, undo and
// redo moves, make manual moves, and read snapshots.
//
//	d := &player.Driver{Player: p}
//	d.Start(seed, index, g)
//	l := live.New(g, d, 2048, 100*time.Millisecond)
//	go l.Run(ctx)
//	for range l.Updates() {
//		s := l.Snapshot() // the newest board and decision
//		if s.Over || s.Reached {
//			break
//		}
//		time.AfterFunc(time.Second/30, l.RequestSnapshot) // limits the snapshots to 30 a second
//	}
//
// With a slow player, every move is published as a snapshot. With a fast player, snapshots are
// published only on request, so that the game is almost as fast as without viewers.
//
// Only Run may use the game and the player until Done is closed.
package live
