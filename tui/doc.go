// Package tui plays and watches 2048 in a terminal.
//
// [Play] is the interactive game, with undo, redo and hints from any player; [Watch] shows a
// player's game or a recorded game. Both are parts of one Bubble Tea model (screen.go), a state
// machine that receives messages (keys, window sizes, ticks, hints) one at a time and renders
// itself as text. A part defines what its keys do (action) and what surrounds the board (panel).
// Tests need no terminal: they send messages and compare the rendered text.
//
//	_, err := tui.Watch(ctx, tui.Terminal{In: os.Stdin, Out: os.Stdout},
//		tui.WatchOptions{Game: g, Driver: d, Name: "auto", Speed: 20})
//
// # Drawing
//
// A screen is a canvas of character cells (board.go). With colours a cell shows two pixels, one
// above the other, as half blocks: tiles then have even gaps and slide in half steps. Without
// colours the board is a grid of lines of the same size (cellSize). No information depends on
// colour alone: tiles have numbers, and the best move has a mark.
//
// # Concurrency
//
// The model's goroutine never blocks. A hint is computed by a command in its own goroutine and
// cancelled when the board changes (hint.go). A watched player runs in package player/live, which
// moves at the chosen speed and publishes snapshots about thirty times a second; this costs a
// player of a million moves a second a few percent of its speed.
//
// # Limits
//
// Every size fits a window of 80x24; smaller windows get smaller tiles and, below the minimum, a
// line with the required size. Keys are processed in order, and animations do not delay them: a
// move is made immediately, before its animation.
package tui
