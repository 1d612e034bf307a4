// Package serve provides the web page and its server: play, watch, analyze, review, experiments and
// training in a browser, and the protocol of package protocol over HTTP and WebSocket.
//
//	s, err := serve.New(serve.Options{Options: session.Options{Name: "afterstate", Version: "1.0.0", Player: auto}})
//	listener, err := net.Listen("tcp", "127.0.0.1:2048")
//	err = s.Serve(ctx, listener) // until ctx ends; then it closes all connections
//
// The package's example runs this.
//
// # Endpoints
//
// POST /api answers one request; it supports all methods that need no connection. GET /ws is a
// WebSocket: requests and answers are text messages, interleaved with frames of watched games.
// docs/api.md describes both.
//
// Package session answers the requests and limits searches and games. Quick requests of a connection are answered
// in order. Searches run concurrently with them, one at a time per connection; the method cancel ends one.
//
// A slow reader of a watched game skips frames and gets the newest one. It delays no other client.
//
// # Access
//
// With Options.Token, requests must carry the token, as a cookie or a bearer token; the address of the page with
// ?token= sets the cookie. Without a token, everyone who can connect may use the server, so by default the program
// listens on this machine only.
//
// Requests from other sites that a browser visits are rejected. A request must name a host that is an
// address, localhost or one of Options.Hosts, which prevents DNS rebinding. It must come from the
// page's own origin. A body must be declared as JSON, which a cross-site form cannot do. Specs may
// not start programs or name files.
//
// # Limits
//
// Size, time and number of connections, requests and games are limited; docs/api.md has the numbers.
// All clients share the limits.
//
// # Sources
//
// serve/ui holds the page's sources. go generate bundles them into serve/dist, which is committed,
// so that a build needs Go only.
package serve

//go:generate go run -C ../tools ./bundle ../serve/ui ../serve/dist
