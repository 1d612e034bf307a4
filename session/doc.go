// Package session answers the methods of package wire with the players there are. It knows no
// transport, no store and no folder of runs: requests come as a method's name and JSON, and
// answers go back the same way.
//
// # One partner
//
// A [Session] talks to one partner, such as the program at the other end of a pipe. It answers
// wire.Methods: hello, players, rules and moves. It is a wire.Handler, for wire.Serve or
// wire.Answer, and remembers the game that is played, since players that draw by chance go on
// drawing through it:
//
//	maker, err := catalog.Parse("auto", catalog.Capabilities{})
//	s, err := session.New(session.Options{Name: "afterstate", Version: "1.0.0", Player: maker})
//	defer s.Close()
//	err = wire.Serve(ctx, s, os.Stdin, os.Stdout)
//
// # Many clients
//
// A [Host] is what all clients of a process share, and a [Client] answers one of them. It
// answers all methods ([Methods]): those of a Session and boards in any notation, reasons, trees,
// games to play, records to review, games to watch, experiments and training runs.
//
//	host, err := session.NewHost(session.HostOptions{Name: "afterstate", Version: "1.0.0", Player: maker})
//	defer host.Close()
//	client := host.NewClient(connection) // or nil, for a single request
//	defer client.Close()
//	answer, bye := client.Reply(ctx, request)
//
// The package's example runs this. The transport calls quick methods of a client one after the
// other, and searches ([IsSearch]) beside them, one at a time as well, so that a hint never holds
// up a move. What else it has to do for games that are watched is [Connection]. Experiments and
// training runs come from whoever keeps them: see [Experiments] and [Training].
//
// Each search has a player of its own, so that answers do not depend on what was asked before.
//
// # Games
//
// A game that a person plays belongs to its client, and the host keeps nothing of it: the page
// knows the seed and the moves and opens the game again, after a lost connection or a restart. A
// watched game belongs to the host (player/live plays it) and waits for its watchers for a while:
// it rests 20 seconds after the last one left and ends after 15 minutes.
//
// Frames of watched games are made once for all who watch, at most about thirty a second and
// fewer the more there are.
//
// # Limits
//
// All searches of a host together have as many places as there are processors, and what replays a
// game takes such a place too. Up to 64 searches wait for one, for 5 seconds; requests of lasting
// connections that are answered in their order wait for as long as it takes. Watched games that
// compute have as many places of their own. A search has 10 seconds. All open games together have
// [MaxMoves] moves, a game that is played 262144, and one that is watched a million. There are 16
// watched games; a new one takes the place of one that nobody watches. HostOptions sets some of
// these.
//
// Error messages of a Client name no path of this machine that the request did not name itself,
// and a panic in a request or in a player's thoughts costs that request or game alone.
package session
