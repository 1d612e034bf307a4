// Package tui lets a user play and watch games of 2048 in a terminal.
//
// [Play] is the interactive game, with undo, redo and hints from any player; [Watch] shows a player's game or
// a recorded game. Both use one Bubble Tea model (type screen): a state machine that receives messages (keys,
// window sizes, ticks, hints) one at a time and renders itself as text. Each of the two implements the
// interface part, which defines what the keys do (type action) and what the panel beside the board shows
// (type panel). Tests need no terminal: they send messages and compare the rendered text.
//
//	err := tui.Watch(ctx, tui.Terminal{In: os.Stdin, Out: os.Stdout},
//		tui.WatchOptions{Game: g, Driver: d, Name: "auto", Speed: 20})
//
// # Drawing
//
// A screen is a canvas of character cells (board.go). With colours, a cell shows two pixels, one above the
// other, as half blocks. So the gaps between tiles have the same width in both directions, and tiles slide in
// steps of half a line. Without colours, the board is a grid of lines with cells of the same size (cellSize).
// No information depends on colour alone: tiles have numbers, and the best move has a mark.
//
// # Concurrency
//
// The model's goroutine never blocks. A command computes a hint in a separate goroutine, and is cancelled
// when the board changes (hint.go). A watched player runs in package player/live, which moves at the chosen
// speed and publishes snapshots about thirty times a second. For a player that makes a million moves a
// second, this costs a few percent of the speed.
//
// # Limits
//
// Every board size fits a window of 80x24. Smaller windows get smaller tiles. Below the minimum size, the
// screen shows only the size that it requires. Keys are processed in order, and animations do not delay them:
// a move is made immediately, before its animation.
package tui
