// Package drive plays 2048 on a page of another site: it reads the board from the page, asks a player,
// presses keys, and checks that the next board is one that the rules allow.
//
//	p, _ := drive.Open(ctx, browser, "https://example.com/2048/", nil)
//	s := drive.NewSession(p, player, spec, seed, drive.Options{Until: 2048})
//	end, err := s.Run(ctx)
//
// A [Session] plays on a [Site], such as a [Page] of a browser. After a move the site must show the
// afterstate and one new 2 or 4. Any other board, including one that a person's move leads to, ends the
// session with an error that shows the expected and the actual board. With Options.Advise the
// session presses nothing: it shows the recommended move on the page and follows the person's
// moves.
//
// The page must be the original game or derived from it: the reading script knows the names of its elements and of the
// game in local storage. The script runs in an isolated JavaScript world, which the page's code cannot change.
// Everything that a page returns is checked: a board is 4 to 36 numbers that are 0 or powers of two. Errors
// quote texts of the page.
package drive
