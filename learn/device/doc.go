// Package device lets a program on a graphics processor play the games of a training run.
//
// [Start] starts the program afterstate-cuda, as a bot is started, and returns a [Program], which implements
// learn.Device: set it as Options.Device. The program is separate because it loads the graphics driver's library. It
// calls [Serve]; package kernels has its games.
//
// # Protocol
//
// The program writes a line of JSON when it is ready: its [Hello], or an error. Then it answers one request after
// another on standard input with one line on standard output. Bytes that do not fit into JSON follow a line: tables of
// weights and of TC sums, stored boards, and the games that ended, as they are in memory.
//
//	load   a learn.DeviceRun: the line has options and the network without its weights; tables and boards follow
//	play   a learn.DeviceTurn; the answer is a learn.DeviceReport, followed by the games
//	read   the answer is followed by the tables and boards
//
// Both programs must be of the same version. They exchange numbers as they are in memory, so both run on one machine.
package device
