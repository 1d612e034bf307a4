// Package serve provides the web page and its server: games, lessons, reviews, the best move, experiments
// and training in a browser, and the protocol of package protocol over HTTP and WebSocket.
//
//	s, err := serve.New(serve.Options{Options: session.Options{Name: "afterstate", Version: "1.0.0", Player: auto}})
//	listener, err := net.Listen("tcp", "127.0.0.1:2048")
//	err = s.Serve(ctx, listener) // until ctx ends; then it closes all connections
//
// The package's example runs this.
//
// # Endpoints
//
// POST /api answers one request. It supports every method that works without a persistent connection.
// GET /ws opens a WebSocket: requests and answers are text messages, interleaved with frames of
// watched games. docs/api.md describes both.
//
// Package session answers the requests and limits searches and games. The searches of a connection run one
// at a time; meanwhile its other requests are answered in order. The method cancel cancels a search.
//
// A slow reader of a watched game skips frames and gets the newest one. It delays no other client.
//
// # Access
//
// If Options.Token is set, requests must carry the token, as a cookie or as a bearer token. Opening the page
// with ?token= in its address sets the cookie. Without a token, everyone who can connect may use the server, so
// by default the program listens on this machine only.
//
// The server rejects requests that other sites make through a visitor's browser. The Host header of
// a request must be an IP address, localhost or one of Options.Hosts, which prevents DNS rebinding.
// The request must come from the page's own origin. Its body must be declared as JSON, which a
// cross-site form cannot do. Specs must not start programs or name files.
//
// # Limits
//
// The size and time of requests and the number of connections, requests and games are limited;
// docs/api.md gives the numbers. All clients share the limits.
//
// # Sources
//
// serve/ui holds the page's sources. go generate bundles them into serve/dist, which is committed,
// so that a build needs Go only.
package serve

//go:generate go run -C ../tools ./bundle ../serve/ui ../serve/dist
