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
// Package session answers them, and has the limits of searches and games. Quick requests of
// a connection are answered in their order. Searches run beside them, one at a time for each
// connection; the request cancel ends one.
//
// A client that reads slowly finds the newest frame of a watched game when it is ready, and
// none of those it missed; nobody waits for it.
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
// Connections, requests and memory are limited for each client (its address) and in all;
// docs/api.md has the numbers. Connections that only wait for a request give way to new
// ones. The log takes a few lines a minute of what clients can bring about.
//
// # Sources
//
// serve/ui holds the page's sources, serve/dist what go generate makes of them; it is
// committed, so that a build takes Go alone.
package serve

//go:generate go run -C ../tools ./bundle ../serve/ui ../serve/dist
