// Package service answers the methods of package wire with the players there are.
// It knows no transport: a [Session] is a wire.Handler, to be given to wire.Serve
// or to wire.Answer.
//
//	maker, err := catalog.Parse("auto", catalog.Capabilities{})
//	s, err := session.New(session.Options{Name: "afterstate", Version: "1.0.0", Player: maker})
//	defer s.Close()
//	err = wire.Serve(ctx, s, os.Stdin, os.Stdout)
//
// Make a session for each partner in talk: it remembers the game that is played,
// since players that draw by chance go on drawing through it.
package session
