// Package tui plays and watches 2048 in a terminal.
//
// [Play] is the game for people, with undo, redo and hints of any player; [Watch]
// shows a player at work, or a recorded game. Both are state machines in the
// manner of Bubble Tea: a model that takes messages (keys, window sizes, ticks,
// hints) one at a time and draws itself as text. So they are tested without a
// terminal, by sending messages and comparing what is drawn.
//
//	err := tui.Watch(ctx, tui.Terminal{In: os.Stdin, Out: os.Stdout, Env: os.Environ()},
//		tui.WatchOptions{Game: g, Driver: d, Name: "auto", Speed: 20})
//
// # Drawing
//
// A screen is a canvas of character cells (canvas.go). With colours a cell counts
// as two pixels, one above the other, drawn with half blocks: tiles then have even
// gaps and slide in half steps. Without colours the board is a grid of lines; both
// take the same room (cellsize.go). Colours never carry meaning alone: tiles have
// numbers, and the best move has a mark.
//
// # Who works where
//
// The model's goroutine never waits. A hint is computed by a command of its own
// and cancelled when the board changes (hint.go). A watched player runs in package
// player/live, which moves at the chosen speed and lets the screen look at the newest
// board about thirty times a second; a player of a million moves a second loses a few
// percent of its speed.
//
// # Limits
//
// Every size fits a window of 80x24; smaller windows get smaller tiles and, in the
// end, a line that says what size is needed. Keys reach the model in the order
// they were pressed, and an animation never holds them up: the move is made at
// once and the picture follows.
package tui
