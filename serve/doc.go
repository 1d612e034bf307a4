// Package serve is the page and the server behind it: play, watch, ask, review,
// experiments and training in a browser, and the protocol of package wire over HTTP
// and WebSocket.
//
//	s, err := serve.New(serve.Options{Name: "afterstate", Version: "1.0.0", Player: auto})
//	listener, err := net.Listen("tcp", "127.0.0.1:2048")
//	err = s.Serve(ctx, listener) // until ctx ends; then it says goodbye and returns
//
// The package's example runs this.
//
// # Two doors
//
// POST /api takes one request and answers it; whatever takes no connection can be
// asked there. GET /ws is a WebSocket: requests and answers as text messages, and
// frames of watched games in between. docs/api.md describes both.
//
// Quick requests of a connection are answered in their order. Searches run beside
// them, one at a time for each connection, so that a hint never holds up a move; the
// request cancel ends one. Each search has a player of its own, so that answers do
// not depend on what was asked before, and all searches together have as many places
// as there are processors. What replays a game takes such a place too; watched games have
// as many places of their own.
//
// # Games
//
// A game that a person plays belongs to its connection, and the server keeps nothing:
// the page knows the seed and the moves and opens the game again, after a lost
// connection or a restart of the server. A watched game belongs to the server
// (player/live plays it) and waits for its watchers for a while.
//
// Frames of watched games are made once for all who watch, at most about thirty a
// second and fewer the more there are. A client that reads slowly finds the newest
// frame when it is ready, and none of those it missed; nobody waits for it.
//
// # Who may ask
//
// There is no login, so nothing listens beyond this machine unless told to, and other
// sites that a browser visits must be kept out: requests must name a host that is an
// address, localhost or one of Options.Hosts, which refuses DNS rebinding; they must
// come from the page's own origin; and bodies must be declared as JSON, which a
// foreign form cannot do. Specs may start no programs and name no files.
//
// # Limits
//
// Places, connections and memory are limited for each client (its address) and in all;
// docs/api.md has the numbers. Connections that only wait for a request give way to new
// ones. No message names a path of this machine, whoever asks, and a panic in a request or
// in a player's thoughts costs that request or game alone.
//
// # Sources
//
// serve/ui holds the page's sources, serve/dist what go generate makes of them; it is
// committed, so that a build takes Go alone.
package serve

//go:generate go run -C ../tools ./bundle ../serve/ui ../serve/dist
