// Package session answers the methods of package protocol with players from package catalog. It depends
// on no transport, store or folder of runs: a request is a method's name and JSON params, an answer
// is a value for JSON.
//
// # One client
//
// A [Session] serves one client, such as the program at the other end of a pipe. It answers
// hello, players, rules, moves, reasons and solve. It is a protocol.Handler, for protocol.Serve or
// protocol.Answer, and keeps the state of the current game, since players with random choices draw them
// from one stream per game:
//
//	maker, err := catalog.Parse("auto", catalog.Capabilities{})
//	s, err := session.New(session.Options{Name: "afterstate", Version: "1.0.0", Player: maker})
//	defer s.Close()
//	err = protocol.Serve(ctx, s, os.Stdin, os.Stdout)
//
// # Many clients
//
// A [Host] is the state shared by all clients of a process, and a [Client] answers one of them. It
// answers all methods ([Methods]): those of a Session and boards in any notation, explanations,
// trees, games to play, records to review, games to watch, experiments and training runs.
//
//	host, err := session.NewHost(session.Options{Name: "afterstate", Version: "1.0.0", Player: maker})
//	defer host.Close()
//	client := host.NewClient(connection) // or nil, for a single request
//	defer client.Close()
//	answer, bye := client.Reply(ctx, request)
//
// The package's example runs this. The transport calls quick methods of a client one after the other, and
// searches ([IsSearch]) concurrently with them, also one at a time, so that a search never delays a move.
// Transports with watched games implement [Connection]. Experiments and training runs come from
// implementations of [Experiments] and [Training].
//
// Each search gets a new player, so that answers do not depend on earlier requests.
//
// # Games
//
// A played game belongs to its client, and the host does not store it: the page knows the seed and the moves
// and reopens the game after a lost connection or a restart. A watched game belongs to the host (player/live
// plays it): it pauses 20 seconds after its last viewer left and ends after 15 minutes without one.
//
// A frame of a watched game is encoded once for all its viewers, at most about thirty times a
// second.
//
// # Limits
//
// All searches of a host share as many slots as there are processors; replaying a game needs a slot too.
// Requests wait for a slot for up to two minutes. Watched games that compute have as many separate slots. A
// search is limited to 10 seconds, a played game to 262144 moves, a watched one to a million. There are at
// most 16 watched games; a new one replaces one without viewers. Options sets some of these limits.
//
// A panic in a request or in a player fails that request or game only.
package session
