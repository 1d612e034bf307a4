// Package session answers the methods of package protocol with players from package catalog. It depends on no
// transport, store or folder of runs: a request is a method name with JSON params, and an answer is a value to
// encode as JSON.
//
// # One client
//
// A [Session] serves one client, such as the program at the other end of a pipe. It answers hello,
// players.list, rules.inspect, analyze, best_move, explain, solve and bye. It is a protocol.Handler, for
// protocol.Serve or protocol.Answer. It keeps the state of the current game, since a player that makes random
// choices draws them from one stream per game:
//
//	maker, err := catalog.Parse("auto", catalog.Capabilities{})
//	s, err := session.New(session.Options{Name: "afterstate", Version: "1.0.0", Player: maker})
//	defer s.Close()
//	err = protocol.Serve(ctx, s, os.Stdin, os.Stdout)
//
// # Many clients
//
// A [Host] is the state shared by all clients of a process. A [Client] answers the requests of one
// client. It supports all methods ([Methods]): the methods of a Session, and methods for boards in
// any notation, trees, games to play, records to review, games to watch, experiments and training
// runs.
//
//	host, err := session.NewHost(session.Options{Name: "afterstate", Version: "1.0.0", Player: maker})
//	defer host.Close()
//	client := host.NewClient(connection) // or nil, for a single request
//	defer client.Close()
//	answer, bye := client.Reply(ctx, request)
//
// The package's example runs this. The transport runs the searches of a client ([IsSearch]) one at a time.
// Concurrently, it makes the calls for the client's other requests one after the other, so a search never
// delays a move. Transports that support watched games implement [Connection]. Experiments and training
// runs come from implementations of [Experiments] and [Training].
//
// Each search gets a new player, so that answers do not depend on earlier requests.
//
// # Games
//
// A played game belongs to its client, and the host does not store it: the page knows the seed and the moves,
// and reopens the game after a lost connection or a restart. A watched game belongs to the host (package
// player/live plays it). It pauses 20 seconds after its last viewer left and ends after 15 minutes without
// viewers.
//
// A frame of a watched game is encoded once for all its viewers, at most about thirty times a
// second.
//
// # Limits
//
// All searches in a host share as many slots as there are processors; replaying a game needs a slot too.
// Requests wait up to two minutes for a slot. Watched games need a slot while their players compute, from a
// separate set of the same size. A search is limited to 10 seconds, a played game to 262144 moves and a watched
// game to a million moves. There can be 16 watched games; a new one replaces the one that has been without
// viewers longest. Options sets some of these limits.
//
// A panic in a request or in a player fails that request or game only.
package session
